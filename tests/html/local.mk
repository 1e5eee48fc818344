# SPDX-License-Identifier: Apache-2.0
# The page of report --html.
HTML_TESTS = \
	%D%/page.sh \
	%D%/sources.sh \
	%D%/trace.sh
TESTS += $(HTML_TESTS)
EXTRA_DIST += $(HTML_TESTS) \
	%D%/figures.js \
	%D%/look.js \
	%D%/opened.js \
	%D%/page.js \
	%D%/ranges.js \
	%D%/views.js
