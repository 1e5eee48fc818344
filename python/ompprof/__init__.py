# SPDX-License-Identifier: Apache-2.0
"""Profiles of OpenMP programs as pandas data frames.

    import ompprof
    profile = ompprof.read("ljmd.ompprof")
    profile.regions.sort_values("gain_s")
    ompprof.plots.causes(profile)

The figures come from `ompprof report --format json`, and ompprof-json(5) says what
each key means. The package runs the command `ompprof`, or the command that the variable OMPPROF
names.
pandas, matplotlib and hatchet are imported when they are first needed.
"""
from . import plots
from .command import Error
from .profile import Profile, read
from .scale import Scale, read_scale
from .tables import unit

__version__ = "0.9.0"
__all__ = ["Error", "Profile", "Scale", "plots", "read", "read_scale", "unit"]
