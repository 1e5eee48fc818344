#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes one page of page.html, the style sheets, the scripts and the table of causes, and C of that:
# embed.sh NAME FOLDER CAUSES SCRIPT... >NAME.c
# The policy in the page names the hashes of the one style and the one script, so nothing else can run.
set -eu
LC_ALL=C
export LC_ALL
name=$1
folder=$2
causes=$3
shift 3
made=$(mktemp -d "${TMPDIR:-/tmp}/ompprof-embed.XXXXXX")
trap 'rm -rf "$made"' EXIT

# rows: the rows of the table of causes, their columns with tabs between.
rows() {
	awk '/^(RUN_)?CAUSE\(/ { row = ""; inside = 1 }
		inside { sub(/^[ \t]+/, ""); row = row (row == "" ? "" : " ") $0 }
		inside && /\)$/ {
			inside = 0
			sub(/^[A-Z_]+\(/, "", row)
			sub(/\)$/, "", row)
			out = ""
			for (i = 1; i <= length(row); i++) {
				c = substr(row, i, 1)
				if (c == "\"")
					is_quoted = !is_quoted
				else if (c == "," && !is_quoted) {
					out = out "\t"
					i++
				} else
					out = out c
			}
			print out
		}' "$causes"
}

# The words of causes with their keys in JSON and colours, and the pane that says most of each.
cause_words() {
	rows | awk -F '\t' '{
		advice = $4
		gsub(/ /, "_", advice)
		words = words (NR > 1 ? ", " : "") "[\047" $2 "_s\047, \047" $12 "\047, \047" $14 "\047]"
		tabs = tabs (NR > 1 ? ", " : "") advice ": \047" $13 "\047"
	} END {
		print "const CAUSES = [" words "];"
		print "const CAUSE_TABS = { " tabs " };"
	}'
}

# Their colours and patterns.
cause_styles() {
	rows | awk -F '\t' '$15 == "none" { print ".cause." $2 "_s { background-color: var(--" $14 "); }"; next }
	{
		split($15, hatch, " ")
		printf ".cause.%s_s { background: repeating-linear-gradient(%sdeg, var(--%s) 0 %spx, ", $2, hatch[1], $14,
			hatch[2]
		print "var(--hatch) " hatch[2] "px " hatch[3] "px); }"
	}'
}

# What is between the tags, each ending in one line break. Comments are no part of the page.
{
	echo "'use strict';"
	echo '(function () {'
	cause_words
	for script; do
		sed -e 1d "$folder/$script"
	done
	echo '}());'
} >"$made/script"
{
	sed -e 1d "$folder/style.css"
	cause_styles
} >"$made/style"

# base64 of a SHA-256 digest that is written in hexadecimal digits.
hash() {
	{
		echo
		cat "$1"
	} | sha256sum | awk '{
		digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		for (i = 1; i <= 64; i++) {
			value = value * 16 + index("0123456789abcdef", substr($1, i, 1)) - 1
			n += 4
			while (n >= 6) {
				n -= 6
				digit = int(value / 2 ^ n)
				value -= digit * 2 ^ n
				out = out substr(digits, digit + 1, 1)
			}
		}
		if (n > 0)
			out = out substr(digits, value * 2 ^ (6 - n) + 1, 1)
		while (length(out) % 4)
			out = out "="
		print out
	}'
}

style=$(hash "$made/style")
script=$(hash "$made/script")
while IFS= read -r line; do
	case $line in
	@STYLE@) cat "$made/style" ;;
	@SCRIPT@) cat "$made/script" ;;
	*@POLICY@*)
		printf '%s%s%s\n' "${line%@POLICY@*}" "default-src 'none'; style-src 'sha256-$style'; \
script-src 'sha256-$script'; base-uri 'none'; form-action 'none'" "${line#*@POLICY@}"
		;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$folder/page.html" >"$made/page"

echo '/* Made by html/embed.sh. */'
echo '#include "src/page/html.h"'
echo 'static const unsigned char text[] = {'
od -An -v -tu1 "$made/page" | sed -e 's/  */,/g' -e 's/^,//' -e 's/$/,/'
echo '};'
echo "const struct html_template html_$name = { text, sizeof(text) };"
