#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof help VERB: the manual page by man on a terminal, as plain text elsewhere, and what --help
# prints where neither man nor mandoc can make text of it.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
cd "$scratch" || broken "cannot enter the scratch folder"
"$ompprof" info --help >usage
mkdir none only stub

# program FOLDER NAME LINE...: a program of that name, in the only folder that PATH will have.
program() {
	printf '#!/bin/sh\n%s\n' "$3" >"$1/$2"
	chmod +x "$1/$2"
}

# page PATH: ompprof help info with that PATH, in the file page.
page() {
	PATH=$1 "$ompprof" help info >page 2>err || return 1
	cat err
	[ ! -s err ]
}

is_page() {
	page "$1" && grep -qi '^ompprof-info(1)' page && grep -q '^OPTIONS' page || return 1
	! LC_ALL=C grep -n '[^ -~]' page && ! awk 'length > 80' page | grep .
}

man=$(command -v man) mandoc=$(command -v mandoc)
if [ -n "$man" ]; then
	check "in a pipe: plain text of the page" is_page "$PATH"
else
	skip "in a pipe" "man is not installed"
fi
if [ -n "$mandoc" ]; then
	ln -s "$mandoc" only/mandoc
	check "... by mandoc where man is not there" is_page "$scratch/only"
	program stub man 'echo "This system is small. ompprof-inf(1)"'
	ln -s "$mandoc" stub/mandoc
	check "... where man shows something else" is_page "$scratch/stub"
	program stub man 'echo "ompprof-info(1)"; exit 1'
	check "... where man fails" is_page "$scratch/stub"
else
	skip "by mandoc" "mandoc is not installed"
fi
check "without both what --help prints" sh -c 'PATH=$1 "$0" help info | "$2" usage -' "$ompprof" \
	"$scratch/none" "$(command -v diff)"
program none man 'i=0; while [ $i -lt 60000 ]; do echo "ompprof-info(1) $i"; i=$((i + 1)); done'
check "a page is not endless" sh -c 'PATH=$1 "$0" help info | "$2" usage -' "$ompprof" \
	"$scratch/none" "$(command -v diff)"
program none man 'printf "OMPPROF-INFO(1)\n\033[1mA\033[0m_\bBC\bC\n"'
is "letters over letters and colours are left out" "$(PATH=$scratch/none "$ompprof" help info)" \
	"OMPPROF-INFO(1)
ABC"

if command -v script >/dev/null; then
	program stub man 'printf "<%s>" "$@" >"$SEEN"'
	SEEN=$scratch/seen PATH=$scratch/stub:$PATH timeout 10 script -qec "$ompprof help report" screen \
		</dev/null >/dev/null 2>&1
	is "on a terminal man shows it" "$(sed "s|<[^>]*man-pages|<man-pages|" seen)" \
		"<-l><man-pages/ompprof-report.1>"
	# The variables are the other shell's.
	# shellcheck disable=SC2016
	PATH=$PATH timeout 10 script -qec "PATH=$scratch/nothing $ompprof help report" screen </dev/null >/dev/null 2>&1
	check "... or what --help prints" grep -q '^Usage: ompprof report' screen
else
	skip "on a terminal" "script(1) is not installed"
fi
"$ompprof" help nothing >out 2>err
is "an unknown verb" "$? $(cat out err)" "2 ompprof: no verb is called 'nothing'
Try 'ompprof help' for more information."
"$ompprof" help report info >out 2>err
is "two verbs" "$? $(head -n 1 err)" "2 ompprof: unexpected argument 'info'"
"$ompprof" help run >/dev/full 2>err
is "a full disk" "$? $(sed 's/: [^:]*$//' err)" "1 ompprof: cannot write to standard output"
for verb in $("$ompprof" help | awk '/^  [a-z]/ { print $1 }'); do
	"$ompprof" "$verb" --help >out
	check "$verb: no empty line follows another one" awk '/^$/ && NR > 1 && empty { exit 1 } { empty = /^$/ }' out
done
plan
