"use strict";

// Heads become buttons: the first press sorts numbers from the largest and names from A, the second the other way
// round, the third restores the order of the report. What has no number stays at the end.

const byName = new Intl.Collator("en", { numeric: true });

function sortBy(table, original, column, direction) {
  const isName = table.tHead.rows[0].cells[column].classList.contains("name");
  const key = ({ cells: { [column]: cell } }) => (isName ? cell.textContent : parseFloat(cell.dataset.n));
  const keyed = original.map((row) => [key(row), row]);
  const known = keyed.filter(([value]) => isName || !Number.isNaN(value));
  const unknown = keyed.filter(([value]) => !isName && Number.isNaN(value));
  const compare = isName ? byName.compare : (one, other) => one - other;
  if (direction) known.sort(([one], [other]) => direction * compare(one, other));
  table.tBodies[0].append(...(direction ? [...known, ...unknown] : keyed).map(([, row]) => row));
}

for (const table of document.querySelectorAll("table")) {
  const original = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("name") ? 1 : -1;
      const now = { ascending: 1, descending: -1 }[head.getAttribute("aria-sort")] ?? 0;
      const next = now === 0 ? first : now === first ? -first : 0;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next) head.setAttribute("aria-sort", next > 0 ? "ascending" : "descending");
      sortBy(table, original, column, next);
    });
  });
}

// On paper everything is open; where a browser does not do that by the style sheet, these two do.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    details.dataset.shut = "";
    details.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("[data-shut]")) {
    delete details.dataset.shut;
    details.open = false;
  }
});
