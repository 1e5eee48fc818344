# SPDX-License-Identifier: Apache-2.0
# What others may have made: files, folders, names, profiles and objects that mean harm.
HOSTILE_TESTS = \
	%D%/damaged_objects.sh \
	%D%/formulas.sh \
	%D%/names.sh \
	%D%/planted_files.sh
TESTS += $(HOSTILE_TESTS)
EXTRA_DIST += $(HOSTILE_TESTS) \
	%D%/hostile_program.sh
