#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/tutorial.md with new outputs, or as a manual page; on standard output.
#
#   docs/tutorial.sh renew   in a build folder with the demo: runs the commands anew
#   docs/tutorial.sh man     makes man/ompprof-tutorial.7
#
# A block of the page is a command behind "$ ", and its output.
set -eu
page=$(dirname "$0")/tutorial.md

renew() {
	PATH=$PWD:$PATH COLUMNS=80
	export PATH COLUMNS
	awk '/^```$/ { is_block = !is_block; print; next }
		is_block && /^\$ / {
			print
			fflush()
			system(substr($0, 3) " 2>/dev/null")
			next
		}
		!is_block' "$page" | sed 's|/[^ ]*/demo/ljmd|demo/ljmd|g'
}

# Roff: no line begins with a dot or an apostrophe.
man() {
	cat <<'END'
.\" SPDX-License-Identifier: Apache-2.0
.\" Made of docs/tutorial.md by docs/tutorial.sh: change that page.
.Dd November 27, 2026
.Dt OMPPROF-TUTORIAL 7
.Os
.Sh NAME
.Nm ompprof-tutorial
.Nd from the first screen to the mended program
.Sh DESCRIPTION
END
	awk 'function text(line) {
			gsub(/\\/, "\\e", line)
			return line
		}
		function end_list() {
			if (in_list) print in_list
			in_list = ""
		}
		/^# / { next }
		/^```$/ {
			end_list()
			print is_block ? ".Ed" : ".Bd -literal -compact"
			is_block = !is_block
			next
		}
		is_block { print ($0 == "" ? "" : "\\&" text($0)); next }
		/^## / { end_list(); print ".Sh " toupper(substr($0, 4)); next }
		/^$/ { is_gap = 1; next }
		/^- / {
			if (!in_list) print ".Bl -bullet -compact"
			in_list = ".El"
			print ".It"
			$0 = substr($0, 3)
			is_gap = 0
		}
		/^\|/ {
			if (/^\|--/ || /you want to know/) next
			split($0, cell, / *\| */)
			if (!in_list) print ".Bl -tag -width Ds -compact"
			in_list = ".El"
			gsub(/`/, "", cell[3])
			print ".It " text(cell[2]) "\n\\&" text(cell[3])
			is_gap = 0
			next
		}
		{
			if (is_gap) { end_list(); print ".Pp" }
			is_gap = 0
			sub(/^ */, "")
			gsub(/`/, "")
			print "\\&" text($0)
		}
		END { end_list(); print ".Sh SEE ALSO\n.Xr ompprof 1 ,\n.Xr ompprof-report 1 ,\n.Xr ompprof-why 1" }' "$page"
}

case ${1-} in
renew | man) "$1" ;;
*) echo "usage: docs/tutorial.sh renew|man" >&2; exit 2 ;;
esac
