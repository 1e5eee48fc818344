#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What its own reader shows of the format firefox is what the report has: readers.sh.
set -- firefox
. "$srcdir/tests/export/readers.sh"
