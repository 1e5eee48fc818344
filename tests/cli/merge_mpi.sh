#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof merge under mpirun: the bytes of the serial merge whatever number of ranks made it, with files of very
# different sizes, with fewer files than ranks, with one that is damaged; failures end all ranks.
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
cd "$scratch" || broken "cannot enter the scratch folder"
"$ompprof" merge -q -o job.m job || broken "the serial merge fails"
"$ompprof" merge -q -o many.m many || broken "the serial merge fails"

# ranks N ARGUMENT...: ompprof with these in N ranks.
ranks() {
	n=$1
	shift
	case $mpi in
	openmpi) timeout -k 5 60 mpirun.openmpi --oversubscribe --bind-to none -n "$n" "$ompprof" "$@" ;;
	mpich) timeout -k 5 60 mpirun.mpich -n "$n" "$ompprof" "$@" ;;
	esac
}

# said: what ompprof wrote on stderr, without mpirun's own words.
said() {
	grep '^ompprof: ' err | grep -v ' built ' | tr '\n' '|'
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
		"0 ompprof: cannot read 'spoilt/rank-00007.ompprof': its format, version 99, is newer than this ompprof reads (5)|"
	check "... and the others are merged" cmp m serial
	for bad in "-o m nothing" "-o nothing/m many" "-o /dev/full many" "--jobs x many"; do
		# Words on purpose.
		# shellcheck disable=SC2086
		ranks 3 merge $bad >out 2>err
		status=$?
		is "$mpi, 'merge $bad': ends, fails" "$([ $status -ne 0 ] && [ $status -ne 124 ] && [ $status -ne 137 ] && echo yes)" yes
		check "... and says so" grep -q '^ompprof: ' err
	done
done

mpi=openmpi
if [ -x "$builddir/ompprof-merge-mpi" ] && command -v mpirun.openmpi >/dev/null; then
	check "every rank reads: the helper is what runs" sh -c 'ldd "$0" | grep -q libmpi' "$builddir/ompprof-merge-mpi"
	check "ompprof itself needs no MPI" sh -c '! ldd "$0" | grep -q libmpi' "$ompprof"
	# A rank that is killed while the others wait for it.
	cat >killed <<'END'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && kill -9 $$
exec "$@"
END
	chmod +x killed
	rm -f m
	timeout 60 mpirun.openmpi --oversubscribe --bind-to none -n 3 ./killed "$ompprof" merge -q -o m many >out 2>err
	status=$?
	is "a rank that is killed: it ends, fails" "$([ $status -ne 0 ] && [ $status -ne 124 ] && echo yes)" yes
	check "... and writes nothing" test ! -e m
else
	skip "what is executed" "built without MPI"
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
