# SPDX-License-Identifier: Apache-2.0
# The package for Python.
PYTHON_TESTS = \
	%D%/frames.sh \
	%D%/install.sh \
	%D%/notebook.sh
TESTS += $(PYTHON_TESTS)
EXTRA_DIST += $(PYTHON_TESTS) \
	%D%/cells.py \
	%D%/choose.sh \
	%D%/figures.py \
	%D%/graph.py \
	%D%/words.py
