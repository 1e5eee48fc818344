#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `ompprof VERB --help` and man/ompprof-VERB.1 have the same options. Each environment
# variable that the sources name is in a man page.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}

# options: from a text, the options at the beginning of lines, one a line.
options() {
	awk '/^ *-/ {
		sub(/^ */, "")
		sub(/  .*/, "")
		n = split($0, word, /[], =|[]+/)
		for (i = 1; i <= n; i++)
			if (word[i] ~ /^(-[A-Za-z?]|--[a-z][a-z0-9-]*)$/)
				print word[i]
	}' | sort -u
}

# page FILE: the page as plain text.
page() {
	mandoc -T ascii -O width=200 "$1" | sed 's/.\x08//g'
}

# compare_options HELP-TEXT PAGE-FILE: names each option that only one side has.
compare_options() {
	options <"$1" >"$scratch/in_help"
	page "$2" | options >"$scratch/in_page"
	[ -s "$scratch/in_help" ] || { echo "no option seen in the help"; return 99; }
	differences=$(diff "$scratch/in_help" "$scratch/in_page" |
		sed -n 's/^< /only in the help: /p; s/^> /only in the man page: /p')
	[ -z "$differences" ] || { echo "$differences"; return 1; }
}

compare_verb() {
	[ -r "$srcdir/man/ompprof-$1.1" ] || { echo "man/ompprof-$1.1 is not there"; return 1; }
	"$ompprof" "$1" --help >"$scratch/help" 2>/dev/null || { echo "no help"; return 1; }
	compare_options "$scratch/help" "$srcdir/man/ompprof-$1.1"
}

command -v mandoc >/dev/null || skip_all "mandoc is not installed"
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
ls "$srcdir"/src/commands/cmd_*.c >/dev/null 2>&1 || skip_all "no command is written yet"
tap_scratch

verbs=$("$ompprof" help 2>/dev/null | awk '/^  [a-z]+  / { print $1 }')
[ -n "$verbs" ] || broken "'ompprof help' lists no command"
for verb in $verbs; do
	check "ompprof $verb: help and man page have the same options" compare_verb "$verb"
done

variables=$(cd "$srcdir" && find unwinder profile sampler attribution src -name '*.[ch]' -exec \
	grep -ho '"OMPPROF_[A-Z][A-Z_]*' {} + | tr -d '"' | sort -u)
for variable in $variables; do
	check "$variable is in a man page" grep -q "$variable" "$srcdir"/man/*.1
done

cat >"$scratch/page.1" <<'END'
.Dd January 1, 2026
.Dt X 1
.Os
.Sh NAME
.Nm x
.Nd y
.Sh OPTIONS
.Bl -tag -width Ds
.It Fl o , Fl -output Ar dir
Where.
.El
END
printf '  -o, --output DIR      where\n' >"$scratch/same"
printf '  -o, --output DIR      where\n  -x, --extra[=N]  more\n' >"$scratch/more"
printf '  -o DIR  where\n' >"$scratch/less"
check "a page that agrees passes" compare_options "$scratch/same" "$scratch/page.1"
check_fails "an option without a man page is found" \
	compare_options "$scratch/more" "$scratch/page.1"
check_fails "an option without help is found" compare_options "$scratch/less" "$scratch/page.1"
plan
