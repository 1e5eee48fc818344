# SPDX-License-Identifier: Apache-2.0
# Whether what is measured is true: `make accuracy` prints it for each construct, runtime, compiler and way
# of waiting, and for the demo's advice, in about a quarter of an hour; a short version is a test.
ACCURACY_TESTS = tests/accuracy/bounds.sh tests/accuracy/short.sh
TESTS += $(ACCURACY_TESTS)
EXTRA_DIST += $(ACCURACY_TESTS) \
	tests/accuracy/accuracy.sh \
	tests/accuracy/blame.c \
	tests/accuracy/constructs.c \
	tests/accuracy/demo.sh \
	tests/accuracy/judge.jq \
	tests/accuracy/many.c \
	tests/accuracy/matrix.txt \
	tests/accuracy/table.sh \
	tests/accuracy/truth.h \
	tests/accuracy/truth_sum.h \
	tests/accuracy/workshare.f90

.PHONY: accuracy clean-accuracy
accuracy: all demo
	@$(AM_TESTS_ENVIRONMENT) status=0; \
	for part in "table.sh constructs" "table.sh blame" "bounds.sh 20" demo.sh; do \
		$(SHELL) $(abs_top_srcdir)/tests/accuracy/$$part || status=1; \
	done; exit $$status

clean-local: clean-accuracy
clean-accuracy:
	rm -rf tests/accuracy/libomp*/ tests/accuracy/omp*/
