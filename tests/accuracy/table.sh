#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make accuracy: for each construct, runtime, compiler and way of waiting how far what is measured is from
# the truth, and for each planted cause its share of the blame. Ends with status 1 if a row fails.
#
#   table.sh [constructs | blame]    with OMPPROF_ACCURACY_ROWS, the rows of matrix.txt, and
#                                    OMPPROF_ACCURACY_WAITING, the settings, to try some alone
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/accuracy/accuracy.sh"
live_need jq

rows=${OMPPROF_ACCURACY_ROWS:-$(matrix_rows)}
waiting=${OMPPROF_ACCURACY_WAITING:-KMP_BLOCKTIME=0 KMP_BLOCKTIME=200 KMP_BLOCKTIME=infinite}
policies=${OMPPROF_ACCURACY_WAITING-OMP_WAIT_POLICY=active OMP_WAIT_POLICY=passive}
policy_rows="libomp14-clang libomp19-clang" # that are measured with these, too
n_rows=0
n_failed=0

count() { # count VERDICT
	n_rows=$((n_rows + 1))
	case $1 in
	PASS) ;;
	*) n_failed=$((n_failed + 1)) ;;
	esac
}

broken_row() { # broken_row NAME...: what could not be run
	count FAIL
	printf '%-10s %-15s %-9s FAIL: %s\n' "$1" "$2" "${3#*=}" \
		"$(head -n 3 "$live_folder/messages" | tr '\n' ' ')"
}

construct_row() { # construct_row NAME KIND ANY ROW WAITING
	any=
	case $row_cc:$1 in
	gcc:* | *:tree | *:reduction) any=$3 ;;
	esac
	if ! accuracy_profile constructs "$4" "$5" "$1" 1 || ! accuracy_judge "$any"; then
		broken_row "$1" "$4" "$5"
		return
	fi
	accuracy_waits "$2" >"$live_folder/line"
	IFS='	' read -r verdict truth found error class unsettled <"$live_folder/line"
	count "$verdict"
	printf '%-10s %-15s %-9s %9s %9s %+8.2f %8s %8s  %s\n' "$1" "$4" "${5#*=}" \
		"$truth" "$found" "$error" "$class" "$unsettled" "$verdict"
}

blame_rows() { # blame_rows NAME ROW WAITING
	if ! accuracy_profile blame "$2" "$3" "$1" 1 || ! accuracy_judge barrier; then
		broken_row "$1" "$2" "$3"
		return
	fi
	accuracy_causes >"$live_folder/lines"
	while IFS='	' read -r verdict kind cause truth found; do
		count "$verdict"
		printf '%-10s %-15s %-9s %-17s %-17s %7s %7s  %s\n' "$1" "$2" \
			"${3#*=}" "$kind" "$cause" "$truth" "$found" "$verdict"
	done <"$live_folder/lines"
	! grep -q ^FAIL "$live_folder/lines" ||
		awk -F '\t' '$1 == "found" && $4 >= 2 { printf "%38s%-17s %-25s %7.1f\n", "", $2, $3, $4 }' \
			"$live_folder/found"
}

# settings: the ways of waiting that the row which is set is measured with.
settings() {
	if [ "$row_runtime" = gcc ]; then
		echo "OMP_WAIT_POLICY=active OMP_WAIT_POLICY=passive WAITING=default"
		return
	fi
	echo "$waiting"
	case " $policy_rows " in
	*" $row "*) echo "$policies" ;;
	esac
}

each_row() { # each_row COMMAND: for each row that can be built here and way of waiting
	for row in $rows; do
		if ! matrix_row "$row"; then
			echo "$row: left out: $row_reason"
			continue
		fi
		for setting in $(settings); do
			"$1"
		done
	done
}

construct_rows() {
	echo "$accuracy_constructs" >"$live_folder/constructs"
	while IFS='	' read -r name kind any; do
		! accuracy_has "$name" || construct_row "$name" "$kind" "$any" "$row" "$setting"
	done <"$live_folder/constructs"
}

all_blames() {
	for name in $accuracy_blames; do
		blame_rows "$name" "$row" "$setting"
	done
}

if [ "${1-constructs}" = constructs ]; then
	printf '%-10s %-15s %-9s %9s %9s %8s %8s %8s\n' construct runtime waiting "truth s" \
		"found s" "error %" "class %" "sums %"
	each_row construct_rows
fi
if [ "${1-blame}" = blame ]; then
	# Its shares need samples: more than the default's 100 in a second.
	accuracy_options="-q $(live_fast)"
	printf '\n%-10s %-15s %-9s %-17s %-17s %7s %7s\n' blame runtime waiting wait cause \
		"truth %" "found %"
	each_row all_blames
fi
echo
echo "accuracy: $n_rows rows, $n_failed failed"
[ "$n_failed" -eq 0 ]
