# SPDX-License-Identifier: Apache-2.0
# The real readers of what is exported, and of HTML: a browser and packages of node's, which
# tests/readers/fetch.sh installs. What is missing is a test that skips.
READER_TESTS = tests/readers/driver.sh tests/readers/fetch_test.sh
TESTS += $(READER_TESTS)
EXTRA_DIST += tests/readers
