#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What its own reader shows of the format speedscope is what the report has: shown.sh.
set -- speedscope
. "$srcdir/tests/export/shown.sh"
