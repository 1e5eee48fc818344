# SPDX-License-Identifier: Apache-2.0
# What ompprof makes is its user's alone, and what others plant where it writes is neither followed, nor
# changed, nor removed, nor waited for.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need timeout mkfifo stat
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
hog=$(matrix_build hog.c "$row") || broken "cannot build hog.c"
LD_LIBRARY_PATH=$row_lib
export LD_LIBRARY_PATH OMP_NUM_THREADS=2
library=$builddir/.libs/libompprof.so
ulimit -c 0
cd "$live_folder" || broken "no scratch folder"
chmod 777 .

# run_as PREFIX STATUS FOLDER: profiles into FOLDER, by a command that PREFIX starts; 0 when it ended so.
run_as() {
	timeout 20 $1 "$ompprof" run -q -o "$3" -- "$hog" 0.02 >out 2>err
	[ $? -eq "$2" ]
}

# by_hand FOLDER COMMAND...: likewise without `ompprof run`.
by_hand() {
	OMPPROF_OUTPUT=$1
	shift
	timeout 20 env OMPPROF_OUTPUT="$OMPPROF_OUTPUT" OMP_TOOL_LIBRARIES="$library" "$@" >out 2>err
}

# said TEXT: whether that is the whole of what was said.
said() {
	[ "$(cat err)" = "$1" ] || {
		cat err
		return 1
	}
}

# victim: a folder that holds what looks like a profile, afresh.
victim() {
	rm -rf victim
	mkdir victim
	echo precious >victim/x.ompprof
}

is_untouched() {
	[ "$(ls -A victim)" = x.ompprof ] && [ "$(cat victim/x.ompprof)" = precious ]
}

# --- modes
(umask 0; run_as "" 0 wide && by_hand "$PWD/hand" "$hog" 0.02)
check "a profile" [ -e wide/*.ompprof ]
is "its folder is the user's alone" "$(stat -c %a wide)" 700
is "... and so is its file" "$(stat -c %a wide/*.ompprof)" 600
is "... without ompprof run, too" "$(stat -c %a hand hand/*.ompprof | paste -sd ' ')" "700 600"

# --- links at the names that it takes
victim
ln -s victim planted
check "a link as folder is refused" run_as "" 125 planted
check "... in a sentence" said "ompprof: cannot write to '$PWD/planted': it is a symbolic link"
check "... and not followed" is_untouched
by_hand "$PWD/planted" "$hog" 0.02
check "... without ompprof run, too" is_untouched
check "... in a sentence" said "ompprof: cannot write a profile in '$PWD/planted': Not a directory; \
continuing without a profile"
check "... the program ran" grep -q CPU out
ln -s nowhere dangling
by_hand "$PWD/dangling" "$hog" 0.02
check "a link to nowhere makes nothing" [ ! -e nowhere ]

victim
rm -f planted
run_as "" 0 planted
ln -s victim planted.old
check "a link as name of the previous profile is refused" run_as "" 125 planted
check "... and not followed" is_untouched
check "... and the profile stays" [ -e planted/*.ompprof ]

victim
mkdir marked
ln -s ../victim/x.ompprof marked/.ompprof-job.part
ln -s ../victim/x.ompprof marked/.ompprof-job
check "a folder with links at the names of its marker" run_as "" 0 marked
check "... does not lead to another file" is_untouched

victim
mkdir mine
by_hand "$PWD/mine" sh -c 'for n in "" -2; do
	ln -s ../victim/x.ompprof "$OMPPROF_OUTPUT/$(uname -n)-$$$n.ompprof"
done
exec "$@"' sh "$hog" 0.02
check "links at the file's names are not followed" is_untouched
is "... another name is taken" "$(find mine -type f | wc -l)" 1

mkdir waits
mkfifo waits/a.ompprof
check "a pipe among the profiles is not waited for" run_as "" 0 waits
timeout 10 "$ompprof" report -i waits.old/a.ompprof >out 2>err
is "... by the report neither" "$? $(cat err)" "1 ompprof: cannot read 'waits.old/a.ompprof': Illegal seek"

# --- other users
if [ "$(id -u)" -ne 0 ] || ! other="setpriv --reuid=65534 --regid=65534 --clear-groups" ||
	! $other "$ompprof" run -q -o other -- true 2>err; then
	skip "folders of other users" "needs root, setpriv and a build that others can read"
	plan
	exit 0
fi
victim
mkdir theirs
chown 65534:65534 theirs
chmod 777 theirs
check "another user's folder is refused" run_as "" 125 theirs
check "... in a sentence" said "ompprof: cannot write to '$PWD/theirs': it is another user's"
is "... and left alone" "$(stat -c %u theirs) $(echo theirs*)" "65534 theirs"
by_hand "$PWD/theirs" "$hog" 0.02
check "... without ompprof run, too" said "ompprof: cannot write a profile in '$PWD/theirs': \
the folder is another user's; continuing without a profile"
is "... and nothing stays in it" "$(ls -A theirs)" ""

rm -rf ours ours.old
run_as "" 0 ours
mkdir ours.old
cp ours/*.ompprof ours.old/
chown -R 65534:65534 ours.old
check "another user's previous profile is refused" run_as "" 125 ours
check "... in a sentence" said "ompprof: cannot keep the previous profile as '$PWD/ours.old': it is another user's"
check "... and left alone" [ -e ours.old/*.ompprof ]

chmod 1777 .
check "who is refused by a sticky folder" run_as "$other" 125 ours
check "... loses nothing" [ -e ours/*.ompprof ]
is "... nobody else reads it" "$($other cat ours/*.ompprof 2>&1 >/dev/null | grep -c denied)" 1
chmod 755 ours
is "... nor reports it, and is told why" "$($other "$ompprof" report -i ours 2>&1)" \
	"ompprof: cannot read the profiles in 'ours': Permission denied"
chmod 777 .
mkdir -m 755 shut
check "a folder that one must not write to is refused" run_as "$other" 125 shut
check "... in a sentence" said "ompprof: cannot write to '$PWD/shut': Permission denied"
plan
