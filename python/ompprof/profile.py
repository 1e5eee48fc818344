# SPDX-License-Identifier: Apache-2.0
"""A profile as data frames."""
from __future__ import annotations

import io
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional

from .command import Error, document, need, output
from .graph import graph_of
from .tables import inclusive, table

if TYPE_CHECKING:
    import hatchet
    import pandas


class Profile:
    """The report of one run, read once; its frames are made when they are first asked for.

    json: the whole object that ompprof-json(5) describes. All frames come from it.
    """

    def __init__(self, json: dict[str, Any], arguments: list[str], command: Optional[str]) -> None:
        self.json = json
        self._arguments = arguments
        self._command = command

    def frame(self, name: str) -> pandas.DataFrame:
        """Any array of the report, such as "locks" or "phases"; see ompprof.tables.table.

        Raises Error if this report has no such array.
        """
        if not isinstance(self.json.get(name), list):
            raise Error(f"this report has no '{name}'")
        return table(self.json[name])

    @cached_property
    def nodes(self) -> pandas.DataFrame:
        """The tree of call paths: a row for each node, parents first, with the node's id as index.

        `samples` and the columns in seconds exclude the nodes below; `inclusive` adds them.
        Seconds are thread-seconds.
        """
        return self.frame("nodes").set_index("id")

    @cached_property
    def constructs(self) -> pandas.DataFrame:
        """The nodes of regions, tasks and target constructs, which have `executions`."""
        if "executions" not in self.nodes:
            return self.nodes.head(0)
        return self.nodes[self.nodes["executions"].notna()]

    @cached_property
    def regions(self) -> pandas.DataFrame:
        """A row for each region in the source, largest loss first; causes are in wall seconds."""
        return self.frame("regions")

    @cached_property
    def threads(self) -> pandas.DataFrame:
        """A row for each thread: how it spent `total_s`."""
        return self.frame("threads")

    @cached_property
    def waits(self) -> pandas.DataFrame:
        """A row for each thing that was waited for, in thread-seconds.

        `causes` are lists of objects: the code to blame.
        """
        return self.frame("waits")

    @cached_property
    def causes(self) -> pandas.DataFrame:
        """The summary: name, cause, wall_s (s), thread_s (s) and share (1) of each cause.

        wall_s is NaN if the profile has no waits; the rows are then states of samples. This table
        is what `ompprof report --format csv` prints, which has the names of the causes.
        Raises Error if the report has filters: causes are known for whole runs and phases.
        """
        text = output(["report", "--format", "csv", *self._arguments], self._command)
        return need("pandas").read_csv(io.StringIO(text))

    @cached_property
    def timeline(self) -> pandas.DataFrame:
        """The threads over time: a row for each thread, state and bucket in which it had time.

        Columns: row (of `threads`), thread, state, begin_s (s since the begin of the run),
        bucket_s (s), time_s (s). Measured waits contain the time of `in_wait`.
        """
        rows = []
        for row, thread in enumerate(self.json.get("threads", [])):
            line = thread.get("timeline", {"times": {}})
            for state, times in line["times"].items():
                for i, time in enumerate(times):
                    begin = line["begin_s"] + i * line["bucket_s"]
                    rows.append((row, thread["thread"], state, begin, line["bucket_s"], time))
        columns = ["row", "thread", "state", "begin_s", "bucket_s", "time_s"]
        frame = need("pandas").DataFrame(rows, columns=columns)
        return frame[frame["time_s"] != 0].reset_index(drop=True)

    def inclusive(self, column: str) -> pandas.Series:
        """A column of `nodes` in which each node has the sum of itself and all nodes below it."""
        return inclusive(self.nodes, column)

    def graphframe(self) -> hatchet.GraphFrame:
        """The tree as a GraphFrame of hatchet; see ompprof.graph. Raises Error without hatchet."""
        return graph_of(self)


def read(path: str | os.PathLike[str], *options: str, command: Optional[str] = None) -> Profile:
    """Reads a profile: a file, the folder of a job, or a merged file.

    options: any of `ompprof report`, such as "--phase", "assemble" or "--view", "full".
    command: the command, or None for $OMPPROF or `ompprof`.
    Raises Error, with the text of the command, if the profile cannot be read.
    """
    arguments = ["-i", os.fspath(path), *options]
    return Profile(document("ompprof-report", ["report", *arguments], command), arguments, command)
