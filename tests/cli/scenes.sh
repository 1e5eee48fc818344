# SPDX-License-Identifier: Apache-2.0
# Profiles of made-up runs in $scratch: `. "$srcdir/tests/cli/scenes.sh"`, after tap_scratch.

# scene NAME...: the file NAME.ompprof of each.
scene() {
	for name in "$@"; do
		"$builddir/tests/unit/scenes/write_scene" "$name" "$scratch/$name.ompprof" ||
			broken "cannot write the scene '$name'"
	done
}

# poke FILE OFFSET NUMBER: the low byte of a number in the header, as ompprof-profile(5) has it.
poke() {
	# The octal escape is the byte.
	# shellcheck disable=SC2059
	printf "\\$(printf %o "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# scene_job: the folder job, of ranks 0 to 2 of 4; the scenes cg and killed are there.
scene_job() {
	mkdir "$scratch/job"
	cp "$scratch/cg.ompprof" "$scratch/job/host-1-rank0.ompprof"
	cp "$scratch/cg.ompprof" "$scratch/job/host-2-rank1.ompprof"
	cp "$scratch/killed.ompprof" "$scratch/job/host-3-rank2.ompprof"
	for rank in 0 1 2; do
		for file in "$scratch/job"/*-rank$rank.ompprof; do
			poke "$file" 836 $((rank + 1))
			poke "$file" 840 4
			poke "$file" 72 $((100 + rank))
		done
	done
}
