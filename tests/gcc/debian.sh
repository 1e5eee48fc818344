# SPDX-License-Identifier: Apache-2.0
# Programs of Debian that are built for libgomp: what they write is as without ompprof, their regions are in
# the profile, and it is said what they ran on.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/gcc/gcc.sh"
live_need jq awk
gcc_need_libomp
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
# compared, and runs on this many OpenMP threads, or "any"; "none" where it stays on libgomp.
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
	if [ "$real_threads" = none ]; then
		gcc_judge "$real_name: the output and the line" "" "$real_line"
		return
	fi
	gcc_judge "$real_name: the output, a region and the line" "omp parallel" "$real_line"
	[ "$real_threads" = any ] || is "$real_name: threads" "$(jq ".run.threads - .run.native_threads" json)" "$real_threads"
}

runs="is built for GCC's libgomp.*runs on LLVM's libomp"
blur="convert-im6.q16 -seed 1 -size 500x500 plasma:fractal -blur 0x3 ppm:-"
# ImageMagick chooses its number of threads by itself. Words on purpose.
# shellcheck disable=SC2086
real "ImageMagick, which loads modules" convert-im6.q16 "" none "uses dlopen, which loads libraries that are not known" $blur
# shellcheck disable=SC2086
real "ImageMagick on libomp" convert-im6.q16 --runtime=libomp any "$runs" $blur
real FastTree fasttreeMP "" 2 "$runs" fasttreeMP -quiet -nopr -nosupport proteins
real "Clustal Omega" clustalo "" 2 "$runs" clustalo -i proteins --threads=2
real Sumaclust sumaclust "" 2 "$runs" sumaclust -p 2 -t 0.7 nucleotides
blas=/usr/lib/x86_64-linux-gnu/openblas-openmp
if [ -e $blas/libblas.so.3 ]; then
	gcc_build dgemm dgemm.c -fno-openmp -Wl,-rpath,$blas $blas/libblas.so.3 || broken "cannot link a BLAS"
fi
real "OpenBLAS, which asks for places" $blas/libblas.so.3 "" none "uses omp_get_num_places, with which libomp" ./dgemm
real "OpenBLAS on libomp" $blas/libblas.so.3 --runtime=libomp 2 "$runs" ./dgemm
cat >tree.py <<'END'
import numpy
from pykdtree.kdtree import KDTree
random = numpy.random.RandomState(1)
tree = KDTree(random.rand(20000, 3))
distance, index = tree.query(random.rand(100000, 3), k=4)
print(repr(distance.sum()), index.sum())
END
pykdtree=$(find /usr/lib/python3/dist-packages/pykdtree -name 'kdtree*.so' 2>/dev/null)
real "Python: pykdtree" "$pykdtree" "" none "loaded GCC's libgomp" /usr/bin/python3 tree.py
real "Python: pykdtree on libomp" "$pykdtree" --runtime=libomp 2 \
	"(kdtree|openblas).*is built for GCC's libgomp.*ran on LLVM's libomp" /usr/bin/python3 tree.py
plan
