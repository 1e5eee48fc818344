# SPDX-License-Identifier: Apache-2.0
# Unit tests speak TAP through cmocka; shell tests speak TAP through tests/tap.sh.
EXTRA_DIST += %D%/debs.sh %D%/glibcs.sh %D%/matrix.txt %D%/no_cmocka.sh %D%/runtimes.sh %D%/tap.sh
if !HAVE_CMOCKA
TESTS += %D%/no_cmocka.sh
endif

include tests/unit/local.mk
include tests/aarch64/local.mk
include tests/accuracy/local.mk
include tests/bench/local.mk
include tests/cli/local.mk
include tests/data/local.mk
include tests/export/local.mk
include tests/fuzz/local.mk
include tests/gates/local.mk
include tests/gcc/local.mk
include tests/harmless/local.mk
include tests/hostile/local.mk
include tests/html/local.mk
include tests/litmus/local.mk
include tests/live/local.mk
include tests/processes/local.mk
include tests/programs/local.mk
include tests/python/local.mk
include tests/readers/local.mk
include tests/runtime/local.mk
include tests/scale/local.mk
include tests/soak/local.mk
include tests/symbols/local.mk
include tests/walker/local.mk

# The unpacked runtimes survive `make clean`: bringing them again needs the network.
distclean-local: clean-test-runtimes
.PHONY: clean-test-runtimes
clean-test-runtimes:
	rm -rf runtimes
