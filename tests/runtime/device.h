/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices of the scripted runtime: the lookup that device_initialize gives the tool, and traces
 * that are recorded as the script says. Each device has a clock of its own, and writes records to
 * buffers of the tool's, where they lie one behind the other. A cursor is not the offset of a
 * record, but made of it. Only steps of the script, and entry points that the tool calls, record,
 * ask for a buffer or complete it.
 */
#ifndef OMPPROF_TESTS_RUNTIME_DEVICE_H
#define OMPPROF_TESTS_RUNTIME_DEVICE_H

#include <omp-tools.h>

#include "tests/runtime/stage.h"

/*
 * A thread's actions on a device. Each is a verb of the script, of the form that events.h explains.
 * Where no device is named it is device 0. Times are the host's: `ago` is how long before now an
 * operation began, `for` how long it took. A number of `begin` or `end` is put into the record
 * instead, as it is.
 *
 *   trace_offers WHAT      the lookup of devices knows entry points: all, none, or all but some
 *                          (`-NAME,...`)
 *   trace_clock            offset + rate / per times the host's ns; `back` takes so much away
 *   trace_answers          the answers of ompt_set_trace_ompt (`newer`: for the _emi records),
 *                          ompt_set_trace_native and ompt_start_trace
 *   trace_kernel, _data    a record, if the tool asked for its kind
 *   trace_record TYPE      records of any type: the name of its callback, or a number
 *   trace_native           a record of the device's own kind
 *   trace_odd HOW          a record that is invalid, null, wild (at an address where nothing is),
 *                          short (does not end within the buffer), foreign (in memory of the
 *                          runtime), unknown (native, without an abstract one), nameless (native,
 *                          whose name is nowhere)
 *   trace_random           64 n random bytes as records, and cursors that go anywhere
 *   trace_cursors HOW      from here on: right, stuck (the next is the same), ring (the first
 *                          follows the last), endless (there is always another)
 *   trace_request          asks for a buffer, n times; the device keeps its earlier buffers for
 *                          `trace_complete buffer=`
 *   trace_complete         hands over the buffer in use, or buffer `buffer`, from record `from` on
 *   trace_flush            likewise, if a buffer is in use
 *   trace_again            completes within the next question for a cursor
 *   trace_expect WHAT N    how often the tool did it, or how many the device has: starts, pauses,
 *                          goes_on, flushes, stops, refused, native (the flags), buffers
 */
#define DEVICE_ACTIONS(X)                                                                          \
	X(trace_offers, "what:text")                                                               \
	X(trace_clock, "device:number=0 offset:number=0 rate:number=1 per:number=1 back:number=0") \
	X(trace_answers, "device:number=0 ompt:result=always native:result=always start:number=1 " \
			 "newer:result=always")                                                    \
	X(trace_kernel, "op:object device:number=0 ago:number=0 for:number=0 begin:number=-1 "     \
			"end:number=-1 teams:number=1 target:object=- id:number=0 emi:number=0")   \
	X(trace_data, "kind:data_op op:object device:number=0 ago:number=0 for:number=0 "          \
		      "begin:number=-1 end:number=-1 bytes:number=0 target:object=- id:number=0 "  \
		      "emi:number=0")                                                              \
	X(trace_record, "type:text device:number=0 n:number=1")                                    \
	X(trace_native, "op:object device:number=0 ago:number=0 for:number=0 class:number=2 "      \
			"name:text=native")                                                        \
	X(trace_odd, "how:text device:number=0")                                                   \
	X(trace_random, "seed:number n:number device:number=0")                                    \
	X(trace_cursors, "how:text device:number=0")                                               \
	X(trace_request, "device:number=0 n:number=1")                                             \
	X(trace_complete, "device:number=0 owned:number=1 buffer:number=-1 from:number=0 "         \
			  "bytes:number=-1 at:number=0")                                           \
	X(trace_flush, "device:number=0")                                                          \
	X(trace_again, "device:number=0")                                                          \
	X(trace_expect, "what:text count:number device:number=0")

#define DEVICE_ACTION_OF(name, form) DEVICE_##name,
enum device_action { DEVICE_ACTIONS(DEVICE_ACTION_OF) DEVICE_N_ACTIONS };

/* The handle that the tool gets for the device of this number. */
ompt_device_t *device_of(int number);

/*
 * The lookup of devices. Before `trace_offers` it knows no entry point, like the lookup of LLVM's
 * runtime.
 */
ompt_interface_fn_t device_lookup(const char *name);

/* Does an action: step->event is DEVICE_FIRST_ACTION + enum device_action. */
enum { DEVICE_FIRST_ACTION = STAGE_N_EVENTS };
void device_act(const struct step *step);

#endif
