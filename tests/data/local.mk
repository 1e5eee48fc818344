# SPDX-License-Identifier: Apache-2.0
# Expected texts, in a folder for each made-up run or command; recorded steps of another architecture.
include tests/data/aarch64/local.mk
include tests/data/annotate/local.mk
include tests/data/asleep/local.mk
include tests/data/cg/local.mk
include tests/data/cli/local.mk
include tests/data/counted/local.mk
include tests/data/counters/local.mk
include tests/data/diff/local.mk
include tests/data/empty/local.mk
include tests/data/events/local.mk
include tests/data/faults/local.mk
include tests/data/history/local.mk
include tests/data/hostile/local.mk
include tests/data/incomplete/local.mk
include tests/data/info/local.mk
include tests/data/native/local.mk
include tests/data/plain/local.mk
include tests/data/scale/local.mk
include tests/data/target/local.mk
include tests/data/top/local.mk
include tests/data/waits/local.mk
include tests/data/why/local.mk

# Rewrites what the goldens expect with what is shown now, and shows what that changes.
.PHONY: update-golden
update-golden: ompprof$(EXEEXT) tests/unit/command/annotate$(EXEEXT) tests/unit/command/diff_golden$(EXEEXT) \
		tests/unit/command/golden$(EXEEXT) tests/unit/command/top$(EXEEXT) \
		tests/unit/command/why$(EXEEXT) tests/unit/scenes/write_scene$(EXEEXT)
	for test in annotate diff_golden golden top why; do \
		srcdir=$(abs_top_srcdir) OMPPROF_UPDATE_GOLDEN=1 tests/unit/command/$$test$(EXEEXT) \
			>/dev/null 2>&1; \
	done
	for test in report info; do \
		srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) OMPPROF_UPDATE_GOLDEN=1 \
			$(SHELL) $(srcdir)/tests/cli/$$test.sh | grep '^not ok' || :; \
	done
	cd $(srcdir) && git status --short %D% && git --no-pager diff %D%
