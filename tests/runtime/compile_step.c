/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of threads that are no events; see compile_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/compile_parts.h"
#include "tests/runtime/user.h"
#include "tests/runtime/words.h"

struct compiled_actor *compile_actor(
	struct compiler *compiler, const char *name, const struct statement *at)
{
	struct play *play = compiler->play;
	int i = compile_find_actor(play, name);

	if (i < 0) {
		if (play->n_actors == STAGE_MAX_ACTORS)
			script_fail(at, "too many threads");
		i = play->n_actors++;
		play->actors[i] = name;
	}
	return &compiler->actors[i];
}

static int index_of(const struct compiler *compiler, const struct compiled_actor *actor)
{
	return (int)(actor - compiler->actors);
}

/* An actor of this name; an error if there has been one already. */
static struct compiled_actor *new_actor(
	struct compiler *compiler, const char *name, const struct statement *at)
{
	struct compiled_actor *actor;

	if (!name)
		script_fail(at, "which thread?");
	actor = compile_actor(compiler, name, at);
	if (actor->is_there || actor->depth)
		script_fail(at, "'%s' has been there already", name);
	actor->is_there = 1;
	return actor;
}

/* The actor that creates the statement's thread: `by=`, or A. */
static int creator(struct compiler *compiler, const struct statement *at)
{
	const char *by = compile_key(at, "by");
	int actor = compile_find_actor(compiler->play, by ? by : "A");

	if (actor < 0 || !compiler->actors[actor].is_there)
		script_fail(at, "there is no thread '%s'", by ? by : "A");
	return actor;
}

static void create(struct compiler *compiler, const struct statement *at, enum step_kind kind)
{
	int by = creator(compiler, at);
	struct compiled_actor *actor = new_actor(compiler, at->word[1], at);

	if (kind == STEP_NATIVE && compiler->actors[by].is_runtime[compiler->actors[by].depth])
		script_fail(at, "only the user's code creates native threads");
	compile_add(compiler, at, by, kind)->v[0] = (uint64_t)index_of(compiler, actor);
	actor->depth = 1;
	actor->is_runtime[1] = kind == STEP_THREAD;
	actor->function[1] = USER_THREAD;
	actor->parent = by;
}

void compile_thread(struct compiler *compiler, const struct statement *at)
{
	create(compiler, at, STEP_THREAD);
}

void compile_native(struct compiler *compiler, const struct statement *at)
{
	create(compiler, at, STEP_NATIVE);
}

static void add_time(struct compiler *compiler, const struct statement *at, enum step_kind kind)
{
	if (at->n_words != 2)
		script_fail(at, "'%s TIME'", at->word[0]);
	if (!compiler->play->is_virtual)
		script_fail(at, "time is real");
	compile_add(compiler, at, -1, kind)->v[0] = compile_number(at->word[1], at);
}

void compile_advance(struct compiler *compiler, const struct statement *at)
{
	add_time(compiler, at, STEP_ADVANCE);
}

void compile_run(struct compiler *compiler, const struct statement *at)
{
	add_time(compiler, at, STEP_RUN);
}

/* The actor that is the first thread of the actor's process. */
static int process_of(const struct compiler *compiler, int actor)
{
	while (actor != 0 && !compiler->actors[actor].is_process)
		actor = compiler->actors[actor].parent;
	return actor;
}

void compile_exit(struct compiler *compiler, const struct statement *at, int actor, uint64_t status,
	int is_at_once)
{
	int process = process_of(compiler, actor);
	struct step *step = compile_add(compiler, at, actor, STEP_EXIT);

	step->v[0] = status;
	step->v[1] = (uint64_t)is_at_once;
	if (process != 0)
		compile_add(compiler, at, compiler->actors[process].parent, STEP_REAP)->v[0] =
			(uint64_t)process;
	/* With a process all of its threads end, whichever ends it. */
	for (int i = 0; i < compiler->play->n_actors; i++)
		compiler->actors[i].is_there &= process_of(compiler, i) != process;
}

/* Compiles a verb: at->word[0] is the actor `actor`, word[1] the verb. */
typedef void verb(struct compiler *compiler, const struct statement *at, int actor);

static void push(struct compiler *compiler, const struct statement *at, int actor, int is_runtime,
	int function)
{
	struct compiled_actor *it = &compiler->actors[actor];

	if (++it->depth == COMPILE_MAX_CALLS)
		script_fail(at, "too many calls");
	it->is_runtime[it->depth] = (uint8_t)is_runtime;
	it->function[it->depth] = function;
}

static void do_call(struct compiler *compiler, const struct statement *at, int actor)
{
	uint64_t function;
	struct step *step;

	if (at->n_words != 3)
		script_fail(at, "'%s %s FUNCTION'", at->word[0], at->word[1]);
	function = compile_function(at->word[2], at);
	step = compile_add(compiler, at, actor, STEP_CALL);
	step->v[0] = function;
	step->v[1] = strcmp(at->word[1], "call") != 0;
	if (step->v[1] && compiler->actors[actor].is_runtime[compiler->actors[actor].depth])
		script_fail(at, "only the user's code has other stacks");
	push(compiler, at, actor, 0, (int)function);
}

static void pop(struct compiler *compiler, const struct statement *at, int actor,
	enum step_kind kind, int is_runtime)
{
	struct compiled_actor *it = &compiler->actors[actor];

	if (it->depth <= 1 || it->is_runtime[it->depth] != is_runtime)
		script_fail(at, "'%s' is not in %s", at->word[0],
			is_runtime ? "the runtime" : "a function that it called");
	compile_add(compiler, at, actor, kind);
	it->depth--;
}

static void do_return(struct compiler *compiler, const struct statement *at, int actor)
{
	pop(compiler, at, actor, STEP_RETURN, 0);
}

static void do_leave(struct compiler *compiler, const struct statement *at, int actor)
{
	pop(compiler, at, actor, STEP_LEAVE, 1);
}

static void do_enter(struct compiler *compiler, const struct statement *at, int actor)
{
	const struct compiled_actor *it = &compiler->actors[actor];

	if (it->is_runtime[it->depth])
		script_fail(at, "'%s' is in the runtime", at->word[0]);
	compile_add(compiler, at, actor, STEP_ENTER);
	push(compiler, at, actor, 1, it->function[it->depth]);
}

static void do_quit(struct compiler *compiler, const struct statement *at, int actor)
{
	struct compiled_actor *it = &compiler->actors[actor];

	if (it->depth != 1 || actor == 0 || it->is_process)
		script_fail(at, "'%s' is not where its stack begins", at->word[0]);
	compile_add(compiler, at, actor, STEP_QUIT);
	compile_add(compiler, at, it->parent, STEP_JOIN)->v[0] = (uint64_t)actor;
	it->is_there = 0;
}

static void do_fork(struct compiler *compiler, const struct statement *at, int actor)
{
	struct compiled_actor *child = new_actor(compiler, at->word[2], at);

	compile_add(compiler, at, actor, STEP_FORK)->v[0] = (uint64_t)index_of(compiler, child);
	*child = compiler->actors[actor];
	child->is_process = 1;
	child->parent = actor;
}

static void do_exit(struct compiler *compiler, const struct statement *at, int actor)
{
	compile_exit(compiler, at, actor, at->n_words > 2 ? compile_number(at->word[2], at) : 0, 0);
}

static void do_die(struct compiler *compiler, const struct statement *at, int actor)
{
	compile_exit(compiler, at, actor, 0, 1);
}

static void do_start(struct compiler *compiler, const struct statement *at, int actor)
{
	int is_refused = at->n_words > 2 && strcmp(at->word[2], "refused") == 0;

	if (at->n_words > 2 + is_refused)
		script_fail(at, "'%s start [refused]'", at->word[0]);
	compile_add(compiler, at, actor, STEP_START)->v[0] = (uint64_t)is_refused;
	compiler->is_finalized = 0;
}

static void do_finalize(struct compiler *compiler, const struct statement *at, int actor)
{
	compile_add(compiler, at, actor, STEP_FINALIZE);
	compiler->is_finalized = 1;
}

static void do_at(struct compiler *compiler, const struct statement *at, int actor)
{
	uint64_t site = at->n_words == 3 ? compile_number(at->word[2], at) : STAGE_N_SITES;

	if (site >= STAGE_N_SITES ||
		compiler->actors[actor].is_runtime[compiler->actors[actor].depth])
		script_fail(at, "'%s at 0', 1, 2; not in the runtime", at->word[0]);
	compile_add(compiler, at, actor, STEP_SITE)->v[0] = site;
}

static void do_state(struct compiler *compiler, const struct statement *at, int actor)
{
	struct step *step = compile_add(compiler, at, actor, STEP_STATE);

	if (at->n_words < 3 || at->n_words > 4)
		script_fail(at, "'%s state NAME [MUTEX]'", at->word[0]);
	step->v[2] = strcmp(at->word[2], "auto") == 0;
	if (!step->v[2] && words_value(words_find("state"), at->word[2], &step->v[0]) != 0)
		script_fail(at, "there is no state '%s'", at->word[2]);
	if (at->n_words > 3 && words_number(at->word[3], &step->v[1]) != 0)
		step->v[1] = runtime_wait_id(compile_object(compiler, at->word[3], at));
}

static void do_frames(struct compiler *compiler, const struct statement *at, int actor)
{
	struct step *step = compile_add(compiler, at, actor, STEP_FRAMES);
	const char *exit = compile_key(at, "exit"), *enter = compile_key(at, "enter");

	step->v[2] = at->word[2] && strcmp(at->word[2], "auto") == 0;
	if (!step->v[2] && !exit && !enter)
		script_fail(at, "'%s frames [exit=FRAME] [enter=FRAME]'", at->word[0]);
	step->v[0] = exit ? compile_frame(exit, at) : FRAME_NONE;
	step->v[1] = enter ? compile_frame(enter, at) : FRAME_NONE;
}

static void do_info(struct compiler *compiler, const struct statement *at, int actor)
{
	struct step *step = compile_add(compiler, at, actor, STEP_INFO);

	if (at->n_words != 3)
		script_fail(at, "'%s info none|auto|NUMBER'", at->word[0]);
	if (strcmp(at->word[2], "auto") == 0)
		step->v[0] = (uint64_t)-1;
	else if (strcmp(at->word[2], "none") != 0)
		step->v[0] = compile_number(at->word[2], at);
}

static void do_take(struct compiler *compiler, const struct statement *at, int actor)
{
	if (!compiler->play->is_virtual)
		script_fail(at, "time is real: samples come by themselves");
	compile_add(compiler, at, actor, STEP_TAKE);
}

static void do_interrupt(struct compiler *compiler, const struct statement *at, int actor)
{
	struct step *step = compile_add(compiler, at, actor, STEP_INTERRUPT);
	int which = at->n_words > 2 && strcmp(at->word[2], "instruction") == 0, n = 2 + which;

	step->v[which] = at->n_words > n ? compile_number(at->word[n], at) : !which;
	if (step->v[which] == 0 || at->n_words > n + 1)
		script_fail(at, "'%s interrupt [N]' or 'interrupt instruction N'", at->word[0]);
}

static void do_signal(struct compiler *compiler, const struct statement *at, int actor)
{
	static const struct word codes[] = { { "timer", (uint64_t)SI_TIMER },
		{ "user", (uint64_t)SI_QUEUE }, { NULL, 0 } };
	const struct word_list list = { "code", codes };
	const char *code = compile_key(at, "code");

	if (words_value(&list, code ? code : "timer",
		    &compile_add(compiler, at, actor, STEP_SIGNAL)->v[0]) != 0)
		script_fail(at, "'code=timer' or 'code=user'");
}

static void do_off(struct compiler *compiler, const struct statement *at, int actor)
{
	compile_add(compiler, at, actor, STEP_OFF)->v[0] = strcmp(at->word[1], "off") == 0;
}

static void do_compute(struct compiler *compiler, const struct statement *at, int actor)
{
	if (at->n_words != 3 || compiler->actors[actor].is_runtime[compiler->actors[actor].depth])
		script_fail(at, "'%s compute TIME', in the user's code", at->word[0]);
	if (compiler->play->is_virtual)
		script_fail(at, "time is virtual");
	compile_add(compiler, at, actor, STEP_COMPUTE)->v[0] = compile_number(at->word[2], at);
}

static void do_sleep(struct compiler *compiler, const struct statement *at, int actor)
{
	if (at->n_words != 3 || compiler->play->is_virtual)
		script_fail(at, "'%s sleep TIME', which is real", at->word[0]);
	compile_add(compiler, at, actor, STEP_SLEEP)->v[0] = compile_number(at->word[2], at);
}

/* A data R = 5, A data R = Q, A data R is 5, A data R unmapped. */
static void do_data(struct compiler *compiler, const struct statement *at, int actor)
{
	const char *how = at->n_words > 3 ? at->word[3] : "";
	struct step *step = compile_add(compiler, at, actor, STEP_UNMAP);

	if (at->n_words < 4)
		script_fail(at, "'%s data OBJECT = VALUE', '... is VALUE' or '... unmapped'",
			at->word[0]);
	step->v[0] = (uint64_t)compile_object(compiler, at->word[2], at);
	if (strcmp(how, "unmapped") == 0)
		return;
	if (at->n_words != 5)
		script_fail(at, "which value?");
	step->kind = strcmp(how, "is") == 0 ? STEP_EXPECT_DATA : STEP_DATA;
	if (words_number(at->word[4], &step->v[1]) == 0)
		return;
	step->kind = STEP_COPY;
	step->v[1] = (uint64_t)compile_object(compiler, at->word[4], at);
}

static void do_files(struct compiler *compiler, const struct statement *at, int actor)
{
	if (at->n_words != 3)
		script_fail(at, "'%s files NUMBER' or 'auto'", at->word[0]);
	compile_add(compiler, at, actor, STEP_FILES)->v[0] =
		strcmp(at->word[2], "auto") == 0 ? UINT64_MAX : compile_number(at->word[2], at);
}

static const struct {
	const char *name;
	verb *compile;
} verbs[] = {
	{ "call", do_call },
	{ "call_elsewhere", do_call },
	{ "return", do_return },
	{ "enter", do_enter },
	{ "leave", do_leave },
	{ "quit", do_quit },
	{ "fork", do_fork },
	{ "exit", do_exit },
	{ "die", do_die },
	{ "start", do_start },
	{ "finalize", do_finalize },
	{ "at", do_at },
	{ "state", do_state },
	{ "frames", do_frames },
	{ "info", do_info },
	{ "sample", do_take },
	{ "interrupt", do_interrupt },
	{ "signal", do_signal },
	{ "off", do_off },
	{ "on", do_off },
	{ "compute", do_compute },
	{ "sleep", do_sleep },
	{ "data", do_data },
	{ "files", do_files },
};

void compile_step(struct compiler *compiler, const struct statement *at)
{
	int actor = compile_find_actor(compiler->play, at->word[0]);

	if (actor < 0)
		script_fail(at, "'%s' is no thread and no statement", at->word[0]);
	if (!compiler->actors[actor].is_there)
		script_fail(at, "'%s' is not there any more", at->word[0]);
	if (at->n_words < 2)
		script_fail(at, "what does '%s' do?", at->word[0]);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, at->word[1]) == 0) {
			verbs[i].compile(compiler, at, actor);
			return;
		}
	}
	if (compile_event(compiler, at, actor) != 0)
		script_fail(at, "there is no '%s', nor is it a macro", at->word[1]);
}
