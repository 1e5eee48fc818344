# SPDX-License-Identifier: Apache-2.0
# ompprof export: what the formats' own readers make of its files.
EXPORT_TESTS = tests/export/chrome.sh tests/export/command.sh tests/export/firefox.sh tests/export/inlined.sh \
	tests/export/names.sh tests/export/phases.sh \
	tests/export/pprof.sh tests/export/readers.sh tests/export/speedscope.sh tests/export/totals.sh tests/export/times.sh
EXTRA_DIST += $(EXPORT_TESTS) tests/export/export.sh tests/export/pprof.py tests/export/totals.py tests/export/shown.sh \
	tests/export/chrome.js tests/export/firefox.js tests/export/speedscope.js tests/export/report_times.js \
	tests/export/profiler_cli.js tests/export/times.js tests/export/times.py
TESTS += $(EXPORT_TESTS)
