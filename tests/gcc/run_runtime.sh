# SPDX-License-Identifier: Apache-2.0
# ompprof run --runtime=libomp: what the user asks for and cannot have is an error before the program starts; and what the
# program sees of it.
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
is "libomp and the stub are preloaded, behind the tool" "$("$ompprof" run -q --runtime=libomp -o out env |
	sed -n 's/^LD_PRELOAD=//p' | tr : '\n' | sed 's,.*/,,; s/libomp[.].*/libomp/' | tr '\n' ' ')" \
	"libompprof.so libomp stand-in-libgomp.so "
is "the user's path is as it was" "$(LD_LIBRARY_PATH=/one:/two "$ompprof" run -q --runtime=libomp -o out \
	sh -c 'echo "$LD_LIBRARY_PATH"')" "/one:/two"
is "OMP_SCHEDULE of the user stays" "$(OMP_SCHEDULE=guided,7 "$ompprof" run -q --runtime=libomp -o out ./program runtime |
	head -n 1)" "3 7"
is "no libomp is loaded unless it is wanted" "$("$ompprof" run -q -o out grep -c 'libomp[.]' /proc/self/maps |
	head -n 1)" 0
gcc_build dangling constructs.c -Wl,--dynamic-linker=/no/such || broken "cannot build constructs.c"
is "a program that cannot be started" "$(status "$ompprof" run -q --runtime=libomp -o none ./dangling)" 127

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
