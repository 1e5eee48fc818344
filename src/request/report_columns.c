/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns that any table of the report has, for completion. tests/unit/text/options compares
 * them.
 */
#include <stddef.h>

#include "src/request/report_request.h"

const char *const report_columns[] = { "acquired", "address", "alloc_bytes", "alloc_time", "allocs",
	"amount", "associates", "await", "awaiting", "bar", "barrier", "begun", "blame", "blocked",
	"blocks", "busy", "cancelled", "capacity", "cause", "chunks", "complete", "contended",
	"contended%", "count", "counted", "created", "creators", "data", "data_wait", "delete_time",
	"deletes", "depth", "detached", "detail", "device", "device_from_gbps", "device_kernel",
	"device_queue", "device_to_gbps", "efficiency", "event", "events", "executed", "executions",
	"factor", "file", "from", "from_bytes", "from_gbps", "from_mb", "from_time", "fulfilled",
	"function", "gain", "held", "held%", "hold_max", "hold_mean", "host", "idle", "idle%",
	"imbalance", "impl", "iterations", "iterations%", "iterations_per_chunk", "kernel",
	"kernel_max", "kernel_time", "kernel_wait", "kernels", "kind", "line", "lives", "lock",
	"looked%", "lost", "maps", "max", "mean", "min", "module", "moving%", "mpi", "name",
	"native", "native_time", "not_running", "of_mean", "offset", "other", "overhead", "p50",
	"p95", "path", "persistent", "pid", "place", "program", "queue", "rank", "records",
	"samples", "self", "self%", "self_events", "self_samples", "share", "short_team", "space",
	"start", "starved", "stolen%", "task", "teams", "thread", "thread_max", "thread_mean",
	"thread_min", "threads", "threads_max", "tid", "time", "times", "to", "to_bytes", "to_gbps",
	"to_mb", "to_time", "total", "total%", "traced", "type", "unsampled", "useful", "wait",
	"wait%", "wait_max", "wait_mean", "waits", "wall", "wall%", "word", "work", NULL };
