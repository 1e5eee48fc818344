# SPDX-License-Identifier: Apache-2.0
# Profiles for Python. `make install` leaves it out: `pip install ./python` installs it.
EXTRA_DIST += %D%/demo.ipynb %D%/pyproject.toml

include python/ompprof/local.mk
