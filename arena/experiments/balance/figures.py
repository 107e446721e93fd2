"""The charts of a study."""

import pandas as pd

from arena.reports import charts
from arena.reports.figures import share, share_chart
from arena.reports.page_model import Figure, Table

FINEST_POINTS = 1.0


def figure_of(table: Table, players: int) -> Figure | None:
    """The chart of a table, if it has one."""
    frame = table.frame
    if table.key == "seats":
        names = [f"seat {seat}" for seat in frame["seat"]]
        return _shares(names, frame, 1 / len(frame), "Share of the games won from each seat, with 95 % intervals over "
                       f"deals. Dashed: {share(1 / len(frame))}, an equal share.")  # fmt: skip
    if table.key == "styles":
        return _shares(frame["bot"].tolist(), frame, 1 / players, "Share of its games that each style won against "
                       f"the others, with 95 % intervals. Dashed: {share(1 / players)}.")  # fmt: skip
    if table.key == "tickets" and "causes_points" in frame:
        return _effects(frame)
    return None


def _shares(names: list[str], frame: pd.DataFrame, even: float, caption: str) -> Figure:
    return Figure(
        share_chart(names, frame.fillna({"low": frame["win_share"], "high": frame["win_share"]}), even), caption
    )


def _effects(frame: pd.DataFrame) -> Figure | None:
    """What each ticket causes, in points."""
    known = frame.dropna(subset=["causes_points_low"])
    if known.empty:
        return None
    along = charts.axis(min(0.0, known["causes_points_low"].min()), max(0.0, known["causes_points_high"].max()),
                        FINEST_POINTS)  # fmt: skip
    dots = [
        charts.Dot(name, value, low, high, f"{value:+.1f}", f"{low:+.1f} to {high:+.1f}")
        for name, value, low, high in known[
            ["name", "causes_points", "causes_points_low", "causes_points_high"]
        ].itertuples(index=False)
    ]  # fmt: skip
    return Figure(charts.dots(dots, along, lambda value: f"{value:+.0f}", 0.0),
                  "Points that each ticket causes when it lies before a seat, against the mean of all tickets on the "
                  "same deals, with 95 % intervals.")  # fmt: skip
