#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What other tools read in an export, compared with what the report has. That the figures of each format add up is
# totals.sh's.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/export/export.sh"

has jq || skip_all "jq is not installed"
scene cg waits faults hostile long empty events unblamed target killed timed
scene_job
# Debian has flamegraph.pl beside a profiler of Perl's.
PATH=$PATH:/usr/share/perl5/Devel/NYTProf
cd "$scratch" || broken "cannot enter the scratch folder"

# node_ns PROFILE NAME-REGEX: thread time of the nodes of that name themselves, in ns.
node_ns() {
	"$ompprof" report --format json -i "$1" | jq --arg name "$2" '[.nodes[] | select(.name | test($name))
		| .work_s + .overhead_s + ([.wait | to_entries[] | select(.key != "reduction").value] | add // 0)]
		| add * 1e9 | round'
}

# --- callgrind_annotate
# annotated NAME OPTION...: the first figure of the line of that function.
annotated() {
	name=$1
	shift
	callgrind_annotate --threshold=100 --show=time --sort=time "$@" file | tr -d , |
		awk -v name="$name" 'index($0, name) && $1 ~ /^[0-9]+$/ { sum += $1 } END { printf "%.0f\n", sum }'
}
if has callgrind_annotate; then
	for name in cg waits faults hostile long empty events; do
		check "callgrind_annotate reads $name" sh -c '"$1" export -q --format callgrind -o file -i "$2" &&
			callgrind_annotate --tree=both --inclusive=yes file >out 2>err && ! [ -s err ] &&
			! grep -q malformed out' - "$ompprof" "$name.ompprof"
	done
	export_to callgrind file waits.ompprof
	is "callgrind_annotate: all" "$(annotated 'PROGRAM TOTALS')" "$(node_ns waits.ompprof .)"
	is "... waits for barriers" "$(annotated '[barrier wait]')" "$(node_ns waits.ompprof 'barrier wait')"
	is "... all below the root" "$(annotated ':all [' --inclusive=yes)" "$(node_ns waits.ompprof .)"
else
	skip "callgrind_annotate" "valgrind is not installed"
fi

# --- go tool pprof
if has go && has protoc; then
	for name in cg waits faults hostile long empty events; do
		check "protoc reads $name" sh -c '"$1" export -q --format pprof -o file -i "$2" && gzip -dc file |
			protoc --decode_raw >out && [ -s out ]' - "$ompprof" "$name.ompprof"
	done
	for name in cg waits faults hostile long events; do
		check "go tool pprof reads $name" sh -c '"$1" export -q --format pprof -o file -i "$2" &&
			go tool pprof -raw file >out 2>err && grep -q "^Locations" out' - "$ompprof" "$name.ompprof"
	done
	# pprof_sum FILE OPTION...: what is shown of the profile in all.
	pprof_sum() {
		file=$1
		shift
		go tool pprof -top -unit=ns -nodecount=1000 -nodefraction=0 "$@" "$file" 2>/dev/null |
			sed -n 's/^Showing nodes accounting for \([0-9]*\).*/\1/p'
	}
	export_to pprof file waits.ompprof
	is "go tool pprof: all" "$(pprof_sum file)" "$(node_ns waits.ompprof .)"
	is "... waits for barriers" "$(pprof_sum file -tagfocus=state=barrier)" \
		"$(node_ns waits.ompprof 'barrier wait')"
	is "... waits" "$(pprof_sum file -sample_index=wait)" "$("$ompprof" report --format json \
		-i waits.ompprof | jq '[.nodes[].wait | to_entries[] | select(.key != "reduction").value] |
		add * 1e9 | round')"
	"$ompprof" report --format json -i waits.ompprof --thread 1 >thread
	is "... a thread" "$(pprof_sum file -tagfocus=thread=^1$)" "$(jq '[.nodes[] | .work_s + .overhead_s +
		([.wait | to_entries[] | select(.key != "reduction").value] | add // 0)] | add * 1e9 | round' thread)"
	head -c 200 file >part
	check "... a file that is cut short is refused" sh -c '! go tool pprof -raw part >/dev/null 2>&1'
else
	skip "go tool pprof" "go or protoc is not installed"
fi

# --- flamegraph.pl
if has flamegraph.pl && has xmllint; then
	for name in cg waits faults hostile long; do
		check "flamegraph.pl reads $name" sh -c '"$1" export -q --format folded -o file -i "$2" &&
			flamegraph.pl --countname=ns file >out 2>err && ! [ -s err ] && xmllint --noout out' - \
			"$ompprof" "$name.ompprof"
	done
	export_to folded file waits.ompprof
	is "flamegraph.pl: all" "$(flamegraph.pl --countname=ns file | tr -d , |
		sed -n 's/.*<title>all (\([0-9]*\) ns.*/\1/p')" "$(node_ns waits.ompprof .)"
else
	skip "flamegraph.pl" "flamegraph.pl or xmllint is not installed"
fi

# --- sqlite3
# query N FILE: the result of the N-th example of the man page.
query() {
	awk -v n="$1" '/^\.Ed/ { on = 0 } on { print } /^\.Bd -literal/ { on = ++seen == n }' \
		"$srcdir/man/ompprof-export.1" | sqlite3 -bail -separator '	' "$2"
}
# inclusive: of folded stacks, the name of each frame and the sum of the stacks that it is in.
inclusive() {
	awk '{ value = $NF; sub(/ [0-9]+$/, ""); all += value; delete seen
		n = split($0, frame, ";")
		for (i = 1; i <= n; i++)
			if (!seen[frame[i]]++)
				sum[frame[i]] += value
	} END { printf "all\t%.0f\n", all; for (name in sum) printf "%s\t%.0f\n", name, sum[name] }' "$1" |
		LC_ALL=C sort
}
if [ ! "$has_sqlite" ]; then
	skip "sqlite3" "ompprof was built without libsqlite3"
elif has sqlite3; then
	for name in cg waits faults hostile long empty events; do
		check "sqlite3 reads $name" sh -c '"$1" export -q --format sqlite -o file -i "$2" &&
			[ "$(sqlite3 -bail file "PRAGMA integrity_check")" = ok ]' - "$ompprof" "$name.ompprof"
	done
	for name in cg waits faults; do
		export_to sqlite file $name.ompprof
		"$ompprof" report --format json -i $name.ompprof >json
		is "sqlite3: $name: waits by state" "$(query 1 file | awk -F '\t' '{ sum[$2] += $3 }
			END { for (state in sum) printf "%s %.0f\n", state, sum[state] }' | sort)" \
			"$(jq -r '[.nodes[].wait | to_entries[] | select(.key != "reduction" and .value > 0)] |
			group_by(.key)[] | "\(.[0].key) \([.[].value] | add * 1e9 | round)"' json | sort)"
		export_to folded folded $name.ompprof
		is "... functions with what they call" "$(query 3 file | LC_ALL=C sort)" "$(inclusive folded)"
		is "... regions" "$(sqlite3 file 'SELECT executions, max_team FROM region ORDER BY 1, 2')" \
			"$(jq -r '.regions[] | "\(.executions)|\(.threads_max)"' json | sort -n)"
		is "... each region has its nodes" "$(sqlite3 file 'SELECT count(*), count(DISTINCT region.id) FROM region
			JOIN node ON place = region.id')" "$(sqlite3 file "SELECT (SELECT count(*) FROM node WHERE
			kind = 'region'), count(*) FROM region")"
		is "... and those have its name" "$(sqlite3 file "SELECT count(*) FROM region JOIN node ON place = region.id
			WHERE substr(node.name, -8) <> substr(region.name, -8) OR kind <> 'region'")" 0
		is "... with what is in them" "$(query 2 file | awk -F '\t' '{ sum += $3 } END { printf "%.0f\n", sum }')" \
			"$(sqlite3 file "SELECT sum(amount) FROM value JOIN node ON node.id = node WHERE metric = 'time' AND
			region IS NOT NULL")"
	done
	# cg has no waits: they were not measured.
	for name in cg waits unblamed target; do
		export_to sqlite file $name.ompprof
		"$ompprof" report --format json -i $name.ompprof >json
		is "sqlite3: $name: waits by place" "$(sqlite3 file 'SELECT kind, file, line, waits, wait_ns, unblamed_ns
			FROM wait' | sort)" "$(jq -r '.waits[] | "\(.kind)|\(.file)|\(.line)|\(.waits)|\(
			.wait_s * 1e9 | round)|\(.unblamed_s * 1e9 | round)"' json | sort)"
		is "... are there but for cg" "$(sqlite3 file 'SELECT count(*) > 0 FROM wait')" \
			"$([ $name = cg ] && echo 0 || echo 1)"
	done
	export_to sqlite file waits.ompprof
	is "sqlite3: a thread" "$(sqlite3 file 'SELECT sum(amount) FROM value JOIN thread ON thread.id = thread
		WHERE number = 1 AND metric = "time"')" "$("$ompprof" report --format json -i waits.ompprof --thread 1 |
		jq '[.nodes[] | .work_s + .overhead_s + ([.wait | to_entries[] | select(.key != "reduction").value] |
		add // 0)] | add * 1e9 | round')"
	# is_filtered WANTED PROFILE OPTION...
	is_filtered() {
		wanted=$1 profile=$2
		shift 2
		export_to sqlite file "$profile" "$@"
		is "sqlite3: whether something was left out by '$*'" \
			"$(sqlite3 file "SELECT value FROM run WHERE key = 'filtered'")" "$wanted"
	}
	is_filtered 0 job
	is_filtered 1 job --thread 1
	is_filtered 1 job --rank 1
	is_filtered 1 job --process 4709
	is_filtered 1 timed.ompprof --time ..5ms
	export_to sqlite file waits.ompprof
	head -c 6000 file >part
	check "... a file that is cut short is refused" sh -c '! sqlite3 -bail part "PRAGMA integrity_check" 2>err |
		grep -qx ok'
else
	skip "sqlite3" "sqlite3 is not installed"
fi

# --- xmllint
if has xmllint; then
	for name in cg waits faults hostile long empty events; do
		check "xmllint reads the flame graph of $name" sh -c '"$1" export -q --format svg -o file -i "$2" &&
			xmllint --noout file 2>err && ! [ -s err ]' - "$ompprof" "$name.ompprof"
	done
	export_to svg file waits.ompprof
	is "xmllint: no script" "$(xmllint --xpath 'count(//*[local-name()="script"])' file)" 0
	is "... waits are hatched" "$(xmllint --xpath 'count(//*[local-name()="rect" and @fill="url(#wait)"])>0' \
		file)" true
else
	skip "xmllint" "xmllint is not installed"
fi
plan
