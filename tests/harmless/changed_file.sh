# SPDX-License-Identifier: Apache-2.0
# Somebody does something to the profile's file while the program runs: the program is as alone, but for a file that is
# made shorter, which ends it by SIGBUS, as the manual says.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
hog=$(matrix_build hog.c "$row") || broken "cannot build hog.c"
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2
ulimit -c 0

# end_of WORDS...: how the program ends, in which this command gets the file's name as soon as there is a profile.
end_of() {
	rm -rf "$live_folder/out"
	"$ompprof" run -q -o "$live_folder/out" -- "$hog" 1 >"$live_folder/said" 2>"$live_folder/messages" &
	run=$!
	file=
	while kill -0 $run 2>/dev/null && [ -z "$file" ]; do
		file=$(find "$live_folder/out" -name '*.ompprof' -size +8k 2>/dev/null)
		sleep 0.02
	done
	"$@" "$file" || broken "'$*' fails"
	status=0
	{ wait $run || status=$?; } 2>/dev/null
	echo "$status $(sed 's/[0-9.]* CPU/N CPU/' "$live_folder/said")"
}

move() {
	mv "$1" "$1.moved"
}

replace() {
	rm "$1" && mkfifo "$1"
}

alone="0 hog: 2 threads, N CPU seconds"
is "it is removed" "$(end_of rm)" "$alone"
is "it gets another name" "$(end_of move)" "$alone"
is "it may not be read or written" "$(end_of chmod 000)" "$alone"
is "it is replaced by a pipe" "$(end_of replace)" "$alone"
is "it gets longer" "$(end_of truncate -s 3M)" "$alone"
is "it is emptied" "$(end_of truncate -s 0)" "135 "
is "it gets shorter" "$(end_of truncate -s 5000)" "135 "
plan
