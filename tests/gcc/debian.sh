# SPDX-License-Identifier: Apache-2.0
# Programs of Debian that are built for libgomp: what they write is as without ompprof, and their regions are in the
# profile, on libgomp and on libomp.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need jq awk
cd "$live_folder" || broken "no scratch folder"

# Proteins that descend from one, made up the same way each time.
awk 'BEGIN {
	srand(3)
	for (i = 0; i < 120; i++)
		base = base substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(rand() * 20), 1)
	for (n = 0; n < 40; n++) {
		print ">s" n
		for (i = 1; i <= 120; i++)
			printf "%s", rand() < 0.3 ? substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(rand() * 20), 1) \
				: substr(base, i, 1)
		print ""
	}
}' >proteins
tr "DEFHIKLMNPQRSVWY" "ACGTACGTACGTACGT" <proteins | sed 's/^>[A-Z]/>s/' >nucleotides

# real NAME PROGRAM OPTIONS THREADS LINE COMMAND...: profiles the command unless PROGRAM is missing. It prints what is
# compared, and runs on this many OpenMP threads, or "any".
real() {
	real_name=$1 real_program=$2 real_options=$3 real_threads=$4 real_line=$5
	shift 5
	[ -e "$real_program" ] || command -v "$real_program" >/dev/null || {
		skip "$real_name" "$real_program is not installed"
		return
	}
	gcc_run "-F 1000 $real_options" "$@"
	is "$real_name: the status" "$gr_said" 0
	[ -s plain ] || not_ok "$real_name: prints something" "$(cat plain-messages)"
	gcc_judge "$real_name: the output, a region and the line" "omp parallel" "$real_line"
	[ "$real_threads" = any ] || is "$real_name: threads" "$(jq ".run.threads - .run.native_threads" json)" "$real_threads"
}

# both NAME PROGRAM THREADS COMMAND...: on libgomp, and on libomp.
both() {
	both_name=$1 both_program=$2 both_threads=$3
	shift 3
	real "$both_name" "$both_program" "" "$both_threads" "view with" "$@"
	"$ompprof" run -q --runtime=libomp -o try true 2>/dev/null ||
		{ skip "$both_name on libomp" "no libomp is installed"; return; }
	real "$both_name on libomp" "$both_program" --runtime=libomp "$both_threads" "view with" "$@"
}

# ImageMagick chooses its number of threads by itself.
both "ImageMagick, which loads modules" convert-im6.q16 any \
	convert-im6.q16 -seed 1 -size 500x500 plasma:fractal -blur 0x3 ppm:-
both FastTree fasttreeMP 2 fasttreeMP -quiet -nopr -nosupport proteins
both "Clustal Omega" clustalo 2 clustalo -i proteins --threads=2
both Sumaclust sumaclust 2 sumaclust -p 2 -t 0.7 nucleotides
blas=/usr/lib/x86_64-linux-gnu/openblas-openmp
if [ -e $blas/libblas.so.3 ]; then
	gcc_build dgemm dgemm.c -fno-openmp -Wl,-rpath,$blas $blas/libblas.so.3 || broken "cannot link a BLAS"
fi
both OpenBLAS $blas/libblas.so.3 2 ./dgemm
cat >tree.py <<'END'
import numpy
from pykdtree.kdtree import KDTree
random = numpy.random.RandomState(1)
tree = KDTree(random.rand(20000, 3))
distance, index = tree.query(random.rand(100000, 3), k=4)
print(repr(distance.sum()), index.sum())
END
pykdtree=$(find /usr/lib/python3/dist-packages/pykdtree -name 'kdtree*.so' 2>/dev/null)
both "Python: pykdtree" "$pykdtree" 2 /usr/bin/python3 tree.py
plan
