# SPDX-License-Identifier: Apache-2.0
# libompprof-gomp.so changes nothing of programs whose modules bring their own copies of libgomp: each prints
# what it prints alone, with a tool, without a tool, and under ompprof.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need gcc timeout sed
source=$(cd "$srcdir" && pwd) build=$(cd "$builddir" && pwd)
provider=$build/.libs/libompprof-gomp.so
[ -r "$provider" ] || skip_all "libompprof-gomp.so is not built"
libgomp=$(gcc -print-file-name=libgomp.so)
[ -r "$libgomp" ] || skip_all "gcc has no libgomp"
ulimit -c 0
cd "$live_folder" || exit 99

# module NAME LETTER: builds NAME.so with a copy of libgomp, libgomLETTER.so.1.
module() {
	sed "s/libgomp[.]so[.]1/libgom$2.so.1/g" "$libgomp" >"libgom$2.so.1" &&
		gcc -O2 -fopenmp -fPIC -DNAME="\"$1\"" -c "$source/tests/gcc/module.c" -o "$1.o" &&
		gcc -shared "$1.o" -o "$1.so" -L. -l:"libgom$2.so.1" -Wl,-rpath,"$live_folder"
}
gcc -O2 -rdynamic "$source/tests/gcc/modules.c" -o modules -ldl -lpthread && module a x && module b y &&
	gcc -O2 -rdynamic -fopenmp "$source/tests/gcc/modules.c" -o linked -ldl ||
	skip_all "gcc cannot build the modules"
gcc -O2 -shared -fPIC "$source/tests/gcc/silent.c" -o silent.so -ldl || broken "no tool"

gcc -shared -fPIC -DLIBRARY "$source/tests/gcc/ancient.c" -o libancient.so &&
	gcc "$source/tests/gcc/ancient.c" -o ancient ./libancient.so || broken "no old libgomp"
gcc -shared -fPIC -DLIBRARY "$source/tests/gcc/stubs.c" -o libstubs.so &&
	gcc "$source/tests/gcc/stubs.c" -o stubs ./libstubs.so || broken "no stubs"
gcc -shared -fPIC "$source/tests/gcc/counter.c" -o counter.so -ldl || broken "no counter"

# same NAME COMMAND...; $preload: what the user preloads; $ways: the words of the case.
preload='' ways="tool none ompprof"
same() {
	sa_name=$1 sa_alone=0
	shift
	LD_PRELOAD=$preload timeout 30 "$@" >alone 2>&1 || sa_alone=$?
	for sa_how in $ways; do
		sa_status=0
		case $sa_how in
		tool) LD_PRELOAD=$provider:$preload OMP_TOOL_LIBRARIES=$live_folder/silent.so \
			timeout 30 "$@" >said 2>&1 || sa_status=$? ;;
		none) LD_PRELOAD=$provider:$preload OMP_TOOL=disabled \
			timeout 30 "$@" >said 2>&1 || sa_status=$? ;;
		ompprof) LD_PRELOAD=$preload timeout 30 "$build/ompprof" run -q \
			-o out -- "$@" >said 2>&1 || sa_status=$? ;;
		esac
		is "$sa_name: $sa_how" "$sa_status $(cat said)" "$sa_alone $(cat alone)"
	done
}
for function in region region_critical region_barrier critical locked barrier taskwait; do
	same "one copy, $function" ./modules ./a.so ./a.so $function
	same "two copies, $function" ./modules ./a.so ./b.so $function
done
same "modules are unloaded" ./modules ./a.so ./b.so reload
same "a libgomp before GCC 9" ./ancient
same "the tool ends in an event" env FINALIZE=1 OMP_THREAD_LIMIT=1 ./modules ./a.so ./a.so barrier
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
same "places" env "OMP_PLACES={$cpu}" OMP_PROC_BIND=true "PLACE=$cpu" ./modules ./a.so ./a.so critical
same "a runtime with no function of libgomp" ./stubs
if gcc -O2 -shared -fPIC "$source/tests/gcc/order.c" -o order.so 2>order.log; then
	preload=$live_folder/order.so
	same "no object is looked up under a mutex" ./modules ./a.so ./b.so region
else
	skip "no object is looked up under a mutex" "$(grep -m 1 error order.log)"
fi
preload=$live_folder/counter.so
same "some functions are preloaded" ./linked ./a.so ./b.so region_critical
preload=
CONSTRUCT=ab WAITS=0
export CONSTRUCT WAITS
same "regions in constructors" ./modules ./a.so ./b.so region_critical
CONSTRUCT=b WAITS=30
same "a first call beside a constructor" ./modules ./a.so ./b.so beside
WAITS=1000
same "a call beside a constructor, which waits for it" ./linked ./a.so ./b.so beside
WAITS=10 STALL=1
export STALL
same "a constructor's call while the tool asks the loader" ./linked ./a.so ./b.so asked
unset STALL
WAITS=0 IN_THREAD=1
export IN_THREAD
preload=$live_folder/silent.so
same "a constructor waits for a thread that calls first" ./linked ./a.so ./b.so load
CONSTRUCT='' ways="tool none ompprof"
same "a child, while a thread of the parent holds the loader's lock" ./modules ./a.so ./b.so forked
preload=''
gcc "$source/tests/gcc/weak.c" -o weak || broken "cannot build weak.c"
is "weak references, without a runtime: alone" "$(./weak)" "without"
is "... with the library: the same as with one thread, and a line" "$(LD_PRELOAD=$provider ./weak 2>&1)" \
	"ompprof-gomp: the program calls libgomp, which is not loaded: it goes on with one thread
with 1"
plan
