# SPDX-License-Identifier: Apache-2.0
# ompprof run --runtime: what cannot run on libomp runs as it is, with a sentence that says why; what the user
# asks for and cannot have is an error before the program starts; and nothing stays behind.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc jq
gcc_need_libomp
gcc_build program constructs.c -DPROVEN || skip_all "gcc -fopenmp does not work"
gcc_build lacking constructs.c -DLACKING || broken "cannot build constructs.c"
gcc_build late late.c -fno-openmp -ldl || broken "cannot build late.c"
gcc_build kernel.so kernel.c -shared -fPIC || broken "cannot build kernel.c"
TMPDIR=$live_folder/tmp
export TMPDIR
mkdir "$TMPDIR"
cd "$live_folder" || broken "no scratch folder"

# status COMMAND...: runs it with its output in the files said and messages; prints the exit status.
status() {
	got=0
	"$@" >said 2>messages || got=$?
	echo "$got"
}

report() {
	"$ompprof" report -i out
}

# --- what libomp lacks
gcc_run "" ./lacking
gcc_judge "a symbol is missing: native, and why" "" \
	"^ompprof: './lacking' runs on GCC's libgomp.*needs omp_display_env [(]OMP_5.1[)] of libgomp, which"
is "... one line beside the closing one" "$(wc -l <messages)" 2
check "... the report says so" sh -c '"$0" report -i out | grep -q "ran on GCC.s libgomp, without OMPT"' \
	"$ompprof"
check "... and info" sh -c '"$0" info -i out | grep -q "^ *GCC.s libgomp, which"' "$ompprof"
rm -rf none
is "... libomp is wanted: an error" "$(status "$ompprof" run --runtime=libomp -o none ./lacking)" 125
check "... that says why" grep -q "^ompprof: cannot run the program on libomp: './lacking' needs omp_" messages
is "... before the program starts" "$(cat said)" ""
check "... and no folder is made" [ ! -e none ]
status "$ompprof" run -o out sh -c : ./lacking >/dev/null
check "a program that a launcher names" grep -q "'./lacking' runs on GCC's libgomp" messages
# A library of the program, not the program itself.
gcc_build lacking.so constructs.c -DLACKING -Dmain=unused -shared -fPIC &&
	gcc_build indirect kernel.c -Dwork_kernel=main -Wl,--no-as-needed -Wl,-rpath,"$live_folder" \
		"$live_folder/lacking.so" || broken "cannot build with a library"
status "$ompprof" run -o out ./indirect >/dev/null
check "a library that lacks it is named" grep -q "'$live_folder/lacking.so' needs omp_display_env" messages

# --- what libomp does wrong
gcc_build taskloop constructs.c -DTASKLOOP || broken "cannot build constructs.c"
gcc_run "" ./taskloop
gcc_judge "a taskloop: native, and why" "" \
	"'./taskloop' runs on GCC's libgomp.*uses GOMP_taskloop, with which libomp aborts where"
gcc_build scan scan.c || broken "cannot build scan.c"
gcc_run "" ./scan
gcc_judge "a scan: native, and why" "" "'./scan' uses GOMP_loop_start, with which libomp ends the program"
gcc_build cancel scan.c -DCANCEL || broken "cannot build scan.c"
OMP_CANCELLATION=true gcc_run "" ./cancel
gcc_judge "cancellation: native, and why" "" "'./cancel' runs on GCC's libgomp.*with 'OMP_CANCELLATION=true'"
gcc_run "" ./cancel
gcc_judge "... on libomp where it is off" "" "'./cancel' is built for GCC's libgomp.*runs on LLVM's libomp"
gcc_build down down.c || broken "cannot build down.c"
gcc_run "" ./down
gcc_judge "a loop of size_t that counts down: native, and why" "" \
	"'./down' runs on GCC's libgomp.*'./down' uses GOMP_loop_ull_.*runs no iteration.*that counts down"
is "... the status" "$gr_said" 0
is "... doctor says the same" "$("$ompprof" doctor --format json ./down | jq -r '.findings[] |
	select(.topic == "runtime" and .state == "limited") | .remedy')" \
	"$(sed -n 's/.*regions and waits: //p' messages)"
# A library of the program, without a need of its own for libgomp.so.1.
gcc_build libdown.so down.c -DLIBRARY -shared -fPIC -nostartfiles -nodefaultlibs &&
	gcc_build over constructs.c -DPROVEN -Wl,--no-as-needed -Wl,-rpath,"$live_folder" "$live_folder/libdown.so" ||
	broken "cannot build with a library"
gcc_run "" ./over
gcc_judge "... in a library that names no libgomp" "" "'$live_folder/libdown.so' uses GOMP_loop_ull_"
mv libdown.so away
status "$ompprof" run -o out ./over >/dev/null
check "... that is not found" grep -q "'./over' uses .*libdown.so, which is not found" messages
escape=$(printf '\033')
OMP_NO_SUCH="$escape[1m" status "$ompprof" run -o out ./program >/dev/null
check_fails "a setting with an escape is not written as it is" grep -q "$escape" messages

# --- what is not known before the start
gcc_build opens late.c -ldl -Wl,--no-as-needed -lgomp || broken "cannot build late.c"
gcc_run "" ./opens ./kernel.so
gcc_judge "a program that loads more: native, and why" "" "'./opens' uses dlopen, which loads libraries that are not known"
gcc_run "" env ./program
gcc_judge "a program that another one starts: native, and how" "" \
	"'env' starts it.*put 'ompprof run' before './program'"
gcc_run "" env ./down
gcc_judge "... unless it has to be" "" "'./down' uses GOMP_loop_ull_"
gcc_run "" sh -c "./down; ./program"
gcc_judge "... by a script" "" .
echo './down; "$ompprof" run -q -o inner ./program; ./down' >script
ompprof=$ompprof gcc_run "" sh script
gcc_judge "... beside one that ompprof starts" "" .

# --- what the user wants
gcc_run --runtime=native ./program
gcc_judge "native" "" "uses GCC's libgomp"
is "... is native" "$("$ompprof" info -i out | sed -n 's/^OpenMP *//p')" "no runtime started ompprof"
while read -r path why; do
	is "--runtime=$path" "$(status "$ompprof" run --runtime="$path" -o none ./program)" 125
	is "... one line" "$(cat messages)" "ompprof: cannot run the program on libomp: $why"
	is "... nothing has run" "$(cat said)" ""
done <<END
/no/such/libomp.so cannot read '/no/such/libomp.so': No such file or directory
./program './program' is no libomp with OMPT and libgomp's functions
/etc/passwd '/etc/passwd' is no libomp with OMPT and libgomp's functions
END
if echo 'int main(void) { return 11; }' | gcc -static -x c - -o static 2>/dev/null; then
	is "a static program: as it is" "$(status "$ompprof" run --anyway -o out ./static)" 11
	is "... libomp is wanted" "$(status "$ompprof" run --anyway --runtime=libomp -o none ./static)" 125
	check "... says why" grep -q "'./static' is linked statically" messages
else
	skip "a static program" "cannot link statically"
fi
is "a program that is not there" "$(status "$ompprof" run --runtime=libomp -o none ./no-such)" 127

# --- what the user has arranged
mkdir users
libomp=$("$ompprof" run -o out ./program 2>&1 >/dev/null | sed -n "s/.* runs on LLVM's libomp, '\(.*\)'$/\1/p")
ln -s "$libomp" users/libgomp.so.1
status env LD_LIBRARY_PATH="$live_folder/users" "$ompprof" run -o out ./program >/dev/null
is "a link of the user's: nothing to say" "$(grep -c libgomp messages)" 0
is "... and the regions" "$("$ompprof" report -i out --format json |
	jq '[.nodes[] | select(.kind == "region")] | length')" 2

status env LD_LIBRARY_PATH="$live_folder/users" "$ompprof" run --runtime=native -o out ./program >/dev/null
is "... native: that it is no libgomp" "$(sed -n '/samples/!p' messages)" \
	"ompprof: './program' ran on a libomp, not on GCC's libgomp: 'libgomp.so.1' is a libomp here"
is "... which is as it was" "$(LD_LIBRARY_PATH=$live_folder/users "$ompprof" run -q --runtime=native -o out \
	sh -c 'echo "$LD_LIBRARY_PATH"' ./program)" "$live_folder/users"

# --- what the program sees
is "the folder has one link" "$("$ompprof" run -q --runtime=libomp -o out sh -c \
	'folder=${LD_LIBRARY_PATH%%:*}; ls "/lib${folder#*LIB?}"')" libgomp.so.1
is "the user's path stays, behind it" "$(LD_LIBRARY_PATH=/one:/two "$ompprof" run -q --runtime=libomp -o out \
	sh -c 'echo "${LD_LIBRARY_PATH#*:}"')" "/one:/two"
for path in /one:/two /one; do
	is "auto: the program has the path $path" "$(LD_LIBRARY_PATH=$path "$ompprof" run -q -o out ./program path)" \
		"LD_LIBRARY_PATH=$path"
done
is "... and none if there was none" "$("$ompprof" run -q -o out ./program path)" ""
is "... what it starts has nothing of libomp" "$("$ompprof" run -q -o out ./program starts)" ""
is "... but what the user has set" "$(OMP_SCHEDULE=guided KMP_WARNINGS=0 "$ompprof" run -q -o out ./program starts |
	sort | tr '\n' ' ')" "KMP_WARNINGS=0 OMP_SCHEDULE=guided "
is "native: the path is as it was" "$(LD_LIBRARY_PATH=/one "$ompprof" run -q --runtime=native -o out \
	sh -c 'echo "$LD_LIBRARY_PATH"')" /one
gcc_build asking constructs.c || broken "cannot build constructs.c"
is "OMP_SCHEDULE of the user stays" "$(OMP_SCHEDULE=guided,7 "$ompprof" run -q --runtime=libomp -o out ./asking runtime |
	head -n 1)" "3 7"
is "nothing is loaded into what needs no libgomp" "$("$ompprof" run -q -o out grep -c 'libomp[.]' /proc/self/maps |
	head -n 1)" 0
is "no folder stays" "$(ls "$TMPDIR")" ""
status "$ompprof" run -q --runtime=libomp -o out sh -c 'ls "$TMPDIR" >made; kill -KILL $$' >/dev/null
is "... while a program runs there is one" "$(grep -c ompprof-libomp made)" 1
is "... nor after a program that was killed" "$(ls "$TMPDIR")" ""
gcc_build dangling constructs.c -DPROVEN -Wl,--dynamic-linker=/no/such || broken "cannot build constructs.c"
is "... nor after one that cannot be started" "$(status "$ompprof" run -q -o none ./dangling; ls "$TMPDIR")" 127
# kill_it SIGNAL: sends it to the command while its program runs.
kill_it() {
	rm -f ready
	"$ompprof" run -q --runtime=libomp -o "killed-$1" sh -c ': >ready; exec sleep 9' &
	pid=$!
	until [ -e ready ]; do sleep 0.02; done
	kill -"$1" $pid
	wait $pid 2>/dev/null
}
for signal in HUP TERM XCPU ALRM PIPE 40; do
	kill_it $signal
	is "... nor after $signal to ompprof" "$(ls "$TMPDIR")" ""
done
kill_it KILL 2>/dev/null
left=$(ls "$TMPDIR")
is "SIGKILL leaves a folder" "$(echo "$left" | wc -w)" 1
# Others that are not to go: one that is in use, and what only looks as if it were.
"$ompprof" run -q --runtime=libomp -o in-use sh -c ': >using; until [ -e seen ]; do sleep 0.02; done' &
until [ -e using ]; do sleep 0.02; done
used=$(ls "$TMPDIR")
name=${used%-*-*}
mkdir "$TMPDIR/$name-7-empty0" "$TMPDIR/$name-2-7-others" "$TMPDIR/$name-7-filled" target
touch "$TMPDIR/$name-7-filled/file"
for folder in "$TMPDIR/$name-2-7-others" "$TMPDIR/$name-7-filled" target; do
	ln -s /no/such "$folder/libgomp.so.1"
done
ln -s "$PWD/target" "$TMPDIR/$name-7-linked"
"$ompprof" run -q --runtime=native -o out true
is "... which the next run removes, and no other" "$(ls "$TMPDIR")" "$(printf '%s\n' "$used" "$name-7-empty0" \
	"$name-2-7-others" "$name-7-filled" "$name-7-linked" | sort)"
is "... nor what is in them" "$(ls "$TMPDIR/$used" "$TMPDIR/$name-7-filled" target | grep -v :)" "libgomp.so.1

file

libgomp.so.1"
: >seen
wait
rm -r "${TMPDIR:?}/$name"-*
# What cannot have a folder runs natively.
TMPDIR=$live_folder/tmp/none gcc_run "" ./program
gcc_judge "no folder for temporary files" "" "./program' runs on GCC's libgomp.*cannot make a folder in"
TMPDIR=$live_folder/tmp/none status "$ompprof" run --runtime=libomp -o out true >/dev/null
check "... for nobody knows what" grep -q "^ompprof: nothing runs on LLVM's libomp: cannot make a folder in" messages

# --- no libomp at all: in a name space of its own, where folders are hidden
mkdir empty
hide="for f in /usr/lib/llvm-*/lib; do mount --bind '$live_folder/empty' \"\$f\" || exit 77; done"
if unshare -rm sh -c "$hide; ! ls /usr/lib*/libomp.so* /usr/local/lib/libomp.so*" >/dev/null 2>&1; then
	unshare -rm sh -c "$hide; exec \"\$@\"" - "$ompprof" run -o out ./program >said 2>messages
	./program >plain-said
	is "no libomp: as it is" "$(cat said)" "$(cat plain-said)"
	check "... and how to get one" grep -q "runs on GCC's libgomp.*no libomp .* was found; install" messages
	is "... is wanted: an error" "$(status unshare -rm sh -c "$hide; exec \"\$@\"" - \
		"$ompprof" run --runtime=libomp -o none ./program)" 125
else
	skip "no libomp" "cannot hide it: no name space to be had"
fi
plan
