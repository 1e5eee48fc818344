# SPDX-License-Identifier: Apache-2.0
# The package itself.
EXTRA_DIST += \
	%D%/__init__.py \
	%D%/command.py \
	%D%/graph.py \
	%D%/plots.py \
	%D%/profile.py \
	%D%/py.typed \
	%D%/scale.py \
	%D%/tables.py
