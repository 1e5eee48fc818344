#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How long names take: 2000 addresses all over a large C++ program (symbols_unit.cc, 20 units of it, 80 MB by g++ -O2
# -g), with their inlined calls, by ompprof's own index and by other programs; the median of BENCH_TURNS (default 3)
# turns, in each of which every program has its turn (eu-addr2line one alone); times are of the CPU time. Beside the
# time, how many addresses llvm-symbolizer says the same of: functions, files and lines of the whole chain; also of a unit that clang++-19 compiled. Then the first and the second
# report of a profile of that program, and of the demo. `make bench-symbols` runs it in the build folder; the
# program is built there once.
set -u

turns=${BENCH_TURNS:-3}
here=$(pwd)
work=$here/bench/symbols.tmp
lookup=$here/tests/symbols/lookup
units=20
. "$srcdir/tests/symbols/compare.sh"
symbolizer=$(find_tool llvm-symbolizer-19 llvm-symbolizer)
addr2line=
mkdir -p "$work" || exit 1

# compile COMPILER UNIT OBJECT
compile() {
	"$1" -std=c++17 -O2 -g -DUNIT="$2" -c "$srcdir/bench/symbols_unit.cc" -o "$3"
}

# main_of N: a program's main that calls run_1 .. run_N.
main_of() {
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "double run_%d(int n);\n", i
		print "int main(int argc, char **argv)\n{\n\tdouble sum = 0;\n\t(void)argv;"
		for (i = 1; i <= n; i++)
			printf "\tsum += run_%d(argc);\n", i
		print "\treturn sum == 0;\n}"
	}'
}

# make_program COMPILER N PROGRAM: of N units, every other one the same: their names are local, so a linker leaves all.
make_program() {
	[ ! "$3" -nt "$srcdir/bench/symbols_unit.cc" ] || return 0
	compile "$1" 1 "$work/one.o" || return 1
	{ [ "$2" -eq 1 ] || compile "$1" 2 "$work/two.o"; } || return 1
	main_of "$2" >"$work/main.c"
	"${CC:-gcc}" -g -c "$work/main.c" -o "$work/main.o" || return 1
	i=1
	while [ $i -le "$2" ]; do
		from=$([ $((i % 2)) -eq 1 ] && echo one || echo two)
		objcopy --redefine-sym _Z3runi=run_$i "$work/$from.o" "$work/unit-$i.o" || return 1
		i=$((i + 1))
	done
	"$1" "$work/main.o" "$work"/unit-*.o -o "$3.new" && mv "$3.new" "$3"
	rm -f "$work"/*.o
}

# draw PROGRAM N: addresses of instructions, the same ones each time.
draw() {
	objdump -d --no-show-raw-insn -j .text "$1" | sed -n 's/^ *\([0-9a-f]*\):	.*/0x\1/p' |
		awk -v n="$2" 'BEGIN { srand(7) } { at[NR] = $0 }
			END { for (i = 0; i < n; i++) print at[int(rand() * NR) + 1] }'
}

# timed FILE COMMAND...: adds its wall time and its CPU time in ns to FILE.
timed() {
	file=$1
	shift
	"$here/bench/measure" "$@" 2>/dev/null | awk '{ print $1, $2 }' >>"$file"
}

# time_tool TOOL: of all the addresses.
time_tool() {
	case $1 in
	ompprof) set -- "$1" "$lookup" "$program" ;;
	llvm-symbolizer*) set -- "$1" "$1" --inlines --functions=linkage --no-demangle -e "$program" ;;
	*) set -- "$1" "$1" -aif -e "$program" ;;
	esac
	file=$work/ns-$1
	shift
	timed "$file" "$@" <"$work/addresses"
}

# median FILE COLUMN: in seconds.
median() {
	awk -v c="$2" '{ print $c }' "$1" | sort -n |
		awk '{ at[NR] = $1 } END { print (at[int((NR + 1) / 2)] + at[int(NR / 2) + 1]) / 2e9 }'
}

# agreement PROGRAM: sets $agreement to a percentage.
agreement() {
	agreement="no llvm-symbolizer"
	[ -n "$symbolizer" ] || return 0
	# What make_program has renamed has its old name in the debug information, which is what we show.
	reference "$1" <"$work/addresses" | sed 's/ run_[0-9]* / _Z3runi /' >"$work/theirs"
	ours "$1" <"$work/addresses" >"$work/ours"
	compare "$work/addresses" "$work/theirs" "$work/ours" >"$work/result"
	agreement=$(awk 'NR == 1 { printf "%.2f %% of %d", 100 * $1 / $2, $2 }' "$work/result")
	sed 1d "$work/result"
}

measure_lookups() {
	rm -f "$work"/ns-*
	turn=0
	while [ "$turn" -lt "$turns" ]; do
		for tool in $tools; do
			# It takes half a minute.
			[ "$tool:$turn" = eu-addr2line:0 ] || [ "$tool" != eu-addr2line ] || continue
			time_tool "$tool"
		done
		turn=$((turn + 1))
	done
	base=$(median "$work/ns-ompprof" 2)
	for tool in $tools; do
		echo "$(median "$work/ns-$tool" 1) $(median "$work/ns-$tool" 2)" |
			awk -v tool="$tool" -v base="$base" '
				{ printf "  %-24s %7.2f %7.2f %7.1f\n", tool, $1, $2, $2 / base }'
	done
}

# measure_reports NAME COMMAND...: of a run of it.
measure_reports() {
	name=$1
	shift
	rm -rf "$work/profile" "$work"/ns-*
	./ompprof run -q -F 5000 -o "$work/profile" -- "$@" >/dev/null 2>&1 || return 0
	turn=0
	while [ "$turn" -lt "$turns" ]; do
		rm -f "$work/profile/symbols.cache"
		timed "$work/ns-first" ./ompprof report -i "$work/profile" --tree
		timed "$work/ns-second" ./ompprof report -i "$work/profile" --tree
		turn=$((turn + 1))
	done
	echo "$(median "$work/ns-first" 1) $(median "$work/ns-second" 1)" | awk -v name="$name" '
		{ printf "  %-24s %7.0f %7.0f %7.1f\n", name, $1 * 1000, $2 * 1000, $1 / $2 }'
}

program=$work/program
if ! make_program "${CXX:-g++}" $units "$program" 2>"$work/log"; then
	echo "symbols: cannot build the program: $(head -n 1 "$work/log")"
	exit 0
fi
draw "$program" 2000 >"$work/addresses"
tools=ompprof
for tool in ${BENCH_TOOLS:-llvm-symbolizer-19 addr2line eu-addr2line}; do
	if command -v $tool >/dev/null; then
		tools="$tools $tool"
	else
		echo "symbols: left out, as it is not installed: $tool"
	fi
done
echo "2000 addresses of $(($(wc -c <"$program") / 1000000)) MB     wall s   CPU s   times"
measure_lookups
agreement "$program"
echo "  the same as llvm-symbolizer: $agreement, g++"
if command -v clang++-19 >/dev/null && make_program clang++-19 1 "$work/clang" 2>"$work/log"; then
	draw "$work/clang" 2000 >"$work/addresses"
	agreement "$work/clang"
	echo "  the same as llvm-symbolizer: $agreement, clang++-19"
else
	echo "  left out: a program by clang++-19"
fi
echo "report --tree                first ms  second   times"
measure_reports "this program" "$program" 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
measure_reports "the demo" demo/ljmd
