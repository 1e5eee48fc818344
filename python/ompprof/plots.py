# SPDX-License-Identifier: Apache-2.0
"""Plots with matplotlib. Each draws into the axes `ax`, or into new axes, and returns the axes.

All raise Error if matplotlib is missing.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from .command import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .profile import Profile
    from .scale import Scale


def _axes(ax: Optional[Axes]) -> Axes:
    pyplot = need("matplotlib.pyplot")
    return ax if ax is not None else pyplot.subplots(constrained_layout=True)[1]


def causes(profile: Profile, ax: Optional[Axes] = None) -> Axes:
    """Where the time went: a bar for each cause with any, in wall seconds.

    The bars are thread-seconds by state if the profile has no waits.
    """
    ax = _axes(ax)
    figures = profile.causes
    column = "thread_s" if figures["wall_s"].isna().all() else "wall_s"
    figures = figures[figures[column] > 0][::-1]
    ax.barh(figures["name"], figures[column])
    ax.set_xlabel("thread-seconds" if column == "thread_s" else "wall seconds")
    return ax


def timelines(profile: Profile, ax: Optional[Axes] = None) -> Axes:
    """The threads over time: a lane for each thread, filled by the share of each state.

    A lane is white where its thread had no CPU, or ran for too short a time to be sampled.
    """
    ax = _axes(ax)
    line = profile.timeline
    if profile.json.get("summary", {}).get("measured"):
        line = line[line["state"] != "in_wait"]
    colours = {state: f"C{i}" for i, state in enumerate(line["state"].unique())}
    for row, lane in line.groupby("row"):
        share = lane["time_s"] / lane["bucket_s"]
        top = share.groupby(lane["begin_s"]).cumsum().clip(upper=1)
        base = (top - share).clip(lower=0)
        for state, at in lane.groupby("state").groups.items():
            height, bottom = 0.9 * (top - base)[at], 0.9 * base[at] - row
            begin, width = lane["begin_s"][at], lane["bucket_s"][at]
            ax.bar(begin, height, width, bottom, align="edge", color=colours[state])
    threads = profile.json["threads"]
    ax.set_yticks([0.45 - row for row in range(len(threads))])
    ax.set_yticklabels([f"thread {thread['thread']}" for thread in threads])
    ax.set_xlabel("seconds since the begin of the run")
    patch = need("matplotlib.patches").Patch
    handles = [patch(color=colours[state], label=state) for state in colours]
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def scaling(scale: Scale, ax: Optional[Axes] = None) -> Axes:
    """Speed-up by number of threads, and the ideal."""
    ax = _axes(ax)
    points = scale.points
    ideal = points["speed_up"] / points["of_ideal"]
    ax.plot(points.index, ideal, "--", color="grey", label="ideal")
    ax.plot(points.index, points["speed_up"], "o-", label="measured")
    ax.set_xticks(list(points.index))
    ax.set_xlabel("threads")
    ax.set_ylabel("speed-up")
    ax.legend()
    return ax


def losses(scale: Scale, ax: Optional[Axes] = None) -> Axes:
    """Where speed-up is lost: wall seconds by number of threads, stacked by cause.

    A gain is below 0.
    """
    ax = _axes(ax)
    lost = scale.losses
    lost = lost.loc[:, (lost != 0).any()]
    threads = [str(n) for n in lost.index]
    above = below = 0 * scale.points["speed_up"].to_numpy()
    for cause in lost:
        up, down = lost[cause].clip(lower=0).to_numpy(), lost[cause].clip(upper=0).to_numpy()
        bars = ax.bar(threads, up, bottom=above, label=cause)
        ax.bar(threads, down, bottom=below, color=bars.patches[0].get_facecolor())
        above, below = above + up, below + down
    ax.set_xlabel("threads")
    ax.set_ylabel("wall seconds lost")
    if len(lost.columns):
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return ax
