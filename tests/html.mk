# SPDX-License-Identifier: Apache-2.0
# The page of report --html.
HTML_TESTS = tests/html/page.sh tests/html/sources.sh
EXTRA_DIST += $(HTML_TESTS) tests/html/figures.js tests/html/opened.js tests/html/look.js tests/html/page.js
TESTS += $(HTML_TESTS)
