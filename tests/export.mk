# SPDX-License-Identifier: Apache-2.0
# ompprof export: what the formats' own readers make of its files.
EXPORT_TESTS = tests/export/command.sh tests/export/totals.sh
EXTRA_DIST += $(EXPORT_TESTS) tests/export/export.sh tests/export/totals.py
TESTS += $(EXPORT_TESTS)
