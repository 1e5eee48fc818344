#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes one page of page.html, the style sheets and the scripts, and C of that: embed.sh FOLDER SCRIPT... >page.c
# The policy in the page names the hashes of the one style and the one script, so nothing else can run.
set -eu
LC_ALL=C
export LC_ALL
folder=$1
shift
made=$(mktemp -d "${TMPDIR:-/tmp}/ompprof-embed.XXXXXX")
trap 'rm -rf "$made"' EXIT

# What is between the tags, each ending in one line break. Comments are no part of the page.
{
	echo "'use strict';"
	echo '(function () {'
	for script; do
		sed -e 1d "$folder/$script"
	done
	echo '}());'
} >"$made/script"
sed -e 1d "$folder/style.css" >"$made/style"

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
echo 'const unsigned char html_page[] = {'
od -An -v -tu1 "$made/page" | sed -e 's/  */,/g' -e 's/^,//' -e 's/$/,/'
echo '};'
echo 'const size_t html_page_bytes = sizeof(html_page);'
