# SPDX-License-Identifier: Apache-2.0
# Small OpenMP programs whose head says what must be seen of them. They are built for the rows of matrix.txt.
EXTRA_DIST += %D%/work.h
include tests/programs/endings/local.mk
include tests/programs/objects/local.mk
include tests/programs/regions/local.mk
include tests/programs/sync/local.mk
include tests/programs/system/local.mk
include tests/programs/tasks/local.mk
include tests/programs/threads/local.mk
include tests/programs/time/local.mk

clean-local: clean-test-programs
.PHONY: clean-test-programs
clean-test-programs:
	rm -rf %D%/libgomp*/ %D%/omp*/
