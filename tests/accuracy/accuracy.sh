# SPDX-License-Identifier: Apache-2.0
# Runs programs that know the truth under the profiler, and compares: `. "$srcdir/tests/accuracy/accuracy.sh"`
# after live.sh. What is allowed:
class_least=95     # percent of thread time in the right class
wait_error=3       # percent that measured waiting may differ from the truth
wait_slack=0.0005  # seconds, likewise
other_slack=0.01   # seconds, for waits of other kinds
blame_error=5      # points that a cause's share of the blame may differ
innocent_most=2    # percent of the blame for a thread that delays nobody
settled_error=0.1  # percent that blame and unblamed may differ from the waiting

matrix_file=$srcdir/tests/accuracy/matrix.txt
accuracy_options="-q"

# NAME, the kind of its waits, and for gcc's programs the kind that stands for all barriers in a region.
accuracy_constructs='closing	closing barrier	barrier
barrier	barrier	barrier
for	workshare barrier	workshare barrier
sections	workshare barrier	workshare barrier
single	workshare barrier	workshare barrier
workshare	workshare barrier	workshare barrier
taskwait	taskwait	barrier
taskgroup	taskgroup	barrier
tasks	barrier	barrier
lock	lock	barrier
nest_lock	nest_lock	barrier
test_lock	lock	barrier
test_nest_lock	nest_lock	barrier
critical	critical	barrier
ordered	ordered	barrier
doacross	ordered	barrier
atomic	atomic	barrier
reduction	reduction	reduction
tree	barrier	barrier
idle	idle	barrier'
accuracy_blames="barrier phases bystander lock critical taskwait tasks_wait nested serial"

# accuracy_has CONSTRUCT: whether the compiler of the row that is set leaves it to the runtime.
accuracy_has() {
	case $1:$row_cc in
	atomic:clang*) return 1 ;;           # no call for a long double
	reduction:gcc | tree:gcc) return 1 ;; # atomics
	workshare:clang*) return 1 ;;        # Fortran
	workshare:gcc) command -v gfortran >/dev/null ;;
	esac
}

# accuracy_add_workshare ROW: adds the Fortran part of constructs.c to the row's flags.
# shellcheck disable=SC2086
accuracy_add_workshare() {
	accuracy_object=$builddir/tests/accuracy/$1/workshare.o
	if [ ! "$accuracy_object" -nt "$srcdir/tests/accuracy/workshare.f90" ]; then
		mkdir -p "${accuracy_object%/*}" &&
			gfortran $row_flags -J "${accuracy_object%/*}" -c -o "$accuracy_object" \
				"$srcdir/tests/accuracy/workshare.f90" >&2 || return 1
	fi
	row_flags="$row_flags -DWITH_WORKSHARE"
	row_link="$accuracy_object $row_link"
}

# accuracy_build PROGRAM ROW: sets the row, as matrix_row does, and $accuracy_executable.
accuracy_build() {
	accuracy_executable=$builddir/tests/accuracy/$2/$1
	matrix_row "$2" || { echo "$row_reason" >&2; return 1; }
	if [ "$1:$row_cc" = constructs:gcc ] && command -v gfortran >/dev/null; then
		accuracy_add_workshare "$2" || return 1
	fi
	matrix_compile "$srcdir/tests/accuracy/$1.c" "$accuracy_executable"
}

# accuracy_profile PROGRAM ROW WAITING NAME FACTOR: WAITING is the environment's word on how threads wait.
# Leaves truth and json in $live_folder; returns 1 with the reason there in messages.
# shellcheck disable=SC2086
accuracy_profile() {
	accuracy_also=OMP_NUM_THREADS=2
	[ "$4" != tree ] || accuracy_also=KMP_FORCE_REDUCTION=tree
	accuracy_build "$1" "$2" 2>"$live_folder/messages" || return 1
	rm -rf "$live_folder/out"
	env LD_LIBRARY_PATH="$row_lib" "$accuracy_also" "$3" "$ompprof" run $accuracy_options \
		-o "$live_folder/out" -- "$accuracy_executable" "$4" "$5" \
		>"$live_folder/truth" 2>"$live_folder/messages" &&
		"$ompprof" report -i "$live_folder/out" --format json \
			>"$live_folder/json" 2>>"$live_folder/messages"
}

# accuracy_judge ANY: what judge.jq finds, in $live_folder/found.
accuracy_judge() {
	jq -r --slurpfile truth "$live_folder/truth" --arg any "$1" \
		-f "$srcdir/tests/accuracy/judge.jq" "$live_folder/json" \
		>"$live_folder/found" 2>>"$live_folder/messages"
}

# accuracy_waits KIND: from $live_folder/found, a line
# "VERDICT TRUTH_S FOUND_S ERROR_PERCENT CLASS_PERCENT UNSETTLED_PERCENT", the verdict PASS or FAIL.
accuracy_waits() {
	awk -F '\t' -v kind="$1" -v class_least=$class_least -v wait_error=$wait_error \
		-v slack=$wait_slack -v other=$other_slack -v delay_error=${delay_error:-0} -v settled_error=$settled_error '
		function distance(a, b) { return a > b ? a - b : b - a }
		$1 == "wait" && $2 == kind { truth = $3; found = $4 }
		# Of the other kinds there is little, and a thread that loses its CPU between its own mark and
		# the event costs milliseconds. How long threads are idle before their first region, the
		# program does not know.
		$1 == "wait" && ($2 != "idle" || kind == "idle") { off[$2] = distance($3, $4) - wait_error / 100 * $3 }
		$1 == "class" { class = $2 }
		$1 == "unsettled" { unsettled = $2 }
		$1 == "sum" { sum = $2 }
		$1 == "delayed" { delayed = $2 }
		END {
			slack += delay_error / 100 * delayed
			for (of in off) if (off[of] > (of == kind ? slack : other))
				bad = bad ";" of
			if (class < class_least)
				bad = bad ";class"
			if (unsettled > settled_error || sum > settled_error)
				bad = bad ";sums"
			# On a busy machine a thread that waits busily can be without a CPU all the time.
			if (truth + delayed < 0.05)
				bad = bad ";no waits"
			printf "%s\t%.4f\t%.4f\t%+.2f\t%.2f\t%.3f\n", (bad ? "FAIL" bad : "PASS"), truth,
				found, (truth > 0 ? 100 * (found - truth) / truth : 0), class,
				(unsettled > sum ? unsettled : sum)
		}' "$live_folder/found"
}

# accuracy_causes: from $live_folder/found, for each planted cause and each thread of each kind of wait
# "VERDICT KIND CAUSE TRUTH_PERCENT FOUND_PERCENT".
accuracy_causes() {
	awk -F '\t' -v error=$blame_error -v most=$innocent_most -v settled_error=$settled_error '
		function distance(a, b) { return a > b ? a - b : b - a }
		function put(is_good, kind, cause, truth, found) {
			printf "%s\t%s\t%s\t%.1f\t%.1f\n", (is_good ? "PASS" : "FAIL"), kind, cause,
				truth, found
			n++
		}
		$1 == "cause" { put(distance($4, $5) <= error, $2, $3, $4, $5) }
		# Of the time for which nobody had a CPU, the report may blame those who had one otherwise.
		$1 == "blamed" { put($4 >= $3 - error && $4 < 100.1, $2, "all blamed", $3, $4) }
		$1 == "thread" && $4 < 0.5 { put($5 < most, $2, "innocent thread", $4, $5) }
		$1 == "unsettled" && $2 > settled_error { put(0, "any", "sums", 0, $2) }
		# On a busy machine threads can wait for a CPU instead of each other, and waits are short.
		$1 == "delayed" && (delayed = $2) > 0.5 { error += 10; most += 3 }
		END { if (!n) put(delayed > 0.5, "any", "no cause is known", 0, 0) }' "$live_folder/found"
}
