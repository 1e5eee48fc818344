#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completion in bash: what is offered for command lines, as the function answers and as readline
# makes of it on a terminal, names of files with blanks among them; and that it is installed.
. "$srcdir/tests/tap.sh"

completion=${OMPPROF_TEST_COMPLETION:-$builddir/bash-completion/ompprof}
command -v bash >/dev/null || skip_all "bash is not installed"
# The variable is bash's.
# shellcheck disable=SC2016
bash -c '[ "${BASH_VERSINFO[0]}" -ge 4 ]' || skip_all "bash is older than version 4"
[ -r "$completion" ] || broken "'$completion' is not there"
tap_scratch
mkdir "$scratch/bin"
for command in mandatory-test-command readily-a-test-command; do
	printf '#!/bin/sh\n' >"$scratch/bin/$command"
	chmod +x "$scratch/bin/$command"
done
PATH=$scratch/bin:$PATH

# Answers with a line of what is offered, sorted, and what readline is asked to add in brackets.
cat >"$scratch/offers" <<'END'
source "$1"
compopt() { asked+=" [${*: -1}]"; }
shift
asked=
# As readline does it, = is a word of its own; a last argument of '' is an empty word.
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
current=${COMP_WORDS[COMP_CWORD]}
[ "$current" = = ] && current=
_ompprof ompprof "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ' | sed 's/^ *//; s/ *$//'
printf '%s\n' "$asked"
END

# offers DESCRIPTION EXPECTED WORD...: of `ompprof WORD...`, the last of which is completed.
offers() {
	description=$1 expected=$2
	shift 2
	is "$description" "$(bash "$scratch/offers" "$completion" ompprof "$@" 2>&1)" "$expected"
}

offers "verbs" "report" rep
offers "all options of ompprof" "--help --version -h" -
offers "options of a verb" "--percent-limit --phase --pop --process" report --p
offers "... after others" "--percent-limit --phase --pop --process" report --by wait -i x -n5 --p
offers "words of an option" "line lock loop" report --by l
offers "... after =" "line lock loop" report --by = l
offers "... right after =" "always auto never" report --color =
offers "... of a letter" "page-faults" run -e page
offers "a column" "imbalance" report --by region -s imb
offers "... of a list" "name,wall name,wall% [nospace]" report -f name,wal
offers "words and files" "plain [default]" run --runtime p
offers "a file" " [default]" report -i ''
offers "a folder" " [dirnames]" run -o ''
offers "... of a letter among others" " [dirnames]" run -qo ''
offers "a number offers nothing" "" report -n ''
offers "the operand of report" " [default]" report ''
offers "options until the command" "--unwind" run -q --un
offers "the verb to be helped with" "info" help i
offers "a command" "mandatory-test-command [default]" run mandatory-test-com
offers "... of the first form" "mandatory-test-command [default]" mandatory-test-com
offers "... after --" "mandatory-test-command [default]" run -- mandatory-test-com
offers "... that a verb is the beginning of" "readily-a-test-command [default]" -- readily-a-
offers "... which are no verbs" " [default]" -- repor
offers "a command by its path" " [default]" run ./x
offers "the command's own arguments" " [default]" run -o x ls -
offers "... of the first form" " [default]" ls -
offers "... after --" " [default]" run -- ls --un
# With a completion of bash's for other commands.
delegates() {
	bash -c 'source "$0"; eval "$1() { echo \"\$1\"; }"
		COMP_WORDS=(ompprof run -o x make ta) COMP_CWORD=5; _ompprof ompprof ta make' "$completion" "$1"
}
is "... by bash-completion" "$(delegates _command_offset)" 4
is "... by a new one" "$(delegates _comp_command_offset)" 4

# On a terminal: readline completes a line, and a function says what words it was in the end.
cat >"$scratch/rc" <<'END'
source "$COMPLETION"
ompprof() { printf '<%s>' "$@" >>"$SEEN"; echo >>"$SEEN"; }
bind 'set bell-style none' 2>/dev/null
bind 'set enable-bracketed-paste off'
PS1='READY '
END

# typed LINE: what arguments ompprof gets of a line with tabs, typed on a terminal.
typed() {
	screen=$scratch/screen seen=$scratch/seen keys=$scratch/keys
	rm -f "$screen" "$seen" "$keys"
	mkfifo "$keys"
	SEEN=$seen COMPLETION=$completion TERM=dumb timeout 10 script -qfc 'bash --noprofile --rcfile "'"$scratch"'/rc" -i' \
		"$screen" <"$keys" >/dev/null 2>&1 &
	exec 9>"$keys"
	waited=0
	until grep -q READY "$screen" 2>/dev/null || [ "$waited" -ge 100 ]; do
		sleep 0.1
		waited=$((waited + 1))
	done
	printf '%b\nexit\n' "$1" >&9
	exec 9>&-
	wait $!
	cat "$seen"
}

mkdir "$scratch/work"
cd "$scratch/work" || broken "cannot enter the scratch folder"
mkdir 'my profile.out' 'my tools'
touch "it's one" 'my file' 'my tools/app'
if command -v script >/dev/null; then
	is "a name with a blank" "$(typed 'ompprof report -i my\\ p\t')" '<report><-i><my profile.out/>'
	is "... in quotes" "$(typed 'ompprof report -i "my p\t')" '<report><-i><my profile.out/>'
	is "... after =" "$(typed 'ompprof report --input=my\\ f\t')" '<report><--input=my file>'
	is "... with an apostrophe" "$(typed 'ompprof report -i it\t')" "<report><-i><it's one>"
	is "folders alone for -o" "$(typed 'ompprof run -o my\\ \tp\t')" '<run><-o><my profile.out/>'
	is "a command in a folder with a blank" "$(typed 'ompprof run ./my\\ t\ta\t')" '<run><./my tools/app>'
	is "a word" "$(typed 'ompprof report --by th\t --color a\tl\t')" '<report><--by><thread><--color><always>'
	is "a verb" "$(typed 'ompprof rep\t')" '<report>'
else
	skip "on a terminal" "script(1) is not installed"
fi
plan
