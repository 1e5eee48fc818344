# SPDX-License-Identifier: Apache-2.0
# The table of libgomp's functions (tests/gcc/functions.txt), by which `ompprof run` decides what runs on libomp: it has
# each function of libgomp, each proof is a case that calls the function, and each case gives the same on libgomp and
# on each libomp.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc readelf timeout
gcc_build sync sync.c -Wl,-z,lazy || skip_all "gcc -fopenmp does not work"
gcc_build routines routines.c -Wl,-z,lazy || broken "cannot build routines.c"
cd "$live_folder" || broken "no scratch folder"
ulimit -c 0
# Threads that spin would wait long on a machine that others use.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
table=$srcdir/tests/gcc/functions.txt
schedules="dynamic=monotonic:dynamic,chunk guided=monotonic:guided,chunk runtime=monotonic:runtime
	nonmonotonic_dynamic=nonmonotonic:dynamic,chunk nonmonotonic_guided=nonmonotonic:guided,chunk
	nonmonotonic_runtime=nonmonotonic:runtime maybe_nonmonotonic_runtime=runtime
	ordered_static=static,chunk ordered_dynamic=dynamic,chunk ordered_guided=guided,chunk
	ordered_runtime=runtime"

# Programs of gfortran may be missing; their functions are then not tried.
has_fortran=
compiler=gfortran gcc_build fortran routines.f90 -Wl,-z,lazy && has_fortran=yes

# rows KIND: the functions of this kind, each with what the table says of it.
rows() {
	awk -v kind="$1" '!/^#/ && $2 == kind { name = $1; $1 = $2 = ""; sub(/^ +/, ""); print name, $0 }' \
		"${2-$table}"
}

# build_loops NAME SCHEDULE: loops.NAME runs such loops over variables of three types.
build_loops() {
	bl_flags=
	case $1 in
	ordered_*) bl_flags=-DORDERED ;;
	esac
	for bl_type in int long unsigned; do
		# Words on purpose.
		# shellcheck disable=SC2086
		gcc_build "loops.$1.$bl_type" loops.c "-DTYPE=$bl_type" "-DSCHEDULE=$2" $bl_flags -Wl,-z,lazy ||
			return 1
	done
}

# run_case CASE: what it prints.
run_case() {
	case $1 in
	loops/*) for rc_type in int long unsigned; do "./loops.${1#*/}.$rc_type" || return 1; done ;;
	routines.f90/*) ./fortran "${1#*/}" ;;
	*) "./${1%/*}" "${1#*/}" ;;
	esac
}

# calls CASE: the functions that it calls, as NAME@VERSION. Lazy binding tells: a function is bound when it is called first.
calls() {
	LD_DEBUG=files,bindings LD_DEBUG_OUTPUT=$live_folder/bindings run_case "$1" >/dev/null
	for file in bindings.*; do
		sed -n '/transferring control/,$p' "$file"
	done | sed -n "s/.* to .*libgomp.*: normal symbol .\([A-Za-z_]*[a-z0-9_]\)' \[\([A-Z0-9._]*\)\]$/\1@\2/p" | sort -u
	rm -f bindings.*
}

cases="$(./sync | sed 's,^,sync/,') $(./routines | sed 's,^,routines/,')"
for schedule in $schedules; do
	build_loops "${schedule%%=*}" "${schedule#*=}" || broken "cannot build loops.c for $schedule"
	cases="$cases loops/${schedule%%=*}"
done
[ -z "$has_fortran" ] || cases="$cases $(./routines | sed 's,^,routines.f90/,')"
for one in $cases; do
	mkdir -p "plain/${one%/*}"
	run_case "$one" >"plain/$one" 2>&1 || broken "'$one' fails on libgomp"
	[ -s "plain/$one" ] || broken "'$one' prints nothing"
	calls "$one" >"plain/$one.calls"
done

# --- the table
libgomp=$(gcc -print-file-name=libgomp.so)
exported() {
	readelf -W --dyn-syms "$1" | awk '$4 == "FUNC" && $7 != "UND" && $5 != "LOCAL" && $8 ~ /@/ {
		sub("@@", "@", $8); print $8 }' | grep -v '@GOMP_PLUGIN' | sort -u
}
exported "$libgomp" >exported
[ "$(wc -l <exported)" -gt 200 ] || broken "no functions seen in '$libgomp'"

# check_all TABLE: whether it has each function of this libgomp.
check_all() {
	ca_missing=$(awk '!/^#/ { print $1 }' "$1" | {
		patterns=$(cat)
		while read -r function; do
			for pattern in $patterns; do
				# shellcheck disable=SC2254
				case $function in
				$pattern) continue 2 ;;
				esac
			done
			echo "$function"
		done <exported
	})
	[ -z "$ca_missing" ] || { echo "not in the table: $ca_missing"; return 1; }
}

# check_proofs TABLE: whether the case that proves a function is there and calls it.
check_proofs() {
	cp_wrong=$(rows proven "$1" | while read -r function proof; do
		case $proof in
		routines.f90/*) [ -n "$has_fortran" ] || continue ;;
		esac
		grep -qxF "$function" "plain/$proof.calls" 2>/dev/null || echo "$function: '$proof' does not call it"
	done)
	[ -z "$cp_wrong" ] || { echo "$cp_wrong"; return 1; }
}

set -f
check "the table has each function of libgomp" check_all "$table"
grep -v '^GOMP_critical_end' "$table" >shorter
check_fails "... one that is left out is found" check_all shorter
set +f
check "each proof is a case that calls the function" check_proofs "$table"
sed 's,\(^GOMP_critical_end.*\) sync/critical,\1 sync/none,' "$table" >other
check_fails "... one that names no case is found" check_proofs other
sed 's,\(^GOMP_critical_end.*\) sync/critical,\1 sync/atomic,' "$table" >other
check_fails "... one that does not call it is found" check_proofs other
is "no function stands twice" "$(awk '!/^#/ { print $1 }' "$table" | sort | uniq -d)" ""
[ -n "$has_fortran" ] || skip "Fortran's forms" "gfortran -fopenmp does not work"

# --- the libomps
# differences: the cases that give something else with the libgomp.so.1 of the folder `link`.
differences() {
	for one in $cases; do
		said=$(LD_LIBRARY_PATH=$live_folder/link OMP_SCHEDULE=dynamic,1 KMP_WARNINGS=0 \
			OMP_TOOL=disabled run_case "$one" 2>&1)
		[ "$said" = "$(cat "plain/$one")" ] || echo "$one: $(echo "$said" | head -n 2)"
	done
}

folder=$(cd "$(runtimes_folder)" 2>/dev/null && pwd)
mkdir link
for version in $runtime_versions; do
	libomp=$folder/$version/lib/libomp.so.5
	if [ ! -r "$libomp" ]; then
		skip "libomp $version" "it is not there: run ./quickstart check"
		continue
	fi
	ln -sf "$libomp" link/libgomp.so.1
	is "libomp $version: all $(echo "$cases" | wc -w) cases as on libgomp" "$(differences)" ""
	exported "$libomp" >has
	is "... has what is proven or wrong" "$( (rows proven; rows wrong) | awk '{ print $1 }' | sort |
		comm -23 - has)" ""
	is "... lacks what the table says" "$(rows lacks | awk '$1 !~ /[*]/ { print $1 }' | sort | comm -12 - has)" ""
done

# --- what ompprof makes of it
if "$ompprof" run -q --runtime=libomp -o try true 2>/dev/null; then
	"$ompprof" run -o out ./sync critical >said 2>messages
	check "a program of proven functions runs on libomp" grep -q "runs on LLVM's libomp" messages
else
	skip "a program of proven functions runs on libomp" "no libomp is installed"
fi
plan
