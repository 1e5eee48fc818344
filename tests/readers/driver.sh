#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The driver of the browser (browser.js) does what tests ask of it, and says what it cannot.
. "$srcdir/tests/tap.sh"
command -v node >/dev/null || skip_all "no node"

said=$(BROWSER=no-such-browser node "$srcdir/tests/readers/driver.js")
[ "$said" = "1..0 # SKIP no no-such-browser" ] || broken "without a browser it says: $said"
said=$(BROWSER=false node "$srcdir/tests/readers/driver.js")
status=$?
case $status$said in
"99"*"Bail out! "*) ;;
*) broken "with a browser that ends it says, with status $status: $said" ;;
esac
node "$srcdir/tests/readers/driver.js"
