/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline: a row for each thread, whose colour is the state it was in most. */

function buildTimeline() {
	byId('timeline').hidden = true;
}
