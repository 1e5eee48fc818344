/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scripted runtime leaves out a part of OMPT that it claims to have: the environment variable
 * SCRIPTED_WITHOUT names it. A test that fails without the part shows that it covers it.
 *
 *   ompt_callback_flush           the event is never sent; buffer_request and buffer_complete:
 *                                 never called
 *   ompt_state_wait_lock          ompt_get_state answers a number that has no name instead
 *   ompt_get_state                the lookup of the runtime, or of devices, does not know it
 *   ompt_record_target_submit     a record of a device has a type without a name instead
 *   ompt_record_native            a device records nothing of its own kind
 */
#ifndef OMPPROF_TESTS_RUNTIME_LEAVE_OUT_H
#define OMPPROF_TESTS_RUNTIME_LEAVE_OUT_H

enum { LEAVE_OUT_NUMBER = 9999 /* of no state and no type of record */ };

/* Whether it is the part of this whole name. */
int leave_out(const char *name);

/* Whether it is the event, or the record, of this ompt_callbacks_t. */
int leave_out_event(int event);
int leave_out_record(int event);

/* The state, or LEAVE_OUT_NUMBER. */
int leave_out_state(int state);

#endif
