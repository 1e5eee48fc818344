# SPDX-License-Identifier: Apache-2.0
# Steps on pages in a browser: `. "$srcdir/tests/html/browser.sh"`, after tap_scratch.

# run_in_browser SCRIPT: the script's cases are this test's, in each browser; it gets the scratch folder.
run_in_browser() {
	for browser in ${BROWSER:-chromium firefox}; do
		run_in "$browser" "$1"
	done
}

# run_in BROWSER SCRIPT
run_in() {
	command -v node >/dev/null || {
		skip "the page in $1" "no node"
		return
	}
	BROWSER=$1 node "$srcdir/tests/html/$2" "$scratch" >browser.tap
	status=$?
	sed -n 's/^# //p' browser.tap | while IFS= read -r line; do note "$line"; done
	grep -q '^1\.\.0' browser.tap && {
		skip "the page in $1" "$(sed -n 's/^1\.\.0 # SKIP //p' browser.tap)"
		return
	}
	[ $status -eq 0 ] && grep -q '^1\.\.' browser.tap || broken "$1: $(tail -n 3 browser.tap)"
	while IFS= read -r line; do
		case $line in
		"ok "*) ok "$1: ${line#* - }" ;;
		"not ok "*) not_ok "$1: ${line#* - }" ;;
		esac
	done <browser.tap
}
