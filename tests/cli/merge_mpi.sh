#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof merge under mpirun: the bytes of the serial merge whatever number of ranks made it, with files of very
# different sizes, with fewer files than ranks, with one that is damaged, with those that one rank alone sees; each rank
# has its share of the work; failures end all ranks.
. "$srcdir/tests/tap.sh"

ompprof=${OMPPROF_TEST_COMMAND:-$builddir/ompprof}
[ -x "$ompprof" ] || broken "the command '$ompprof' is not there"
tap_scratch
. "$srcdir/tests/cli/scenes.sh"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
scene cg killed
scene_job
"$builddir/tests/scale/generate" "$scratch/many" 9 4 60 || broken "cannot make a job"
"$builddir/tests/scale/generate" "$scratch/large" 1 64 400 || broken "cannot make a job"
# One of them is larger than all others together.
cp "$scratch/large/rank-00000.ompprof" "$scratch/many/rank-00003.ompprof"
for number in 836:4 72:77; do
	poke "$scratch/many/rank-00003.ompprof" "${number%:*}" "${number#*:}"
done
"$builddir/tests/scale/generate" "$scratch/even" 8 4 60 || broken "cannot make a job"
cd "$scratch" || broken "cannot enter the scratch folder"
"$ompprof" merge -q -o even.m even || broken "the serial merge fails"
"$ompprof" merge -q -o job.m job || broken "the serial merge fails"
"$ompprof" merge -q -o many.m many || broken "the serial merge fails"

# The MPI that ompprof is built for; Open MPI alone has such a library.
helper=$builddir/ompprof-merge-mpi
built_for=none
if [ -x "$helper" ]; then
	built_for=mpich
	ldd "$helper" | grep -q libopen-pal && built_for=openmpi
fi

# ranks N ARGUMENT...: ompprof with these in N ranks, each by the command $through, if it is not empty.
through=
ranks() {
	n=$1
	shift
	# It may be no word.
	# shellcheck disable=SC2086
	case $mpi in
	openmpi) set -- mpirun.openmpi --oversubscribe --bind-to none -n "$n" $through "$ompprof" "$@" ;;
	mpich) set -- mpirun.mpich -n "$n" $through "$ompprof" "$@" ;;
	esac
	timeout -k 5 60 "$@"
}

# alone: what rank 0 of the n ranks says if it merges alone under this mpirun.
alone() {
	case $n:$built_for in
	1:* | *:"$mpi") ;;
	*:none) echo "ompprof: this ompprof is built without MPI; rank 0 merges alone" ;;
	*) echo "ompprof: ompprof is built for another MPI than this mpirun's; rank 0 merges alone" ;;
	esac
}

# said: what ompprof wrote on stderr, without mpirun's own words, and without that.
said() {
	grep '^ompprof: ' err | grep -vxF "$(alone)" | tr '\n' '|'
}

for mpi in openmpi mpich; do
	if ! command -v mpirun.$mpi >/dev/null || ! ranks 1 --version >log 2>&1; then
		skip "$mpi" "mpirun does not work here"
		continue
	fi
	for n in 1 2 4 7; do
		for job in job many; do
			rm -f m
			ranks $n merge -q -o m $job >out 2>err
			is "$mpi, $n ranks, $job: it ends well" "$? $(cat out)$(said)" "0 "
			is "... by rank 0 alone only under another MPI" "$(grep ' alone$' err)" "$(alone)"
			check "... with the bytes of the serial merge" cmp m $job.m
		done
	done
	ranks 4 merge -o m many >out 2>err
	is "$mpi: one line says what was written" "$(said | sed 's/([0-9]* kB)/(N kB)/')" \
		"ompprof: 9 processes, 96 threads -> m (N kB); view with: ompprof report -i m|"
	rm -rf spoilt && cp -R many spoilt
	poke spoilt/rank-00007.ompprof 8 99
	"$ompprof" merge -q -o serial spoilt 2>/dev/null
	ranks 4 merge -q -o m spoilt >out 2>err
	is "$mpi: a damaged file" "$? $(said)" \
		"0 ompprof: cannot read 'spoilt/rank-00007.ompprof': its format, version 99, is newer than this ompprof reads (6)|"
	check "... and the others are merged" cmp m serial
	for bad in "-o m nothing" "-o m/m many" "-o /dev/full many" "--jobs x many"; do
		# Words on purpose.
		# shellcheck disable=SC2086
		ranks 3 merge $bad >out 2>err
		status=$?
		is "$mpi, 'merge $bad': ends, fails" "$([ $status -ne 0 ] && [ $status -ne 124 ] && [ $status -ne 137 ] && echo yes)" yes
		is "... and says so" "$(said | cut -c 1-9)" "ompprof: "
	done
done

# by_rank NAME COMMAND...: a command NAME that does these in each rank, then goes on with its arguments.
by_rank() {
	{
		# The variables are the script's.
		# shellcheck disable=SC2016
		printf '#!/bin/sh\nrank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}\n'
		printf '%s\n' "$2" 'exec "$@"'
	} >"$1"
	chmod +x "$1"
}

# who_read: how many ranks read a file of the job `even`, and how many files one rank alone read. Who lists them reads
# less than half of each.
who_read() {
	awk -v most="$(wc -c <even/rank-00000.ompprof)" '
		$3 ~ /\/even\/rank-.*\.ompprof$/ { n[$1 " " $3] += $2 }
		END {
			for (key in n) {
				split(key, of)
				if (n[key] >= most / 2 && !seen[of[1]]++)
					n_ranks++
				if (n[key] >= most / 2)
					n_readers[of[2]]++
			}
			for (file in n_readers)
				n_once += n_readers[file] == 1
			print n_ranks + 0, n_once + 0
		}' reads
}

mpi=$built_for
if [ $mpi != none ] && command -v mpirun.$mpi >/dev/null && ranks 1 --version >log 2>&1; then
	check "ompprof itself needs no MPI" sh -c '! ldd "$0" | grep -q libmpi' "$ompprof"
	READS_OUT=$scratch/reads LIBRARY=$builddir/.libs/reads.so FAR=$scratch/far
	export READS_OUT LIBRARY FAR
	# The variables are the scripts'; a sanitizer wants to be the first library.
	# shellcheck disable=SC2016
	preload='LD_PRELOAD=$LIBRARY ASAN_OPTIONS=verify_asan_link_order=0; export LD_PRELOAD ASAN_OPTIONS'
	by_rank noted "$preload"
	by_rank elsewhere "[ \$rank = 0 ] || cd \"\$FAR\" || exit; $preload"
	# shellcheck disable=SC2016
	by_rank killed '[ $rank = 1 ] && kill -9 $$'
	mkdir far
	for n in 1 2 4; do
		through=./noted
		rm -f m reads
		ranks $n merge -q -o m even >out 2>err
		is "$n ranks: each reads, and each file is read once" "$? $(said)$(who_read)" "0 $n 8"
		through=./elsewhere
		rm -f m reads
		ranks $n merge -q -o m even >out 2>err
		is "$n ranks, of which one sees the files: it reads them" "$? $(said)$(who_read)" "0 1 8"
		check "... with the bytes of the serial merge" cmp m even.m
	done
	# A rank that is killed while the others wait for it.
	through=./killed
	rm -f m
	ranks 3 merge -q -o m many >out 2>err
	status=$?
	is "a rank that is killed: it ends, fails" "$([ $status -ne 0 ] && [ $status -ne 124 ] && echo yes)" yes
	check "... and writes nothing" test ! -e m
else
	skip "what is executed" "built without MPI, or mpirun does not work here"
fi
mkdir bare && cp "$ompprof" bare/ompprof
# A copy without the program beside it, as where MPI was not found.
if [ -e "$builddir/.libs/ompprof" ] || [ -x /usr/local/libexec/ompprof/ompprof-merge-mpi ]; then
	skip "built without MPI" "the command cannot be copied"
else
	for rank in 0 1 2; do
		OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=3 bare/ompprof merge -q -o bare.$rank job >out 2>err
		is "built without MPI, rank $rank" "$? $(cat out err)" \
			"0 $([ $rank = 0 ] && echo 'ompprof: this ompprof is built without MPI; rank 0 merges alone')"
	done
	check "... rank 0 merges" cmp bare.0 job.m
	check "... and no other" test ! -e bare.1
fi
plan
