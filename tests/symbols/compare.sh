# SPDX-License-Identifier: Apache-2.0
# Functions that compare what src/symbols/symbols.h says of addresses with what another program says of them: sourced by
# agreement.sh and bench/symbols.sh. They need $symbolizer, $addr2line (either may be empty), $lookup and $work.
# One line for an address: FUNCTION FILE:LINE FUNCTION FILE:LINE ..., innermost first.
# shellcheck disable=SC2154

find_tool()
{
	for tool in "$@"; do
		command -v "$tool" 2>/dev/null && return
	done
}

# reference PROGRAM < ADDRESSES
reference()
{
	if test -n "$symbolizer"; then
		"$symbolizer" --inlines --functions=linkage --no-demangle -e "$1" |
			awk 'NF == 0 { print line; line = ""; i = 0; next }
				i++ % 2 { sub(/:[0-9]+$/, "") }
				{ gsub(/ /, ""); line = line " " $0 }'
	else
		"$addr2line" -aif -e "$1" |
			awk '/^0x/ { if (NR > 1) print line; line = ""; next }
				{ sub(/ \(discriminator.*/, ""); sub(/:\?$/, ":0")
				gsub(/ /, ""); line = line " " $0 }
				END { print line }'
	fi
}

# ours PROGRAM < ADDRESSES
ours()
{
	"$lookup" "$1" 2>"$work/problems" |
		awk 'NF == 0 { print line; line = ""; next } { gsub(/ /, ""); line = line " " $0 }'
}

# compare ADDRESSES THEIRS OURS: prints "EQUAL TOTAL LINE0", then at most three differing addresses.
compare()
{
	paste -d'\n' "$1" "$2" "$3" | awk '
		function plain(name) {
			sub(/\.(cold|part|isra|constprop).*/, "", name)
			gsub(/[CD][0-4]I?E/, "CDE", name)
			return name ~ /^0x/ ? "??" : name
		}
		NR % 3 == 1 { addr = $0; next }
		NR % 3 == 2 { n_theirs = split($0, theirs); next }
		{
			n_ours = split($0, mine)
			same = n_ours == n_theirs
			is_zero = 0
			for (i = 1; same && i <= n_ours; i++)
				if (i % 2)
					same = plain(mine[i]) == plain(theirs[i])
				else if (theirs[i] ~ /:0$/)
					is_zero = 1
				else
					same = mine[i] == theirs[i]
			equal += same
			zero += same && is_zero
			total++
			if (!same && shown++ < 3) {
				differing = differing "# " addr " ours: " $0 "\n# " addr " theirs:"
				for (i = 1; i <= n_theirs; i++)
					differing = differing " " theirs[i]
				differing = differing "\n"
			}
		}
		END { printf "%d %d %d\n%s", equal, total, zero, differing }'
}
