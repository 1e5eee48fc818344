# SPDX-License-Identifier: Apache-2.0
# Steps on pages in a browser: `. "$srcdir/tests/html/browser.sh"`, after tap_scratch.

# run_in_browser SCRIPT: the script's cases are this test's; it gets the scratch folder.
run_in_browser() {
	command -v node >/dev/null || {
		skip "the page in a browser" "no node"
		return
	}
	node "$srcdir/tests/html/$1" "$scratch" >browser.tap
	status=$?
	sed -n 's/^# //p' browser.tap | while IFS= read -r line; do note "$line"; done
	grep -q '^1\.\.0' browser.tap && {
		skip "the page in a browser" "$(sed -n 's/^1\.\.0 # SKIP //p' browser.tap)"
		return
	}
	[ $status -eq 0 ] && grep -q '^1\.\.' browser.tap || broken "the browser: $(tail -n 3 browser.tap)"
	while IFS= read -r line; do
		case $line in
		"ok "*) ok "${line#* - }" ;;
		"not ok "*) not_ok "${line#* - }" ;;
		esac
	done <browser.tap
}
