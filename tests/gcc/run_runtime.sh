# SPDX-License-Identifier: Apache-2.0
# ompprof run --runtime=libomp: what the user asks for and cannot have is an error before the program starts; what the
# program sees of it; and nothing stays behind.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc jq
gcc_need_libomp
gcc_build program constructs.c || skip_all "gcc -fopenmp does not work"
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
rm -rf none
is "a symbol is missing: an error" "$(status "$ompprof" run --runtime=libomp -o none ./lacking)" 125
check "... that says why" grep -q \
	"^ompprof: cannot run the program on libomp: './lacking' needs omp_display_env [(]OMP_5.1[)] of libgomp, which" messages
is "... before the program starts" "$(cat said)" ""
check "... and no folder is made" [ ! -e none ]
is "a program that a launcher names" "$(status "$ompprof" run --runtime=libomp -o none sh -c : ./lacking)" 125
check "... says why" grep -q "'./lacking' needs omp_display_env" messages
# A library of the program, not the program itself.
gcc_build lacking.so constructs.c -DLACKING -Dmain=unused -shared -fPIC &&
	gcc_build indirect kernel.c -Dwork_kernel=main -Wl,--no-as-needed -Wl,-rpath,"$live_folder" \
		"$live_folder/lacking.so" || broken "cannot build with a library"
status "$ompprof" run --runtime=libomp -o none ./indirect >/dev/null
check "a library that lacks it is named" grep -q "'$live_folder/lacking.so' needs omp_display_env" messages

# --- what the user wants
is "native, which there was once" "$(status "$ompprof" run --runtime=native -o none ./program)" 2
check "... says what there is" grep -q "takes auto, plain, libomp or a path with a slash, not 'native'" messages
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

# --- what the program sees
is "the folder has one link" "$("$ompprof" run -q --runtime=libomp -o out sh -c \
	'folder=${LD_LIBRARY_PATH%%:*}; ls "/lib${folder#*LIB?}"')" libgomp.so.1
is "the user's path stays, behind it" "$(LD_LIBRARY_PATH=/one:/two "$ompprof" run -q --runtime=libomp -o out \
	sh -c 'echo "${LD_LIBRARY_PATH#*:}"')" "/one:/two"
is "OMP_SCHEDULE of the user stays" "$(OMP_SCHEDULE=guided,7 "$ompprof" run -q --runtime=libomp -o out ./program runtime |
	head -n 1)" "3 7"
is "no libomp is loaded unless it is wanted" "$("$ompprof" run -q -o out grep -c 'libomp[.]' /proc/self/maps |
	head -n 1)" 0
is "no folder stays" "$(ls "$TMPDIR")" ""
status "$ompprof" run -q --runtime=libomp -o out sh -c 'ls "$TMPDIR" >made; kill -KILL $$' >/dev/null
is "... while a program runs there is one" "$(grep -c ompprof-libomp made)" 1
is "... nor after a program that was killed" "$(ls "$TMPDIR")" ""
gcc_build dangling constructs.c -Wl,--dynamic-linker=/no/such || broken "cannot build constructs.c"
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
"$ompprof" run -q -o out true
is "... which the next run removes, and no other" "$(ls "$TMPDIR")" "$(printf '%s\n' "$used" "$name-7-empty0" \
	"$name-2-7-others" "$name-7-filled" "$name-7-linked" | sort)"
is "... nor what is in them" "$(ls "$TMPDIR/$used" "$TMPDIR/$name-7-filled" target | grep -v :)" "libgomp.so.1

file

libgomp.so.1"
: >seen
wait
rm -r "${TMPDIR:?}/$name"-*
# Without a folder it runs on libgomp.
TMPDIR=$live_folder/tmp/none gcc_run --runtime=libomp ./program
gcc_judge "no folder for temporary files" "" \
	"'./program' runs on GCC's libgomp, without regions and waits: cannot make a folder in"
TMPDIR=$live_folder/tmp/none status "$ompprof" run --runtime=libomp -o out true >/dev/null
check "... for nobody knows what" grep -q \
	"^ompprof: programs on GCC's libgomp have no regions and waits: cannot make a folder in" messages

# --- no libomp at all: in a name space of its own, where folders are hidden
mkdir empty
hide="for f in /usr/lib/llvm-*/lib; do mount --bind '$live_folder/empty' \"\$f\" || exit 77; done"
if unshare -rm sh -c "$hide; ! ls /usr/lib*/libomp.so* /usr/local/lib/libomp.so*" >/dev/null 2>&1; then
	is "no libomp: an error" "$(status unshare -rm sh -c "$hide; exec \"\$@\"" - \
		"$ompprof" run --runtime=libomp -o none ./program)" 125
	check "... and how to get one" grep -q "no libomp .* was found; install" messages
else
	skip "no libomp" "cannot hide it: no name space to be had"
fi
plan
