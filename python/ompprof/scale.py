# SPDX-License-Identifier: Apache-2.0
"""Runs with several numbers of threads, as data frames."""
from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional

from .command import document
from .tables import table

if TYPE_CHECKING:
    import pandas

_LOST = "lost_by_cause_s."


class Scale:
    """The runs of `ompprof scale`.

    json: the whole object that ompprof-scale(1) describes.
    """

    def __init__(self, json: dict[str, Any]) -> None:
        self.json = json

    @cached_property
    def points(self) -> pandas.DataFrame:
        """A row for each number of threads, with `run.threads` as index. Times are wall seconds."""
        return table(self.json["points"]).set_index("run.threads")

    @cached_property
    def losses(self) -> pandas.DataFrame:
        """Wall seconds lost beside ideal speed-up: a row for each number of threads, a column for
        each cause."""
        lost = self.points.filter(regex="^" + _LOST)
        return lost.rename(columns=lambda column: column[len(_LOST):])


def read_scale(path: str | os.PathLike[str], *options: str, command: Optional[str] = None) -> Scale:
    """Reads the folder that `ompprof scale -o` wrote. Arguments and errors: see `read`."""
    arguments = ["scale", "--report", os.fspath(path), *options]
    return Scale(document("ompprof-scale", arguments, command))
