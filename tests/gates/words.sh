#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plain English in comments of the product, in headers, man pages and docs: comments have at most 100 columns. A
# sentence has at most 40 words, does not open with "Of", "What" or "That the", and has no pronoun in place of a noun.
# words.txt lists the folders and files that keep these rules.
#
#   sh tests/gates/words.sh FOLDER-OR-FILE...    the same check for these, as FILE:LINE: REASON, whatever words.txt lists
: "${srcdir:=$(dirname "$0")/../..}"
[ $# -gt 0 ] || . "$srcdir/tests/tap.sh"

most_words=40 most_columns=100

# prose_files FOLDER-OR-FILE...: the files in it (not below it) that have prose.
prose_files() {
	for where; do
		find "$where" -maxdepth 1 -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.[1-8]' -o -name '*.md' -o -name '*.py' \)
	done | sort
}

# prose FILE...: FILE LINE COLUMNS TEXT for each line of prose, in fields that tabs separate; an empty text ends a
# sentence. COLUMNS is the line's width if the width counts.
# shellcheck disable=SC2016
prose() {
	awk '
	function say(text) {
		gsub(/\t/, " ", text)
		gsub(/`[^`]*`/, "CODE", text)
		print FILENAME "\t" FNR "\t" columns "\t" text
	}
	function width(line,    i, n) {
		for (i = 1; i <= length(line); i++)
			n = substr(line, i, 1) == "\t" ? n + 8 - n % 8 : n + 1
		return n
	}
	# The text of a line of a comment. An indented line begins a sentence: rows, lists.
	function comment_line(text) {
		sub(/^[ \t]*\*+/, "", text)
		if (text ~ /^  +[^ ]/ || text ~ /^ ?- /)
			say("")
		say(text)
	}
	# The column at which a comment starts; a string may hold the same two characters.
	function comment_start(line,    at, from, head) {
		for (from = 0; (at = index(substr(line, from + 1), "/*")) > 0; from += at) {
			head = substr(line, 1, from + at - 1)
			gsub(/\\./, "", head)
			if (gsub(/"/, "", head) % 2 == 0)
				return from + at
		}
		return 0
	}
	function c_line(    line, at) {
		line = $0
		columns = width(line)
		for (;;) {
			if (!in_comment) {
				at = comment_start(line)
				if (!at)
					return
				line = substr(line, at + 2)
				in_comment = 1
				say("")
			}
			at = index(line, "*/")
			if (!at) {
				comment_line(line)
				return
			}
			comment_line(substr(line, 1, at - 1))
			say("")
			in_comment = 0
			line = substr(line, at + 2)
		}
	}
	# mdoc: macros within a sentence are part of it, other macros end it; displays are no prose.
	function man_line(    i, n, word, text) {
		if (/^\.Bd/) in_display = 1
		if (/^\.Ed/) in_display = 0
		if (in_display || /^\.\\"/ || /^$/) { say(""); return }
		if (!/^\./) { text = $0; gsub(/\\f[A-Z]|\\&/, "", text); gsub(/\\\(../, "x", text); say(text); return }
		if (!/^\.(Fl|Ar|Nm|Ql|Xr|Pa|Sq|Dq|Em|Cm|Ev|Va|Li|Sy|Ic|Fn|Ft|Vt|Dv|Er|In|Pq|Op|Lk|No|Ns|Ap) /) { say(""); return }
		n = split($0, word, " ")
		for (i = 1; i <= n; i++)
			if (word[i] !~ /^\.?[A-Z][a-z]$/)
				text = word[i] ~ /^[.,:;)]$/ ? text word[i] : text " " word[i]
		say(text)
	}
	function md_line() {
		if (/^ *```/) { in_code = !in_code; say(""); return }
		if (in_code || /^ *\|/ || /^#/ || /^    / || /^$/) { say(""); return }
		if (/^ *([-*]|[0-9]+\.) /) say("")
		say($0)
	}
	# Comments and docstrings; code within a docstring is indented.
	function py_line(    line, quotes) {
		line = $0
		columns = width(line)
		quotes = gsub(/"""/, "", line)
		if (quotes && !in_comment) {
			match(line, /^ */)
			in_column = RLENGTH
		}
		if (quotes || in_comment) {
			match(line, /^ */)
			say(RLENGTH - in_column < 4 ? line : "")
			in_comment = in_comment != (quotes == 1)
			if (!in_comment)
				say("")
		} else
			say(sub(/^ *#+/, "", line) ? line : "")
	}
	FNR == 1 { in_comment = in_display = in_code = columns = 0; say("") }
	FILENAME ~ /\.[1-8]$/ { man_line(); next }
	FILENAME ~ /\.md$/ { md_line(); next }
	FILENAME ~ /\.py$/ { py_line(); next }
	{ c_line() }' "$@" </dev/null
}

# judge: from prose, a line for each offence. Returns 1 when there is one.
# shellcheck disable=SC2016
judge() {
	awk -F '\t' -v most_words=$most_words -v most_columns=$most_columns '
	function offence(line, why) { print file ":" line ": " why; bad = 1 }
	# The first place of the pattern in the sentence, as words of the text.
	function vague(pattern) {
		if (match(tolower(" " sentence " "), pattern))
			offence(start, "vague: \"" substr(" " sentence " ", RSTART + 1, RLENGTH - 1) "\"")
	}
	function end_sentence() {
		if (n_words == 0)
			return
		if (n_words > most_words)
			offence(start, "a sentence of " n_words " words: " substr(sentence, 1, 60) " ...")
		if (sentence ~ /^Of /)
			offence(start, "opens with Of: " substr(sentence, 1, 60))
		if (sentence ~ /^What / && sentence !~ /\?$/)
			offence(start, "opens with What: " substr(sentence, 1, 60))
		if (sentence ~ /^That (a|an|the|it|they|no|each|one|all|this|there) /)
			offence(start, "opens with That: " substr(sentence, 1, 60))
		vague(" (stands?|stood|standing) for ")
		vague(" (goes|go|going|went) on with ")
		vague(" (comes?|came) of ")
		vague(" counts? for ")
		vague(" (is|are|was|were) at [^lmoat0-9]")
		vague(" the one[ ,.;:]")
		vague(" ones[ ,.;:]")
		vague(" one (that|which|whose) ")
		vague(" those (that|which|whose|of|in|with|before|after|from)[ ,.;:]")
		vague(" (and|or|of|by|for|but|nor|with|no) such[ ,.;:](that|are|is|in|$)")
		sentence = ""
		n_words = 0
	}
	$1 != file { end_sentence(); file = $1 }
	$3 > most_columns && $4 != "" && $2 != wide[file] {
		wide[file] = $2
		offence($2, $3 " columns")
	}
	$4 == "" { end_sentence(); next }
	{
		n = split($4, word, " ")
		for (i = 1; i <= n; i++) {
			if (n_words == 0 && word[i] !~ /[A-Za-z0-9]/)
				continue
			if (n_words == 0)
				start = $2
			sentence = sentence (n_words ? " " : "") word[i]
			n_words++
			if (word[i] ~ /[.?!]["\047)]*$/ && word[i] !~ /^(e\.g|i\.e|etc|vs|cf)\.$/)
				end_sentence()
		}
	}
	END { end_sentence(); exit bad }'
}

# check_words FOLDER-OR-FILE...: names each offence. Returns 99 if there is no prose.
check_words() {
	files=$(prose_files "$@")
	[ -n "$files" ] || { echo "no prose in: $*"; return 99; }
	# Names of files here have no blanks.
	# shellcheck disable=SC2086
	prose $files | judge
}

if [ $# -gt 0 ]; then
	check_words "$@"
	exit
fi

# says_no TEXT: judges a file with the text as its comment.
says_no() {
	printf '/* %s */\n' "$1" >"$scratch/words.c"
	check_words "$scratch/words.c"
}

tap_scratch
cd "$srcdir" || broken "cannot enter '$srcdir'"
[ "$(prose src/main.c | wc -l)" -gt 3 ] || broken "no prose seen in src/main.c"
for where in $(grep -v '^#' tests/gates/words.txt); do
	check "$where is in plain English" check_words "$where"
done

many=$(awk -v n=$most_words 'BEGIN { for (i = 0; i < n; i++) printf "word "; print "word." }')
check "a plain sentence passes" says_no 'The handler counts a sample that it cannot store.'
check_fails "a long sentence is found" says_no "$many"
check_fails "a wide line is found" says_no "$(echo "$many" | cut -c 1-60). $(echo "$many" | cut -c 1-60)."
check_fails "a fronted Of is found" says_no 'Of a frame, its innermost call is kept.'
check_fails "What as a subject is found" says_no 'What is kept is lost.'
check_fails "a pronoun without a noun is found" says_no 'It keeps those that follow.'
check_fails "a vague term is found" says_no 'A sample stands for a millisecond.'
printf 'def f():\n    """%s"""\n' "$many" >"$scratch/words.py"
check_fails "a long sentence of Python is found" check_words "$scratch/words.py"
printf '# %s\n' "$many" >"$scratch/words.py"
check_fails "... and in a comment" check_words "$scratch/words.py"
is "a folder without prose is no pass" "$(mkdir "$scratch/empty" && check_words "$scratch/empty" >/dev/null; echo $?)" 99
plan
