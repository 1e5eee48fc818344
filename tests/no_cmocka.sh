# SPDX-License-Identifier: Apache-2.0
# Stands for the unit tests in a build without cmocka: says why there are none.
. "$srcdir/tests/tap.sh"
skip_all "no unit tests were built: cmocka (libcmocka-dev, libcmocka-devel) is not installed"
