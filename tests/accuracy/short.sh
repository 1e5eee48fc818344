#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The short version of `make accuracy`: each construct once, on a runtime and with a way of waiting that
# take turns, and each case of blame once. Then spoilt reports, each of which must be found wrong.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/accuracy/accuracy.sh"
live_need jq

# Other tests run at the same time: a thread that loses its CPU at the wrong moment costs milliseconds.
wait_slack=${OMPPROF_TEST_STALL:-0.004}
other_slack=${OMPPROF_TEST_STALL:-0.01}
# Which part of the time without a CPU was in a wait is known from events and samples, not from the kernel. A loop of
# tests of a lock has no events.
delay_error_most=5
sampled_delay_error=10
# The time before the second try is no wait, and a longer pause between two tries is none.
usual_wait_error=$wait_error
tried_wait_error=8

# next_turn: the next of the runtimes and ways of waiting, as $row and $setting.
n_turns=0
next_turn() {
	n_turns=$((n_turns + 1))
	case $((n_turns % 4)) in
	0) row=libomp14-gcc ;;
	1) row=libomp19-clang ;;
	2) row=libomp14-clang ;;
	3) row=libomp19-gcc ;;
	esac
	case $((n_turns % 5)) in
	0) setting=KMP_BLOCKTIME=infinite ;;
	1) setting=KMP_BLOCKTIME=0 ;;
	2) setting=KMP_BLOCKTIME=200 ;;
	3) setting=OMP_WAIT_POLICY=active ;;
	4) setting=OMP_WAIT_POLICY=passive ;;
	esac
}

# run_turn PROGRAM NAME ANY: leaves what is found, on the next runtime that has the construct.
run_turn() {
	[ "$try" -gt 1 ] || next_turn
	# An emulated processor takes longer for each try than a thread may that tests a lock in a loop.
	case $2 in test_*) ! live_is_emulated || return 2 ;; esac
	for _ in 1 2 3; do
		matrix_row "$row" && accuracy_has "$2" && break
		next_turn
	done
	matrix_row "$row" && accuracy_has "$2" || return 2
	any=$3
	case $1:$row_cc:$2 in
	blame:* | *:gcc:* | *:tree | *:reduction) ;;
	*) any= ;;
	esac
	accuracy_profile "$1" "$row" "$setting" "$2" "${OMPPROF_TEST_WORK:-1}" && accuracy_judge "$any"
}

judge_construct() { # judge_construct NAME KIND ANY
	for try in 1 2 3; do
		status=0
		run_turn constructs "$1" "$3" || status=$?
		[ $status -eq 0 ] || break
		case $1 in
		test_*) delay_error=$sampled_delay_error wait_error=$tried_wait_error ;;
		*) delay_error=$delay_error_most wait_error=$usual_wait_error ;;
		esac
		line=$(accuracy_waits "$2")
		[ "${line#PASS}" = "$line" ] || break
	done
	[ $status -ne 2 ] || { skip "$1" "no compiler or processor for it"; return; }
	[ $status -eq 0 ] || { not_ok "$1, $row: runs" "$(cat "$live_folder/messages")"; return; }
	figures="$1, $row, $setting: $(echo "$line" | cut -f 2) s waited, $(echo "$line" | cut -f 3) s found"
	case $line in
	PASS*) ok "$figures" ;;
	*) not_ok "$figures" "$line
$(cat "$live_folder/found" "$live_folder/truth")" ;;
	esac
}

# judge_blame NAME: again if it fails, as a machine can be too busy; what is wrong fails each time.
judge_blame() {
	for try in 1 2 3; do
		status=0
		run_turn blame "$1" barrier || status=$?
		[ $status -eq 0 ] || break
		accuracy_causes >"$live_folder/lines"
		grep -q '^FAIL' "$live_folder/lines" || break
	done
	[ $status -ne 2 ] || { skip "blame $1" "no compiler for it"; return; }
	[ $status -eq 0 ] || { not_ok "blame $1, $row: runs" "$(cat "$live_folder/messages")"; return; }
	if grep -q '^FAIL' "$live_folder/lines"; then
		not_ok "blame $1, $row, $setting" "$(cat "$live_folder/lines" "$live_folder/truth")"
	else
		ok "blame $1, $row, $setting"
		! grep -q "first_kernel" "$live_folder/lines" ||
			cp "$live_folder/json" "$live_folder/truth" "$live_folder/judged"
	fi
}

# finds WHAT FILTER JUDGE...: the last report, spoilt by the filter of jq, fails.
finds() {
	tap_what=$1
	cp "$live_folder/json" "$live_folder/json.right"
	jq "$2" "$live_folder/json.right" >"$live_folder/json"
	shift 2
	if accuracy_judge barrier && "$@" | grep -q '^FAIL'; then
		ok "is found wrong: $tap_what"
	else
		not_ok "is found wrong: $tap_what" "$(cat "$live_folder/messages" "$live_folder/found")"
	fi
	cp "$live_folder/json.right" "$live_folder/json"
}

echo "$accuracy_constructs" >"$live_folder/constructs"
while IFS='	' read -r name kind any; do
	judge_construct "$name" "$kind" "$any"
done <"$live_folder/constructs"
idle=$(awk -F '\t' '$1 == "wait" && $2 == "idle" { print $3 }' "$live_folder/found")
if ! at_least "${idle:-0}" 0.05; then
	skip "spoilt reports" "the last threads waited for ${idle:-0} s only: they had no CPU"
else
	finds "waits that are too long" '.waits[].wait_s *= 1.2' accuracy_waits idle
	finds "waits of another kind" '.waits[].kind = "critical"' accuracy_waits idle
	finds "waits that are missing" '.waits = []' accuracy_waits idle
	finds "waits that count as work" '.threads[] |= (.useful_s += .idle_s | .idle_s = 0)' \
		accuracy_waits idle
fi

accuracy_options="-q $(live_fast)"
# Short runs, beside other tests: what samples tell errs by more than in the published table.
blame_error=10
mkdir -p "$live_folder/judged"
for name in $accuracy_blames; do
	judge_blame "$name"
done
# On a busy machine the last report can have too few waits to be judged.
if [ -s "$live_folder/judged/json" ]; then
	cp "$live_folder/judged/json" "$live_folder/judged/truth" "$live_folder"
	finds "blame of another function" \
		'.waits[].causes[] |= if .name == "first_kernel" then .name = "second_kernel" | .node = null
			else . end' \
		accuracy_causes
	finds "blame of another thread" '.waits[].causes[].thread |= if . == 1 then 2 else . end' \
		accuracy_causes
	finds "blame that is lost" '.waits[].causes[].blame_s *= 0.9' accuracy_causes
fi
plan
