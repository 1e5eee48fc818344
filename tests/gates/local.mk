# SPDX-License-Identifier: Apache-2.0
# Rules that hold for the tree as it is.
GATES_TESTS = \
	%D%/arch.sh \
	%D%/calls.sh \
	%D%/circles.sh \
	%D%/core.sh \
	%D%/dist.sh \
	%D%/docs.sh \
	%D%/exports.sh \
	%D%/folders.sh \
	%D%/format.sh \
	%D%/help.sh \
	%D%/hygiene.sh \
	%D%/imports.sh \
	%D%/includes.sh \
	%D%/lists.sh \
	%D%/ompt.sh \
	%D%/only.sh \
	%D%/recipes.sh \
	%D%/sample.sh \
	%D%/structs.sh \
	%D%/symbols.sh \
	%D%/versions.sh \
	%D%/words.sh
TESTS += $(GATES_TESTS)
EXTRA_DIST += $(GATES_TESTS) \
	%D%/arch.txt \
	%D%/core_symbols.txt \
	%D%/folders.txt \
	%D%/imports.txt \
	%D%/lists.txt \
	%D%/words.txt

# Rewrites the C files as the format gate wants them.
.PHONY: format
format:
	cd $(srcdir) && find unwinder profile sampler attribution src tests demo bench \
		\( -name '*.[ch]' -o -name '*.cpp' \) -exec clang-format-14 -i {} +
