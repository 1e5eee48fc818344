# SPDX-License-Identifier: Apache-2.0
# Whether what is measured is true: `make accuracy` prints it for each construct, runtime, compiler and way
# of waiting, and for the demo's advice, in about a quarter of an hour; a short version is a test.
ACCURACY_TESTS = %D%/bounds.sh %D%/contention.sh %D%/fine.sh %D%/short.sh
TESTS += $(ACCURACY_TESTS)
EXTRA_DIST += $(ACCURACY_TESTS) \
	%D%/accuracy.sh \
	%D%/blame.c \
	%D%/constructs.c \
	%D%/contention.c \
	%D%/demo.sh \
	%D%/fine.c \
	%D%/judge.jq \
	%D%/many.c \
	%D%/matrix.txt \
	%D%/periods.sh \
	%D%/table.sh \
	%D%/truth.h \
	%D%/truth_sum.h \
	%D%/workshare.f90

.PHONY: accuracy clean-accuracy
accuracy: all demo
	@$(AM_TESTS_ENVIRONMENT) status=0; \
	CONTENTION_ALL=1 $(SHELL) $(abs_top_srcdir)/%D%/contention.sh || status=1; \
	for part in "table.sh constructs" "table.sh blame" "bounds.sh 20" periods.sh demo.sh; do \
		$(SHELL) $(abs_top_srcdir)/%D%/$$part || status=1; \
	done; exit $$status

clean-local: clean-accuracy
clean-accuracy:
	rm -rf %D%/libomp*/ %D%/omp*/
