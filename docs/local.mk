# SPDX-License-Identifier: Apache-2.0
# How ompprof is built and why, page by page; README.md is the map.
EXTRA_DIST += \
	%D%/README.md \
	%D%/add-a-advice.md \
	%D%/add-a-architecture.md \
	%D%/add-a-cause.md \
	%D%/add-a-clock.md \
	%D%/add-a-event.md \
	%D%/add-a-export.md \
	%D%/add-a-option.md \
	%D%/add-a-view.md \
	%D%/add-a-wait-kind.md \
	%D%/add-a-walker.md \
	%D%/build-and-test.md \
	%D%/glossary.md \
	%D%/hostile-input.md \
	%D%/internals/blame.md \
	%D%/internals/blocking.md \
	%D%/internals/devices.md \
	%D%/internals/endings.md \
	%D%/internals/memory-order.md \
	%D%/internals/mutexes.md \
	%D%/internals/phases.md \
	%D%/internals/regions-and-tasks.md \
	%D%/internals/sample.md \
	%D%/internals/timeline.md \
	%D%/internals/waits-and-timing.md \
	%D%/libgomp.md \
	%D%/odd-decisions.md \
	%D%/offline/annotate.md \
	%D%/offline/attribution.md \
	%D%/offline/compare.md \
	%D%/offline/export.md \
	%D%/offline/metrics.md \
	%D%/offline/names.md \
	%D%/offline/own-cost.md \
	%D%/offline/page.md \
	%D%/offline/processes.md \
	%D%/offline/reader.md \
	%D%/offline/report.md \
	%D%/offline/running.md \
	%D%/packages.md \
	%D%/proofs.md \
	%D%/signal-safety.md \
	%D%/tutorial.md \
	%D%/tutorial.sh \
	%D%/unwinder.md
