"""The charts of a study."""

from arena.reports.figures import interval_chart, share, share_chart
from arena.reports.page_model import Figure, Table

FINEST_POINTS = 1.0


def figure_of(table: Table, players: int) -> Figure | None:
    """The chart of a table, if it has one."""
    frame = table.frame
    if table.key == "seats":
        names = [f"seat {seat}" for seat in frame["seat"]]
        return Figure(share_chart(names, frame, 1 / players), "Share of the games won from each seat, with 95 % "
                      f"intervals over deals. Dashed: {share(1 / players)}, an equal share.")  # fmt: skip
    if table.key == "styles":
        return Figure(share_chart(frame["bot"], frame, 1 / players), "Share of its games that each style won against "
                      f"the others, with 95 % intervals. Dashed: {share(1 / players)}.")  # fmt: skip
    if table.key == "tickets" and "causes_points" in frame:
        known = frame.dropna(subset=["causes_points_low"])
        numbers = known[["causes_points", "causes_points_low", "causes_points_high"]].to_numpy(float).tolist()
        chart = interval_chart(
            known["name"], numbers, 0.0, FINEST_POINTS, lambda value: f"{value:+.1f}",
            lambda low, high: f"{low:+.1f} to {high:+.1f}", lambda value: f"{value:+.0f}",
        )  # fmt: skip
        said = (
            "Points that each ticket causes when it lies before a seat, against the mean of all tickets on the same "
            "deals, with 95 % intervals."
        )
        return None if known.empty else Figure(chart, said)
    return None
