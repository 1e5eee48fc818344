#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What its own reader shows of the format firefox is what the report has: shown.sh.
set -- firefox
. "$srcdir/tests/export/shown.sh"
