/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as JSON: mutexes, tasks and counted events; see view_json_figures.h. */
#include "profile/shared/event_names.h"
#include "src/findings/event_labels.h"
#include "src/views/view_json_figures_internal.h"

/* omp_sync_hint_t in words. */
static void put_hints(struct json *json, uint32_t hints)
{
	static const char *const words[] = { "uncontended", "contended", "nonspeculative",
		"speculative" };

	json_array(json, "hints");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (hints >> i & 1)
			json_string(json, NULL, words[i]);
	}
	json_end_array(json);
	json_number(json, "hint_bits", hints);
}

void view_json_lock(struct json *json, const struct report *report, const struct figures_lock *lock)
{
	const struct metrics_lock *sum = &lock->sum;

	json_newline(json);
	json_object(json, NULL);
	json_string(json, "kind", figures_wait_word(sum->kind));
	view_json_place(json, lock->name, lock->label, lock->place);
	view_json_node(json, report_node(report, sum->node));
	json_number(json, "wait_id", sum->wait_id);
	if (lock->impl)
		json_string(json, "impl", lock->impl);
	else
		json_null(json, "impl");
	put_hints(json, sum->hints);
	json_number(json, "threads", sum->n_threads);
	json_number(json, "acquired", sum->n_acquired);
	json_number(json, "contended", sum->n_contended);
	json_seconds(json, "wait_s", sum->wait_ns);
	json_seconds(json, "wait_mean_s", sum->n_contended ? sum->wait_ns / sum->n_contended : 0);
	json_seconds(json, "wait_max_s", sum->max_wait_ns);
	json_seconds(json, "held_s", sum->held_ns);
	json_seconds(json, "hold_mean_s", sum->n_acquired ? sum->held_ns / sum->n_acquired : 0);
	json_seconds(json, "hold_max_s", sum->max_held_ns);
	json_seconds(json, "within_s", sum->within_ns);
	json_share(json, "held_share", sum->held_ns, sum->within_ns);
	json_end_object(json);
}

/* What the tasks of a site waited for before they could begin. */
static void put_awaits(
	struct json *json, const struct report *report, const struct figures_task *task)
{
	const struct figures *figures = &report->figures;

	json_array(json, "awaits");
	for (size_t i = task->first_await; i < task->first_await + task->n_awaits; i++) {
		const struct figures_await *await = &figures->awaits[i];
		const struct figures_task *awaited = &figures->tasks[await->awaited];

		json_newline(json);
		json_object(json, NULL);
		view_json_node(json, report_node(report, awaited->sum.node));
		view_json_place(json, awaited->label->name, awaited->label,
			view_json_place_of(awaited->label));
		json_number(json, "tasks", await->sum.n);
		json_seconds(json, "wait_s", await->sum.wait_ns);
		json_seconds(json, "mean_s", await->sum.n ? await->sum.wait_ns / await->sum.n : 0);
		json_seconds(json, "max_s", await->sum.max_ns);
		json_end_object(json);
	}
	json_end_array(json);
}

void view_json_task(struct json *json, const struct report *report, const struct figures_task *task)
{
	const struct metrics_task *sum = &task->sum;

	json_newline(json);
	json_object(json, NULL);
	view_json_node(json, report_node(report, sum->node));
	view_json_place(json, task->label->name, task->label, view_json_place_of(task->label));
	json_number(json, "created", sum->n_created);
	json_number(json, "executed", sum->n_executed);
	json_number(json, "creators", sum->n_creators);
	json_seconds(json, "busy_s", sum->busy_ns);
	json_seconds(json, "mean_s", sum->n_executed ? sum->busy_ns / sum->n_executed : 0);
	json_seconds(json, "max_s", sum->max_ns);
	json_share(json, "stolen_share", sum->n_stolen, sum->n_executed);
	json_seconds(json, "starved_s", sum->starved_ns);
	json_number(json, "cancelled", sum->n_cancelled);
	json_number(json, "detached", sum->n_detached);
	json_number(json, "fulfilled", sum->n_fulfilled);
	json_seconds(json, "blocked_s", sum->blocked_ns);
	put_awaits(json, report, task);
	json_end_object(json);
}

void view_json_event(
	struct json *json, const struct report *report, const struct figures_event *event)
{
	const struct figures_event_thread *thread = &report->figures.event_threads[event->first];
	char words[160];

	event_words_detail(words, sizeof(words), event->event, event->detail);
	json_newline(json);
	json_object(json, NULL);
	view_json_node(json, report_node(report, event->node));
	json_string(json, "event", event_name(event->event));
	json_string(json, "detail", words);
	json_number(json, "value", event->detail);
	view_json_place(json, event->label->name, event->label, event->place);
	json_number(json, "count", event->n);
	json_number(json, "looked", event->n_looked);
	json_number(json, "amount", event->amount);
	json_number(json, "members", event->n_members);
	json_array(json, "threads");
	for (size_t i = 0; i < event->n_threads; i++, thread++) {
		json_object(json, NULL);
		json_number(json, "thread", view_json_thread(report, thread->thread));
		view_json_owner(json, report, thread->thread);
		json_number(json, "count", thread->n);
		json_number(json, "amount", thread->amount);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}
