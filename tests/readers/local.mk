# SPDX-License-Identifier: Apache-2.0
# The real readers of what is exported, and of HTML: a browser and packages of node's, which
# fetch.sh installs. What is missing is a test that skips.
READERS_TESTS = \
	%D%/driver.sh \
	%D%/fetch_test.sh
TESTS += $(READERS_TESTS)
EXTRA_DIST += $(READERS_TESTS) \
	%D%/browser.js \
	%D%/driver.html \
	%D%/driver.js \
	%D%/fetch.sh \
	%D%/firefox.js \
	%D%/package-lock.json \
	%D%/package.json \
	%D%/tap.js
