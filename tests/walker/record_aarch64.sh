#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Remakes tests/data/aarch64/: ./tests/walker/record_aarch64.sh [FOLDER]
# It needs gcc for AArch64, qemu-user, clang 14 and 19, and python3. No test runs it.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-tests/data/aarch64}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"

# variant NAME COMPILER OPTION...: where the program lies must be free in the test's process.
variant() {
	name=$1
	shift
	for part in program_shapes record_aarch64_start; do
		"$@" -std=gnu11 -I. -ffreestanding -fasynchronous-unwind-tables -fno-stack-protector \
			-fno-pie -c -o "$scratch/$part.o" "tests/walker/$part.c"
	done
	aarch64-linux-gnu-gcc -nostdlib -static -Wl,--eh-frame-hdr -Wl,--build-id=none \
		-Wl,-Ttext-segment=0x510000000000 -o "$scratch/$name" \
		"$scratch/program_shapes.o" "$scratch/record_aarch64_start.o"
	python3 tests/walker/record_aarch64.py qemu-aarch64 "$scratch/$name" "$out/$name.steps"
}

gcc=aarch64-linux-gnu-gcc
clang="clang-19 --target=aarch64-linux-gnu"
clang14="clang-14 --target=aarch64-linux-gnu"
variant gcc-O0 $gcc -O0
variant gcc-O2 $gcc -O2
variant gcc-O2-omit $gcc -O2 -fomit-frame-pointer
variant gcc-O2-pac $gcc -O2 -mbranch-protection=pac-ret+leaf
variant clang-Os $clang -Os
variant clang-O2-omit $clang -O2 -fomit-frame-pointer
variant clang-O2-pac $clang -O2 -march=armv8.3-a -mbranch-protection=pac-ret
# Without call frame information for begins and ends of functions.
variant bare-edges-O2 $clang14 -O2
variant bare-edges-O2-omit $clang14 -O2 -fomit-frame-pointer
