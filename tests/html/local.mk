# SPDX-License-Identifier: Apache-2.0
# The pages of report --html and diff --html.
HTML_TESTS = \
	%D%/diff.sh \
	%D%/page.sh \
	%D%/sources.sh \
	%D%/trace.sh
TESTS += $(HTML_TESTS)
EXTRA_DIST += $(HTML_TESTS) \
	%D%/browser.sh \
	%D%/diff.js \
	%D%/figures.js \
	%D%/look.js \
	%D%/opened.js \
	%D%/page.js \
	%D%/ranges.js \
	%D%/ranks.js \
	%D%/views.js
