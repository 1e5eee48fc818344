# SPDX-License-Identifier: Apache-2.0
# `make bench` prints what walks and profiling cost; it is no test and never fails on speed.
bench_kernels = \
	%D%/kernels/barriers \
	%D%/kernels/compute \
	%D%/kernels/inlining \
	%D%/kernels/locks \
	%D%/kernels/recursion \
	%D%/kernels/regions \
	%D%/kernels/stencil \
	%D%/kernels/tasks \
	%D%/kernels/tiny
bench_gomp = $(addprefix %D%/kernels-gomp/,barriers compute locks regions stencil tasks tiny)
bench_tools = %D%/measure %D%/empty_handler.so %D%/register_threads.so
bench_captures = %D%/capture_cost
bench_constructs = %D%/constructs %D%/sharing
bench_cost = %D%/constructs %D%/handler %D%/sites
bench_counted = %D%/counted
bench_reads = %D%/reads
bench_regions = %D%/in_turns
bench_switched = %D%/switched

EXTRA_DIST += \
	%D%/README \
	%D%/RESULTS.md \
	%D%/bench.py \
	%D%/scale.sh \
	%D%/scratch.sh \
	%D%/capture_cost.c \
	%D%/captures.sh \
	%D%/claims.py \
	%D%/constructs.c \
	%D%/constructs.sh \
	%D%/cost.py \
	%D%/counted.c \
	%D%/counted.sh \
	%D%/empty_handler.c \
	%D%/events.h \
	%D%/handler.c \
	%D%/in_turns.c \
	%D%/in_turns.py \
	%D%/kernels/barriers.c \
	%D%/kernels/compute.c \
	%D%/kernels/inlining.cpp \
	%D%/kernels/kernel.h \
	%D%/kernels/locks.c \
	%D%/kernels/recursion.c \
	%D%/kernels/regions.c \
	%D%/kernels/stencil.c \
	%D%/kernels/sweep.h \
	%D%/kernels/tasks.c \
	%D%/kernels/tiny.c \
	%D%/measure.c \
	%D%/processes.py \
	%D%/proxy.h \
	%D%/reads.c \
	%D%/reads.sh \
	%D%/register_threads.c \
	%D%/sharing.c \
	%D%/sharing.sh \
	%D%/sites.c \
	%D%/start.py \
	%D%/summary.py \
	%D%/switched.c \
	%D%/switched.py \
	%D%/symbols.sh \
	%D%/symbols_unit.cc \
	%D%/timeline.c \
	%D%/tools.py \
	%D%/true_cost.py \
	%D%/walks.sh
CLEANFILES += %D%/bench.json %D%/cost.json %D%/regions.json %D%/start.json %D%/switched.json %D%/true_cost.json \
	$(bench_kernels) $(bench_gomp) $(bench_tools) $(bench_captures) $(bench_constructs) $(bench_cost) $(bench_counted) \
	$(bench_reads) $(bench_regions) $(bench_switched) %D%/constructs_gomp %D%/timeline \
	$(EXTRA_PROGRAMS) $(EXTRA_LIBRARIES)

# Walks; what is walked in has no frame pointers, or has them.
EXTRA_PROGRAMS = %D%/walks
EXTRA_LIBRARIES = %D%/libplain.a %D%/libpointers.a
%C%_walks_SOURCES = \
	%D%/walks.c \
	%D%/walks.h \
	%D%/walks_calls.c \
	%D%/walks_cold.c \
	%D%/walks_objects.c \
	%D%/walks_sampled.c \
	%D%/walks_threads.c
%C%_walks_CFLAGS = $(OMPPROF_CFLAGS) -fno-omit-frame-pointer
%C%_walks_LDADD = %D%/libplain.a %D%/libpointers.a libwalker.la
%C%_libplain_a_SOURCES = %D%/walks_program.c %D%/walks_program.h
%C%_libplain_a_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=program_plain
%C%_libplain_a_CFLAGS = $(OMPPROF_CFLAGS) -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
%C%_libpointers_a_SOURCES = $(%C%_libplain_a_SOURCES)
%C%_libpointers_a_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM=program_pointers -DWITH_FRAME_POINTERS
%C%_libpointers_a_CFLAGS = $(OMPPROF_CFLAGS) -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls

.PHONY: bench bench-claims bench-cost bench-programs bench-start bench-walks bench-captures bench-constructs bench-events bench-gomp bench-reads bench-regions bench-scale bench-sharing bench-switched bench-symbols bench-timeline bench-true-cost clean-bench-symbols
# Whole programs first. A part that fails is left behind.
bench: all $(bench_kernels) $(bench_tools) $(bench_captures) $(bench_constructs) $(bench_counted) $(EXTRA_PROGRAMS)
	-@$(MAKE) $(AM_MAKEFLAGS) -s bench-programs
	-@test "$(BENCH_COST)" = 0 || $(MAKE) $(AM_MAKEFLAGS) -s bench-cost
	-@test "$(BENCH_REGIONS)" = 0 || $(MAKE) $(AM_MAKEFLAGS) -s bench-regions
	-@test "$(BENCH_SWITCHED)" = 0 || $(MAKE) $(AM_MAKEFLAGS) -s bench-switched
	-@test "$(BENCH_START)" = 0 || $(MAKE) $(AM_MAKEFLAGS) -s bench-start
	-@test "$(BENCH_WALKS)" = 0 || $(SHELL) $(srcdir)/%D%/walks.sh
	-@test "$(BENCH_CAPTURES)" = 0 || $(SHELL) $(srcdir)/%D%/captures.sh
	-@test "$(BENCH_CONSTRUCTS)" = 0 || $(SHELL) $(srcdir)/%D%/constructs.sh
	-@test "$(BENCH_EVENTS)" = 0 || $(SHELL) $(srcdir)/%D%/counted.sh
	-@test "$(BENCH_SHARING)" = 0 || $(SHELL) $(srcdir)/%D%/sharing.sh
	-@test "$(BENCH_CLAIMS)" = 0 || $(MAKE) $(AM_MAKEFLAGS) -s bench-claims
	-@test "$(BENCH_SYMBOLS)" = 0 || $(MAKE) $(AM_MAKEFLAGS) -s bench-symbols

bench-programs: all $(bench_kernels) $(bench_tools)
	@PYTHONDONTWRITEBYTECODE=1 python3 $(srcdir)/%D%/bench.py

bench-cost: all $(bench_kernels) $(bench_tools) $(bench_cost)
	@PYTHONDONTWRITEBYTECODE=1 python3 $(srcdir)/%D%/cost.py

bench-start: all $(bench_tools)
	@PYTHONDONTWRITEBYTECODE=1 OMP_CC="$(OMP_CC)" python3 $(srcdir)/%D%/start.py

bench-walks: all %D%/kernels/regions $(EXTRA_PROGRAMS)
	@$(SHELL) $(srcdir)/%D%/walks.sh

bench-captures: all $(bench_captures) $(bench_tools)
	@$(SHELL) $(srcdir)/%D%/captures.sh

bench-constructs: all $(bench_constructs) $(bench_tools)
	@$(SHELL) $(srcdir)/%D%/constructs.sh

bench-gomp: all %D%/constructs_gomp $(bench_tools)
	@$(SHELL) $(srcdir)/%D%/constructs.sh gomp

bench-events: all $(bench_counted)
	@$(SHELL) $(srcdir)/%D%/counted.sh

bench-reads: all $(bench_reads)
	@$(SHELL) $(srcdir)/%D%/reads.sh

bench-regions: all $(bench_regions)
	@PYTHONDONTWRITEBYTECODE=1 python3 $(srcdir)/%D%/in_turns.py

bench-switched: all $(bench_switched)
	@PYTHONDONTWRITEBYTECODE=1 python3 $(srcdir)/%D%/switched.py

bench-true-cost: all %D%/measure $(bench_kernels) $(bench_gomp)
	@PYTHONDONTWRITEBYTECODE=1 python3 $(srcdir)/%D%/true_cost.py

bench-sharing: all $(bench_constructs) $(bench_tools)
	@$(SHELL) $(srcdir)/%D%/sharing.sh

bench-claims: all %D%/claims$(EXEEXT) $(bench_kernels)
	@PYTHONDONTWRITEBYTECODE=1 python3 $(srcdir)/%D%/claims.py

bench-timeline: %D%/timeline
	@%D%/timeline

bench-scale: all tests/scale/generate$(EXEEXT) $(bench_tools)
	@$(SHELL) $(srcdir)/%D%/scale.sh

bench-symbols: all tests/symbols/lookup$(EXEEXT) demo/ljmd $(bench_tools)
	@srcdir=$(abs_srcdir) CXX=g++ $(SHELL) $(srcdir)/%D%/symbols.sh

clean-local: clean-bench-symbols
clean-bench-symbols:
	rm -rf %D%/symbols.tmp

# What threads share, claimed by the tool's own functions; tests/bench/claims.sh runs it, too.
check_PROGRAMS += %D%/claims
%C%_claims_SOURCES = %D%/claims.c %D%/claims.h %D%/claims_kinds.c
%C%_claims_CFLAGS = $(OMPPROF_CFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_claims_LDFLAGS = -Wl,-z,now
%C%_claims_LDADD = $(libompprof_la_OBJECTS) libwalker.la -ldl

# Frame pointers are for those who walk by them.
bench_flags = -fopenmp -O2 -g -fno-omit-frame-pointer -I$(srcdir)
$(bench_kernels): %D%/kernels/kernel.h tests/programs/work.h
$(filter-out %D%/kernels/inlining,$(bench_kernels)): %: %.c
	$(AM_V_at)$(MKDIR_P) %D%/kernels
	$(AM_V_CCLD)$(OMP_CC) $(bench_flags) -o $@ $<

$(bench_gomp): %D%/kernels-gomp/%: %D%/kernels/%.c %D%/kernels/kernel.h %D%/kernels/sweep.h tests/programs/work.h
	$(AM_V_at)$(MKDIR_P) %D%/kernels-gomp
	$(AM_V_CCLD)gcc $(bench_flags) -o $@ $<

%D%/kernels/stencil: %D%/kernels/sweep.h

%D%/kernels/inlining: %D%/kernels/inlining.cpp
	$(AM_V_at)$(MKDIR_P) %D%/kernels
	$(AM_V_CCLD)$(OMP_CC) -x c++ $(bench_flags) -o $@ $(srcdir)/%D%/kernels/inlining.cpp -lstdc++ -lm

%D%/measure: %D%/measure.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(CC) $(OMPPROF_CFLAGS) -O2 -D_GNU_SOURCE -o $@ $(srcdir)/%D%/measure.c

%D%/handler: %D%/kernels/kernel.h tests/programs/work.h
%D%/capture_cost %D%/constructs %D%/counted %D%/handler %D%/sharing %D%/sites: %: %.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(OMP_CC) -fopenmp -O2 -g -D_GNU_SOURCE -fno-optimize-sibling-calls -I$(srcdir) -o $@ $<

%D%/constructs_gomp: %D%/constructs.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)gcc -fopenmp -O2 -g -D_GNU_SOURCE -fno-optimize-sibling-calls -I$(srcdir) -o $@ $<

# They are the tool that the runtime finds.
%D%/switched: %D%/kernels/sweep.h
%D%/in_turns %D%/switched: %: %.c %D%/proxy.h %D%/kernels/kernel.h tests/programs/work.h
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(OMP_CC) -fopenmp -O2 -g -D_GNU_SOURCE $(OMP_TOOLS_CFLAGS) -I$(srcdir) -rdynamic -o $@ $< -ldl

%D%/empty_handler.so %D%/register_threads.so: %.so: %.c %D%/events.h
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(CC) $(OMPPROF_CFLAGS) -Wno-missing-prototypes $(OMP_TOOLS_CFLAGS) -O2 -D_GNU_SOURCE \
		-I$(srcdir) \
		-shared -fPIC -Wl,-z,nodelete -o $@ $< -ldl

# The tool's own code, with the file of a stand-in.
%D%/timeline: %D%/timeline.c tests/unit/sampler/timeline_stage.c sampler/core/timeline.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(CC) -std=gnu11 $(OMPPROF_CFLAGS) $(OMP_TOOLS_CFLAGS) -O2 -D_GNU_SOURCE -I. -I$(srcdir) -o $@ \
		$(srcdir)/%D%/timeline.c $(srcdir)/tests/unit/sampler/timeline_stage.c $(srcdir)/sampler/core/timeline.c
