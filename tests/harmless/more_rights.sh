# SPDX-License-Identifier: Apache-2.0
# A program that has more rights than the user who started it (set-user-ID, capabilities) runs as alone, whoever loads the tool's
# library into it: its OpenMP runtime by OMP_TOOL_LIBRARIES, or the loader, as the program is linked to the library.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_row omp14-clang14-O2 omp19-clang14-O2 omp19-clang19-O2
[ "$(id -u)" = 0 ] || skip_all "only root can make a program of another user's set-user-ID"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
unset LD_LIBRARY_PATH
chmod 755 "$live_folder"
library=$live_folder/libompprof.so
cp "$builddir/.libs/libompprof.so" "$row_lib/libomp.so.5" "$live_folder" || broken "cannot copy the libraries"
shared=$live_folder/shared
mkdir "$shared"
chmod 1777 "$shared"
as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"

# make_twins NAME FLAGS...: two copies of pthread.c, of which NAME-secure is set-user-ID root.
make_twins() {
	name=$1
	shift
	# The lists of flags are split into words on purpose.
	# shellcheck disable=SC2086
	"$row_cc" $row_flags $row_include -pthread -o "$live_folder/$name-plain" "$srcdir/tests/programs/threads/pthread.c" \
		"-L$row_lib" "-Wl,-rpath,$live_folder" "$@" || broken "cannot compile"
	cp "$live_folder/$name-plain" "$live_folder/$name-secure"
	chmod 755 "$live_folder/$name-plain"
	chmod 4755 "$live_folder/$name-secure"
}

cp "$(command -v id)" "$live_folder/id" && chmod 4755 "$live_folder/id"
[ "$($as_nobody "$live_folder/id" -u 2>/dev/null)" = 0 ] ||
	skip_all "set-user-ID programs do not work in ${TMPDIR:-/tmp}"

# runs PROGRAM: nobody runs it with all that makes the library write a profile into the folder `shared`, with words
# about it. Prints what the program says, its status and how many files there are.
runs() {
	rm -rf "$shared/out"
	status=0
	# The inner shell expands its own.
	# shellcheck disable=SC2016
	OMP_TOOL_LIBRARIES=$library OMPPROF_OUTPUT=$shared/out OMPPROF_VERBOSE=1 OMP_NUM_THREADS=2 $as_nobody \
		sh -c 'OMPPROF_PID=$$ exec "$1" 0.05' - "$live_folder/$1" >"$live_folder/said" 2>&1 || status=$?
	sed "s/writing '.*'/writing X/" "$live_folder/said"
	echo "status $status, $(find "$shared" -type f | wc -l) files"
}

make_twins bare
make_twins linked -Wl,--no-as-needed "$library"
for way in bare linked; do
	is "$way: a program as any other has a profile" "$(runs "$way-plain")" "ompprof: writing X
pthread: 4
status 0, 1 files"
	is "$way: one that is set-user-ID is as alone" "$(runs "$way-secure")" "pthread: 4
status 0, 0 files"
	if setcap cap_net_raw+ep "$live_folder/$way-plain" 2>/dev/null; then
		is "$way: one whose file has capabilities, too" "$(runs "$way-plain")" "pthread: 4
status 0, 0 files"
	else
		skip "$way: one whose file has capabilities, too" "setcap is not installed, or not allowed"
	fi
done
plan
