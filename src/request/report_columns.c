/* SPDX-License-Identifier: Apache-2.0 */
/* The columns that any table of the report has, for completion; tests/unit/options compares. */
#include <stddef.h>

#include "src/request/report_request.h"

const char *const report_columns[] = {
#define RUN_CAUSE(...)
#define CAUSE(NAME, word, ...) word,
#include "attribution/metrics/causes.def"
	"acquired", "address", "alloc_bytes", "alloc_time", "allocs", "amount", "associates",
	"await", "awaiting", "bar", "barrier", "begun", "blame", "blocks", "busy", "cancelled",
	"capacity", "cause", "chunks", "complete", "contended", "contended%", "count", "counted",
	"created", "creators", "data", "data_wait", "delete_time", "deletes", "depth", "detached",
	"detail", "device_from_gbps", "device_kernel", "device_queue", "device_to_gbps",
	"efficiency", "event", "events", "executed", "executions", "factor", "file", "from",
	"from_bytes", "from_gbps", "from_mb", "from_time", "fulfilled", "function", "gain", "held",
	"held%", "hold_max", "hold_mean", "host", "idle", "idle%", "impl", "iterations",
	"iterations%", "iterations_per_chunk", "kernel", "kernel_max", "kernel_time", "kernel_wait",
	"kernels", "kind", "line", "lives", "looked%", "lost", "maps", "max", "mean", "min",
	"module", "moving%", "name", "native", "native_time", "of_mean", "offset", "other", "p50",
	"p95", "path", "persistent", "pid", "place", "program", "queue", "rank", "records",
	"samples", "self", "self%", "self_events", "self_samples", "share", "space", "start",
	"starved", "stolen%", "teams", "thread", "thread_max", "thread_mean", "thread_min",
	"threads", "threads_max", "tid", "time", "times", "to", "to_bytes", "to_gbps", "to_mb",
	"to_time", "total", "total%", "traced", "type", "unsampled", "useful", "wait", "wait%",
	"wait_max", "wait_mean", "waits", "wall", "wall%", "word", "work", NULL
};
