/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a case, handed to its actors one after the other; see conduct_parts.h. */
#include "tests/runtime/conduct_parts.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/runtime/clock.h"

/* A step that takes longer hangs. With a sanitizer on a busy machine steps take long. */
enum { PATIENCE_S = 30, MAX_SAMPLES = 1000000 };

void conduct_fail(struct conductor *conductor, const char *format, ...)
{
	char *text = conductor->outcome->failure;
	size_t bytes = sizeof(conductor->outcome->failure), n = 0;
	const struct statement *at = conductor->step ? conductor->step->at : NULL;
	va_list args;

	if (text[0])
		return;
	if (at)
		n = (size_t)snprintf(
			text, bytes, "%s:%d: '%.200s': ", at->file, at->line, at->text);
	va_start(args, format);
	if (n < bytes)
		vsnprintf(text + n, bytes - n, format, args);
	va_end(args);
}

/* Notes how the process ended. */
static void note_end(struct conductor *conductor, int status)
{
	conductor->is_over = 1;
	conductor->outcome->status =
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Notes how far the actor has come in the steps that it was given. */
static void note_step(struct conductor *conductor, const struct actor *actor)
{
	if (actor->step && actor->step->at)
		conductor->step = actor->step;
}

/* Waits until the actor asks for its next step. Returns 0, or -1 if it failed, ended or hangs. */
static int await(struct conductor *conductor, struct actor *actor)
{
	enum { SLICES_PER_S = 10 };

	for (int i = 0; i < PATIENCE_S * SLICES_PER_S; i++) {
		struct timespec until;
		int status;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 1000000000 / SLICES_PER_S;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (sem_timedwait(&actor->done, &until) == 0) {
			note_step(conductor, actor);
			if (actor->failure[0])
				conduct_fail(conductor, "%s", actor->failure);
			return actor->failure[0] ? -1 : 0;
		}
		if (waitpid(conductor->pid, &status, WNOHANG) == conductor->pid) {
			note_end(conductor, status);
			note_step(conductor, actor);
			conduct_fail(conductor, "the process ended, with status %d",
				conductor->outcome->status);
			return -1;
		}
	}
	note_step(conductor, actor);
	conduct_fail(conductor, "hangs");
	return -1;
}

/* Hands the steps from `step` to `last` to the actor. */
static void command(struct actor *actor, const struct step *step, const struct step *last)
{
	actor->step = step;
	actor->last = last;
	sem_post(&actor->go);
}

static int perform(struct conductor *conductor, struct actor *actor, const struct step *step)
{
	command(actor, step, step);
	return await(conductor, actor);
}

/* Fills in the signal of the actor's timer; if it has none, of any timer. */
static void prepare_signal(struct actor *actor, int code)
{
	const struct stage_timer *timer = &actor->timer;

	for (int i = 0; i < STAGE_MAX_ACTORS && !timer->signal; i++)
		timer = &stage->actors[i].timer;
	memset(&actor->info, 0, sizeof(actor->info));
	actor->info.si_signo = timer->signal ? timer->signal : SIGURG;
	actor->info.si_code = code;
	if (code == SI_TIMER)
		actor->info.si_value.sival_ptr = timer->value;
}

/* Whether the actor has a clock whose signal can come. */
static int has_clock(struct conductor *conductor, const struct actor *actor)
{
	if (!actor->timer.is_armed)
		conduct_fail(conductor, "its thread has no clock");
	return actor->timer.is_armed;
}

static int send(struct conductor *conductor, struct actor *actor)
{
	static const struct step sample = { .kind = STEP_SAMPLE };

	return perform(conductor, actor, &sample);
}

static int take_sample(struct conductor *conductor, struct actor *actor)
{
	if (!has_clock(conductor, actor))
		return -1;
	prepare_signal(actor, SI_TIMER);
	actor->timer.is_armed = 0;
	actor->n_sent++;
	return send(conductor, actor);
}

static int interrupt(
	struct conductor *conductor, struct actor *actor, uint64_t look, uint64_t instruction)
{
	if (!has_clock(conductor, actor))
		return -1;
	prepare_signal(actor, SI_TIMER);
	actor->interrupt = (uint32_t)look;
	actor->instructions = (uint32_t)instruction;
	return 0;
}

static int send_foreign(struct conductor *conductor, struct actor *actor, int code)
{
	prepare_signal(actor, code);
	return send(conductor, actor);
}

/* The actor whose timer is due first, at most `ns` from now; NULL: none. */
static struct actor *first_due(uint64_t ns, uint64_t *until)
{
	struct actor *first = NULL;

	*until = ns;
	for (int i = 0; i < STAGE_MAX_ACTORS; i++) {
		struct actor *actor = &stage->actors[i];
		uint64_t due = actor->pid ? clock_until_due(actor) : UINT64_MAX;

		if (due < *until || (due == *until && !first)) {
			first = actor;
			*until = due;
		}
	}
	return first;
}

static int run(struct conductor *conductor, uint64_t ns)
{
	for (int i = 0; i < MAX_SAMPLES; i++) {
		uint64_t until;
		struct actor *actor = first_due(ns, &until);

		clock_advance(until);
		ns -= until;
		if (!actor)
			return 0;
		if (take_sample(conductor, actor) != 0)
			return -1;
	}
	conduct_fail(conductor, "samples without an end");
	return -1;
}

/* Ends a process. The first process is waited for here, a child by its parent. */
static int end(struct conductor *conductor, struct actor *actor, const struct step *step)
{
	int status;

	/* A run of no time at all has no rate of ticks, and so no figures. */
	if (stage->now_ns == CLOCK_BEGIN_NS)
		clock_advance(1000);
	command(actor, step, step);
	if (actor->pid != conductor->pid)
		return 0;
	for (int i = 0; i < PATIENCE_S * 1000 && !conductor->is_over; i++) {
		if (waitpid(conductor->pid, &status, WNOHANG) == conductor->pid)
			note_end(conductor, status);
		else
			usleep(i < 50 ? 100 : 1000);
	}
	if (!conductor->is_over)
		conduct_fail(conductor, "hangs as it ends");
	return conductor->is_over ? 0 : -1;
}

/* Returns 0, or -1: the case cannot go on. */
static int do_step(struct conductor *conductor, const struct step *step)
{
	struct actor *actor = step->actor >= 0 ? &stage->actors[step->actor] : NULL;

	switch (step->kind) {
	case STEP_ADVANCE:
		clock_advance(step->v[0]);
		return 0;
	case STEP_RUN:
		return run(conductor, step->v[0]);
	case STEP_OFF:
		actor->is_off = (uint32_t)step->v[0];
		return 0;
	case STEP_INTERRUPT:
		return interrupt(conductor, actor, step->v[0], step->v[1]);
	case STEP_TAKE:
		return take_sample(conductor, actor);
	case STEP_SIGNAL:
		return send_foreign(conductor, actor, (int)step->v[0]);
	case STEP_THREAD:
	case STEP_NATIVE:
	case STEP_FORK:
		return perform(conductor, actor, step) != 0
			       ? -1
			       : await(conductor, &stage->actors[step->v[0]]);
	case STEP_QUIT:
		command(actor, step, step);
		return 0;
	case STEP_EXIT:
		return end(conductor, actor, step);
	default:
		return perform(conductor, actor, step);
	}
}

/* Kills the processes of the case that are left. */
static void kill_all(struct conductor *conductor)
{
	for (int i = STAGE_MAX_ACTORS; i-- > 1;) {
		pid_t pid = stage->actors[i].pid;

		if (pid && pid != conductor->pid && pid != getpid())
			kill(pid, SIGKILL);
	}
	if (!conductor->is_over) {
		kill(conductor->pid, SIGKILL);
		waitpid(conductor->pid, NULL, 0);
	}
}

/* Whether the conductor has nothing to do with the step but to hand it over. */
static int is_quiet(const struct step *step)
{
	switch (step->kind) {
	case STEP_ADVANCE:
	case STEP_RUN:
	case STEP_OFF:
	case STEP_INTERRUPT:
	case STEP_TAKE:
	case STEP_SIGNAL:
	case STEP_THREAD:
	case STEP_NATIVE:
	case STEP_FORK:
	case STEP_QUIT:
	case STEP_EXIT:
		return 0;
	default:
		return 1;
	}
}

/* Whether the actor of the first step can do the other step next, without the conductor. */
static int is_next(const struct step *first, const struct step *next)
{
	return next->kind == STEP_ADVANCE || (next->actor == first->actor && is_quiet(next));
}

void conduct_steps(struct conductor *conductor)
{
	const struct play *play = conductor->play;
	int is_well = await(conductor, &stage->actors[0]) == 0;

	for (size_t i = 0; i < play->n_steps && is_well; i++) {
		const struct step *step = conductor->step = &play->steps[i];

		if (!is_quiet(step)) {
			is_well = do_step(conductor, step) == 0;
			continue;
		}
		while (i + 1 < play->n_steps && is_next(step, &play->steps[i + 1]))
			i++;
		command(&stage->actors[step->actor], step, &play->steps[i]);
		is_well = await(conductor, &stage->actors[step->actor]) == 0;
	}
	if (!is_well || !conductor->is_over)
		kill_all(conductor);
}
