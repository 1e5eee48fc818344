/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up runs; see scenes.h. */
#include "tests/unit/scenes/scenes.h"

#include <stdio.h>
#include <string.h>

#define MSEC     1000000ull
#define PROGRAM  0x400000ull
#define LIBC     0x7f0000000000ull
#define RUNTIME  0x7f0001000000ull
#define EXACT    PROFILE_FRAME_EXACT
#define OUTLINED PROFILE_FRAME_OUTLINED
#define HIDDEN   PROFILE_FRAME_RUNTIME
#define LONG_NAME                                                                                  \
	"void library::detail::algorithm<std::vector<std::pair<int, double>>, "                    \
	"std::less<void>>::run_one_step_of_many(unsigned long, unsigned long)::operator()"

/* Functions of the program: 0x100 bytes each from `from` on, a line every 16 bytes. */
struct function {
	uint64_t from;
	const char *name;
	const char *file; /* NULL: no debug information */
	uint32_t line;
	const char *inlined; /* what the second half of it was inlined from, or NULL */
};

static const struct function functions[] = {
	{ 0x1000, "_start", NULL, 0, NULL },
	{ 0x1100, "main", "/src/cg.c", 90, NULL },
	{ 0x1200, "solve_cg", "/src/solve.c", 120, NULL },
	{ 0x1300, "solve_cg.omp_outlined", "/src/solve.c", 142, "spmv_row" },
	{ 0x1400, "build_tree", "/src/tree.c", 40, NULL },
	{ 0x1500, ".omp_outlined..1", "/src/tree.c", 48, NULL },
	{ 0x1600, ".omp_task_entry.", "/src/tree.c", 51, NULL },
	{ 0x1700, "grow", "/src/tree.c", 10, NULL },
	{ 0x1800, "read_matrix", "/src/io.c", 60, NULL },
	{ 0x1900, "log_thread", "/src/log.c", 20, NULL },
	{ 0x1a00, "stripped_kernel", NULL, 0, NULL },
	{ 0x1b00, "red\033[31m\xff\xe2\x80\xaename", "/src/od\td.c", 1, NULL },
	{ 0x1c00, LONG_NAME, "/src/a/file/with/a/remarkably/long/base_name_of_its_own.cpp", 12345,
		NULL },
	{ 0x1d00,
		"gr\xc3\xb6\xc3\x9f"
		"e \"q\" \\ \xe6\x95\xb0",
		"/src/gr.c", 7, NULL },
	{ 0x1e00, ".omp_outlined._debug__", "/src/tree.c", 48, NULL },
	{ 0x1f00, "construct", "/src/construct.c", 5, NULL },
	{ 0x2000, "main._omp_fn.0", "/src/cg.c", 95, "kernel" },
	{ 0x2100, "start_thread", NULL, 0, NULL },
	{ 0x2200, "__kmpc_taskloop", NULL, 0, NULL }, /* of libomp */
	{ 0x2300, "main.cold", "/src/cg.c", 90, NULL },
	{ 0x2400, "assemble", "/src/assemble.c", 80, NULL },
	{ 0x2500, "assemble.omp_outlined", "/src/assemble.c", 88, NULL },
	{ 0x2600, "hash_insert", "/src/assemble.c", 20, NULL },
	{ 0x2700, "axpy", "/src/vec.c", 25, NULL },
	{ 0x2800, "axpy.omp_outlined", "/src/vec.c", 31, NULL },
	{ 0x2900, "write_out", "/src/io.c", 140, NULL },
	{ 0x2a00, "update", "/src/kernel.c", 50, "__omp_offloading_fe00_7a3b_update_l52_debug__" },
	{ 0x3e00, "__libc_read", NULL, 0, NULL },
};

void scene_lookup(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at)
{
	static char address[32];
	int is_known = strstr(object->path, "cg") || strstr(object->path, "libomp");

	(void)data;
	at->n = 1;
	for (size_t i = 0; is_known && i < sizeof(functions) / sizeof(functions[0]); i++) {
		const struct function *f = &functions[i];
		uint32_t offset = (uint32_t)(addr - f->from);
		struct symbol outer = { .name = f->name, .linkage = f->name };

		if (addr < f->from || addr >= f->from + 0x100)
			continue;
		outer.file = outer.decl_file = f->file ? f->file : "";
		outer.decl_line = f->line;
		outer.line = f->file ? f->line + offset / 16 : 0;
		at->symbol[0] = outer;
		if (!f->inlined || offset < 0x80)
			return;
		at->symbol[1] = outer;
		at->symbol[1].line = f->line + 2;
		at->symbol[0] = (struct symbol){ f->inlined, f->inlined, "/src/spmv.h",
			31 + (offset - 0x80) / 16, 31, "/src/spmv.h", 1 };
		at->n = 2;
		return;
	}
	snprintf(address, sizeof(address), "0x%llx", (unsigned long long)addr);
	at->symbol[0] =
		(struct symbol){ .name = address, .linkage = address, .file = "", .decl_file = "" };
}

static void add_modules(struct build *b)
{
	build_module(b, "/nowhere/bin/cg", PROGRAM, PROGRAM + 0x10000, PROFILE_MODULE_MAIN);
	build_module(b, "/nowhere/lib/libc.so.6", LIBC, LIBC + 0x100000, 0);
	build_module(
		b, "/nowhere/lib/libomp.so.5", RUNTIME, RUNTIME + 0x100000, PROFILE_MODULE_RUNTIME);
}

static void begin(struct build *b, const char *const *args)
{
	build_begin(b);
	for (; *args; args++)
		build_text(b, "arg", *args);
	build_text(b, "exe", "/nowhere/bin/cg");
	add_modules(b);
}

/* A thread that lived for the whole run and used cpu_ms of CPU time. */
static uint32_t add_thread(struct build *b, uint32_t type, uint64_t cpu_ms)
{
	uint32_t thread = build_thread(b, type);
	struct profile_thread *record = build_thread_at(b, thread);

	record->start_ns = 0;
	record->end_ns = build_header(b)->end_ns;
	record->cpu_start_ns = 0;
	record->cpu_last_ns = cpu_ms * MSEC;
	record->handler_ticks = cpu_ms * MSEC / 250;
	record->n_callbacks = type ? 1000 : 0;
	return thread;
}

static uint32_t add_frames(struct build *b, uint32_t parent, const uint64_t *offsets)
{
	for (; *offsets; offsets++)
		parent = build_frame(b, parent, PROGRAM + *offsets, 0);
	return parent;
}

/* _start, libc's part of it, main. */
static uint32_t add_main(struct build *b, uint32_t thread)
{
	uint32_t at = build_frame(b, build_root(b, thread), PROGRAM + 0x1021, 0);

	at = build_frame(b, at, LIBC + 0x27305, 0);
	at = build_frame(b, at, LIBC + 0x2724a, 0);
	return build_frame(b, at, PROGRAM + 0x1145, 0);
}

static void add_samples(struct build *b, uint32_t parent, uint64_t addr, uint32_t ms)
{
	uint32_t at = build_frame(b, parent, addr, EXACT);

	build_samples(b, at, PROFILE_WORK, ms, ms * MSEC);
}

/* A thread's share of the region in solve_cg: work in an inlined function, waits, overhead. */
static void add_solve(struct build *b, uint32_t context, uint32_t work_ms, uint32_t wait_ms)
{
	uint32_t body = build_frame(b, context, PROGRAM + 0x1390, OUTLINED | EXACT);
	uint32_t direct = build_frame(b, context, PROGRAM + 0x1310, OUTLINED | EXACT);
	uint32_t at = build_frame(b, context, PROGRAM + 0x1331, OUTLINED);
	uint32_t lib;

	build_samples(b, body, PROFILE_WORK, work_ms - 10, (work_ms - 10) * MSEC);
	build_samples(b, direct, PROFILE_WORK, 10, 10 * MSEC);
	lib = build_frame(b, at, RUNTIME + 0x5000, HIDDEN | EXACT);
	build_samples(b, lib, PROFILE_WAIT_BARRIER, wait_ms, wait_ms * MSEC);
	build_samples(b, lib, PROFILE_OVERHEAD, 4, 4 * MSEC);
}

/* Tasks that call a recursive function. */
static void add_tasks(struct build *b, uint32_t main_frame, uint32_t worker)
{
	uint32_t at = build_frame(b, main_frame, PROGRAM + 0x1421, 0);
	uint32_t region = build_region(b, at, PROGRAM + 0x1481, 1);
	uint32_t body = build_frame(b, region, PROGRAM + 0x1521, OUTLINED);
	uint32_t task = build_task(b, body, PROGRAM + 0x1531, 5000);
	uint32_t context = build_context(b, worker, task);

	at = build_frame(b, context, PROGRAM + 0x1611, OUTLINED);
	for (int level = 0; level < 3; level++)
		at = build_frame(b, at, PROGRAM + 0x1711 + 0x10 * level, 0);
	add_samples(b, at, PROGRAM + 0x1742, 60);
	at = build_frame(b, build_context(b, worker, region), PROGRAM + 0x1541, OUTLINED);
	build_samples(b, at, PROFILE_WAIT_TASKWAIT, 25, 25 * MSEC);
	build_samples(b, at, PROFILE_WAIT_CRITICAL, 12, 12 * MSEC);
}

static void scene_cg(struct build *b)
{
	static const char *const args[] = { "./cg", "-n", "400", NULL };
	static const uint64_t solve[] = { 0x1221, 0 };
	static const uint64_t cpu_ms[] = { 944, 781, 660, 564 };
	uint32_t threads[4], other, region, at;

	begin(b, args);
	for (int i = 0; i < 4; i++)
		threads[i] = add_thread(b, i ? 2 : 1, cpu_ms[i]);
	other = add_thread(b, 0, 30);
	at = add_main(b, threads[0]);
	add_samples(b, at, PROGRAM + 0x1833, 210);
	region = build_region(b, add_frames(b, at, solve), PROGRAM + 0x1261, 400);
	add_solve(b, region, 700, 30);
	for (int i = 1; i < 4; i++) {
		add_solve(b, build_context(b, threads[i], region), 400, 300 - 60 * i);
		build_samples(b, build_root(b, threads[i]), PROFILE_IDLE, 40, 40 * MSEC);
	}
	add_tasks(b, at, threads[1]);
	at = build_frame(b, build_root(b, other), LIBC + 0xfd0dc, 0);
	at = build_frame(b, at, LIBC + 0x89134, 0);
	add_samples(b, at, PROGRAM + 0x1944, 30);
	at = build_truncated(b, build_root(b, threads[2]), PROFILE_WALK_NO_CFI);
	add_samples(b, at, PROGRAM + 0x1a44, 15);
	build_thread_at(b, threads[2])->ends[PROFILE_WALK_NO_CFI] = 15;
	build_thread_at(b, threads[2])->ends[PROFILE_WALK_COMPLETE] = 600;
}

/* A thread's samples in a region: at `addr` of its body, and waiting in the call after it. */
static void add_share(struct build *b, uint32_t context, uint64_t addr, uint32_t ms,
	enum profile_class wait, uint32_t wait_ms)
{
	uint32_t at = build_frame(b, context, PROGRAM + addr, OUTLINED | EXACT);

	build_samples(b, at, PROFILE_WORK, ms, ms * MSEC);
	at = build_frame(b, context, PROGRAM + addr + 0x20, OUTLINED);
	at = build_frame(b, at, RUNTIME + 0x5000, HIDDEN | EXACT);
	build_samples(b, at, wait, wait_ms, wait_ms * MSEC);
	build_samples(b, at, PROFILE_OVERHEAD, 40, 40 * MSEC);
}

/* Eight threads for 12.4 s, with one fault of each kind; made_metrics.c has what was measured. */
static void scene_faults(struct build *b)
{
	static const char *const args[] = { "./cg", "-n", "400", NULL };
	static const uint64_t solve[] = { 0x1221, 0 }, assemble[] = { 0x2421, 0 },
			      axpy[] = { 0x1231, 0x2721, 0 }, tree[] = { 0x1421, 0 };
	uint32_t main_frame, regions[4], task, at;

	begin(b, args);
	build_header(b)->end_ns = 12400 * MSEC;
	build_header(b)->n_cpus = 8;
	for (int i = 0; i < 8; i++)
		add_thread(b, i ? 2 : 1, i ? 8600 : 12400);
	main_frame = add_main(b, 1);
	add_samples(b, main_frame, PROGRAM + 0x1833, 1210);
	at = build_frame(b, main_frame, PROGRAM + 0x2931, 0);
	add_samples(b, at, LIBC + 0x50000, 390);
	add_samples(b, main_frame, PROGRAM + 0x1150, 200);
	regions[0] = build_region(b, add_frames(b, main_frame, solve), PROGRAM + 0x1261, 400);
	regions[1] = build_region(b, add_frames(b, main_frame, assemble), PROGRAM + 0x2481, 20);
	regions[2] = build_region(b, add_frames(b, main_frame, tree), PROGRAM + 0x1481, 1);
	regions[3] = build_region(b, add_frames(b, main_frame, axpy), PROGRAM + 0x2761, 12000);
	at = build_frame(b, regions[2], PROGRAM + 0x1521, OUTLINED);
	task = build_task(b, at, PROGRAM + 0x1531, 5000);
	for (uint32_t i = 1; i <= 8; i++) {
		add_share(b, build_context(b, i, regions[0]), 0x1390, i == 1 ? 5100 : 3300,
			PROFILE_WAIT_BARRIER, i == 1 ? 60 : 1700);
		at = build_context(b, i, regions[1]);
		add_share(b, at, 0x2510, 1000, PROFILE_WAIT_CRITICAL, 1000);
		at = build_frame(b, at, PROGRAM + 0x2541, OUTLINED);
		add_samples(b, at, PROGRAM + 0x2633, 820);
		add_share(
			b, build_context(b, i, regions[2]), 0x1541, 10, PROFILE_WAIT_BARRIER, 680);
		at = build_frame(b, build_context(b, i, task), PROGRAM + 0x1611, OUTLINED);
		add_samples(b, at, PROGRAM + 0x1742, 910);
		add_share(
			b, build_context(b, i, regions[3]), 0x2810, 280, PROFILE_WAIT_BARRIER, 280);
	}
}

/* What thread i of scene_waits did in its regions, and what it waited for. */
static void add_waiter(
	struct build *b, uint32_t thread, const uint32_t *regions, uint64_t barrier, uint64_t mutex)
{
	int is_first = thread == 1;
	uint32_t context = build_context(b, thread, regions[0]), at;
	struct profile_lock *lock;

	build_stays(b, context, 100, 1000 * MSEC);
	at = build_frame(b, context, PROGRAM + 0x1390, OUTLINED | EXACT);
	build_samples(b, at, PROFILE_WORK, is_first ? 990 : 600, (is_first ? 990 : 600) * MSEC);
	if (is_first)
		build_blame(b, at, barrier, 0, 990, 1140 * MSEC);
	build_wait(b, context, PROFILE_BARRIER_CLOSING, 0, 100, (is_first ? 10 : 400) * MSEC);
	context = build_context(b, thread, regions[1]);
	build_stays(b, context, 10, 600 * MSEC);
	at = build_frame(b, context, PROGRAM + 0x2541, OUTLINED);
	build_wait(b, at, PROFILE_CRITICAL, PROFILE_WAIT_ID(mutex), 900, 440 * MSEC);
	at = build_frame(b, at, PROGRAM + 0x2633, EXACT);
	build_samples(b, at, PROFILE_WORK, 150, 150 * MSEC);
	build_blame(b, at, mutex, 0, 1000, 440 * MSEC);
	build_wait(b, context, PROFILE_BARRIER_CLOSING, 0, 10, 10 * MSEC);
	lock = build_lock(b, thread, PROFILE_CRITICAL, PROFILE_WAIT_ID(mutex));
	lock->codeptr = PROGRAM + 0x2541;
	lock->n_acquired = lock->n_held = 1000;
	lock->n_contended = 900;
	lock->wait = 440 * MSEC;
	lock->max_wait = 3 * MSEC;
	lock->held = 145 * MSEC;
	lock->max_held = MSEC;
	if (!is_first)
		build_wait(b, build_root(b, thread), PROFILE_IDLE_BETWEEN, 0, 111, 400 * MSEC);
}

/* Waits as they are measured: 0.4 s serial, a second with an uneven loop, 0.6 s at a mutex. */
static void scene_waits(struct build *b)
{
	static const char *const args[] = { "./cg", "waits", NULL };
	static const uint64_t numbers[] = { 1, 3, 2, PROFILE_TEAM_NUMBERS };
	static const uint64_t solve[] = { 0x1221, 0 }, assemble[] = { 0x2421, 0 };
	uint64_t mutex = PROFILE_WAIT_KEY(PROFILE_CRITICAL, PROGRAM + 0xf340);
	uint32_t main_frame, regions[2], at;
	struct profile_region *record;

	begin(b, args);
	build_header(b)->end_ns = 2000 * MSEC;
	build_header(b)->waits = 0xfffe;
	for (int i = 0; i < 4; i++)
		build_thread_at(b, add_thread(b, i ? 2 : 1, 2000))->more.team_number = numbers[i];
	main_frame = add_main(b, 1);
	at = build_frame(b, main_frame, PROGRAM + 0x1833, EXACT);
	build_samples(b, at, PROFILE_WORK, 400, 400 * MSEC);
	build_blame(b, at, PROFILE_WAIT_KEY(PROFILE_IDLE_BETWEEN, 0), 0, 400, 1200 * MSEC);
	regions[0] = build_region(b, add_frames(b, main_frame, solve), PROGRAM + 0x1261, 100);
	regions[1] = build_region(b, add_frames(b, main_frame, assemble), PROGRAM + 0x2481, 10);
	for (uint32_t i = 1; i <= 4; i++)
		add_waiter(b, i, regions, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, regions[0]),
			mutex);
	record = build_region_record(b, regions[0], 100, 1000 * MSEC, 4);
	record->n_barriers = record->n_last[0] = 100;
	record->imbalance = 1170 * MSEC;
	record->release = 40 * MSEC;
	record = build_region_record(b, regions[1], 10, 600 * MSEC, 4);
	record->n_barriers = 10;
	record->n_last[0] = record->n_last[3] = 5;
	record->imbalance = 30 * MSEC;
	record->release = 10 * MSEC;
}

/*
 * That of waits, in which two lines of another function wait for the same mutex, and a further line
 * for two locks that no other line waits for. Work events were asked for, and none came.
 */
static void scene_mutexes(struct build *b)
{
	static const uint64_t critical = PROGRAM + 0xf340, locks[] = { 0x1110, 0x2220 },
			      lines[] = { 0x1851, 0x1821 };
	uint32_t main_frame, at;

	scene_waits(b);
	build_header(b)->counted.asked = 1ULL << PROFILE_EVENT_WORK;
	main_frame = add_main(b, 2);
	for (uint64_t i = 0; i < 2; i++) {
		at = build_frame(b, main_frame, PROGRAM + lines[i], 0);
		build_wait(b, at, PROFILE_CRITICAL, PROFILE_WAIT_ID(critical), 5, (160 + i) * MSEC);
	}
	at = build_frame(b, main_frame, PROGRAM + 0x2931, 0);
	for (uint64_t i = 0; i < 2; i++) {
		build_wait(b, at, PROFILE_LOCK, locks[i], 4 + (uint32_t)i, (40 + i) * MSEC);
		build_blame(b, at, PROFILE_WAIT_KEY(PROFILE_LOCK, locks[i]), 0, 4, 30 * MSEC);
	}
}

/* What thread i of scene_counted counted in the loop of the first region. */
static void add_counted(struct build *b, uint32_t thread, uint32_t region)
{
	static const uint64_t chunks[] = { 40, 200, 7, 0 };
	uint32_t at = build_frame(b, build_context(b, thread, region), PROGRAM + 0x1391, OUTLINED);

	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_WORK, 11), 100, 0, 400000);
	if (chunks[thread - 1])
		build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_DISPATCH, 3),
			(uint32_t)chunks[thread - 1], 0, chunks[thread - 1] * 16);
	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_SYNC_REGION, 8), 90, 10, 0);
	at = build_frame(b, at, PROGRAM + 0x1742, 0);
	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_FLUSH, 0), 1234,
		1000000 * (uint64_t)thread, 0);
}

/* That of waits, in which the user asked for counted events. */
static void scene_counted(struct build *b)
{
	static const uint64_t solve[] = { 0x1221, 0 };
	uint32_t at, region, locks;

	scene_waits(b);
	build_header(b)->counted.asked =
		1ULL << PROFILE_EVENT_WORK | 1ULL << PROFILE_EVENT_DISPATCH |
		1ULL << PROFILE_EVENT_SYNC_REGION | 1ULL << PROFILE_EVENT_FLUSH |
		1ULL << PROFILE_EVENT_CANCEL | 1ULL << PROFILE_EVENT_LOCK_INIT |
		1ULL << PROFILE_EVENT_ERROR | 1ULL << PROFILE_EVENT_MASKED |
		1ULL << PROFILE_EVENT_TASK_CREATE;
	build_header(b)->counted.never = 1ULL << PROFILE_EVENT_ERROR;
	build_header(b)->counted.sometimes = 1ULL << PROFILE_EVENT_CANCEL;
	locks = add_main(b, 1);
	region = build_region(b, add_frames(b, locks, solve), PROGRAM + 0x1261, 0);
	for (uint32_t i = 1; i <= 4; i++)
		add_counted(b, i, region);
	at = build_frame(b, build_context(b, 2, region), PROGRAM + 0x1391, OUTLINED);
	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_CANCEL, 0x24), 3, 0, 0);
	/* Values that no specification knows yet. */
	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_CANCEL, 0x1004), 1, 0, 0);
	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_WORK, 77), 1, 0, 5);
	build_event(b, at, PROFILE_EVENT_KEY(PROFILE_EVENT_TASK_CREATE, 0x28000004), 12, 0, 0);
	build_event(b, locks, PROFILE_EVENT_KEY(PROFILE_EVENT_LOCK_INIT, 3), 8, 0, 0);
	build_event(b, build_root(b, 1), PROFILE_EVENT_KEY(PROFILE_EVENT_MASKED, 0), 2, 0, 0);
}

/* Threads of the program's own: a record of n_lives ones that used cpu_ms in all. */
static uint32_t add_native(struct build *b, uint64_t start, uint32_t n_lives, uint64_t cpu_ms)
{
	uint32_t thread = add_thread(b, 0, cpu_ms);
	struct profile_thread *record = build_thread_at(b, thread);

	record->start = PROGRAM + start;
	record->n_lives = n_lives;
	record->begun_ns = record->end_ns - 500 * MSEC;
	record->lived_ns = (n_lives - 1) * 100 * MSEC;
	return thread;
}

/*
 * It also reads at two lines, at one of them on two paths, and sleeps where nothing but start-up
 * code is known. A native thread reads, too.
 */
static void scene_reads(struct build *b)
{
	static const uint64_t read[] = { 0x1821, 0x3e01, 0 }, late[] = { 0x1851, 0x3e01, 0 },
			      again[] = { 0x1921, 0x1821, 0x3e01, 0 };
	uint32_t main_frame;

	scene_faults(b);
	main_frame = add_main(b, 1);
	build_wait(b, add_frames(b, main_frame, read), PROFILE_BLOCKED, 0, 2, 8000 * MSEC);
	build_wait(b, add_frames(b, main_frame, again), PROFILE_BLOCKED, 0, 1, 16000 * MSEC);
	build_wait(b, add_frames(b, main_frame, late), PROFILE_BLOCKED, 0, 1, 19200 * MSEC);
	build_wait(b, build_frame(b, build_root(b, 1), PROGRAM + 0x1021, 0), PROFILE_BLOCKED, 0, 1,
		800 * MSEC);
	build_wait(b, add_frames(b, build_root(b, add_native(b, 0x1900, 1, 4)), late),
		PROFILE_BLOCKED, 0, 9, 9000 * MSEC);
}

/* Three kinds of native threads: with samples, one after the other, and with the signal blocked. */
static void add_natives(struct build *b)
{
	uint32_t thread = add_native(b, 0x1900, 1, 450), at;

	at = build_frame(b, build_root(b, thread), PROGRAM + 0x1921, 0);
	add_samples(b, at, PROGRAM + 0x1833, 450);
	thread = add_native(b, 0x2900, 12, 800);
	add_samples(b, build_root(b, thread), PROGRAM + 0x2911, 800);
	thread = add_native(b, 0x1a00, 1, 300);
	build_thread_at(b, thread)->unsampled_ns = 300 * MSEC;
	build_thread_at(b, thread)->lost[PROFILE_LOST_BLOCKED] = 1;
}

static void scene_native(struct build *b)
{
	scene_waits(b);
	add_natives(b);
	strcpy(build_thread_at(b, add_native(b, 0x3f00, 1, 100))->name, "cuda-events");
}

/* A program without OpenMP. */
static void scene_plain(struct build *b)
{
	static const char *const args[] = { "./cg", "plain", NULL };

	begin(b, args);
	build_header(b)->end_ns = 2000 * MSEC;
	build_header(b)->flags &= ~(uint32_t)PROFILE_OMPT_STARTED;
	build_header(b)->runtime[0] = '\0';
	add_thread(b, 0, 500);
	build_thread_at(b, 1)->tid = build_header(b)->pid;
	add_samples(b, add_main(b, 1), PROGRAM + 0x1150, 500);
	add_natives(b);
}

/* The same with two threads that barely ran. One slept. The other one waited long for a CPU, which is no sleep. */
static void scene_asleep(struct build *b)
{
	uint32_t thread;

	scene_plain(b);
	thread = add_native(b, 0x1900, 1, 4);
	add_samples(b, build_root(b, thread), PROGRAM + 0x1921, 4);
	build_thread_at(b, thread)->end_ns = 1990 * MSEC;
	build_thread_at(b, thread)->run_delay_ns = 40 * MSEC;
	thread = add_native(b, 0x1900, 1, 4);
	build_thread_at(b, thread)->end_ns = 1990 * MSEC;
	build_thread_at(b, thread)->run_delay_ns = 1000 * MSEC;
}

/* More of everything than a screen holds. */
static void scene_crowded(struct build *b)
{
	static const uint64_t offsets[] = { 0x1144, 0x1244, 0x1444, 0x1744, 0x1844, 0x1944, 0x1a44,
		0x1b44, 0x1c44, 0x1d44, 0x1f44 };
	uint32_t at, region = 0;

	scene_cg(b);
	build_header(b)->flags = 0;
	build_header(b)->n_cpus = 2;
	build_header(b)->lost[PROFILE_LOST_NO_SPACE] = 3000;
	strcpy(build_header(b)->note, "one more sentence on what the run had to do without");
	for (uint32_t i = 0; i < 5; i++) {
		region = build_region(b, build_root(b, 1), PROGRAM + 0x1101 + 0x10 * i, i);
		build_samples(b, region, PROFILE_WAIT_TASKGROUP + i, 10 + i, (10 + i) * MSEC);
	}
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		at = build_frame(b, region, PROGRAM + offsets[i], EXACT);
		build_samples(b, at, PROFILE_WORK, 20 + i, (20 + i) * MSEC);
	}
	build_thread_at(b, 1)->cpu_last_ns = 5000 * MSEC;
	build_thread_at(b, 3)->ends[PROFILE_WALK_NO_CFI] = 1500;
}

static void scene_killed(struct build *b)
{
	static const char *const args[] = { "/a/long/path/to/some/program",
		"--with-an-option=and-a-value", "and", "some", "more", "arguments", NULL };
	struct profile_header *header;
	uint32_t thread;

	begin(b, args);
	header = build_header(b);
	header->flags = 0;
	header->end_ns = 0;
	header->last_ns = 87 * MSEC;
	header->n_cpus = 1;
	header->runtime[0] = '\0';
	header->lost[PROFILE_LOST_UNREGISTERED] = 7;
	strcpy(header->note, "cannot open perf event 'cycles'; sampled CPU time instead");
	thread = add_thread(b, 1, 60);
	add_thread(b, 2, 0);
	add_samples(b, build_root(b, thread), PROGRAM + 0x1a44, 40);
	build_thread_at(b, thread)->ends[PROFILE_WALK_NO_CFI] = 40;
}

static void scene_events(struct build *b)
{
	static const char *const args[] = { "./cg", NULL };
	uint32_t thread, at, id;

	begin(b, args);
	build_header(b)->clock_kind = PROFILE_CLOCK_EVENT;
	build_header(b)->period = 1000000;
	build_header(b)->frequency_hz = 0;
	strcpy(build_header(b)->clock_name, "cycles");
	thread = add_thread(b, 1, 500);
	at = build_frame(b, add_main(b, thread), PROGRAM + 0x1844, EXACT);
	id = build_samples(b, at, PROFILE_WORK, 300, 300 * MSEC);
	build_node_at(b, id)->events = 300000000;
	id = build_samples(b, build_root(b, thread), PROFILE_WAIT_BARRIER, 100, 100 * MSEC);
	build_node_at(b, id)->events = 100000000;
}

/* A clock that counts events, and none came. */
static void scene_eventless(struct build *b)
{
	static const char *const args[] = { "./cg", NULL };

	begin(b, args);
	build_header(b)->clock_kind = PROFILE_CLOCK_EVENT;
	strcpy(build_header(b)->clock_name, "page-faults");
	add_thread(b, 1, 500);
}

/* Of everything that can be lost, some. */
static void scene_lossy(struct build *b)
{
	static const char *const args[] = { "./cg", NULL };
	uint32_t thread;

	begin(b, args);
	thread = add_thread(b, 1, 500);
	add_samples(b, build_root(b, thread), PROGRAM + 0x1844, 480);
	build_header(b)->lost[PROFILE_LOST_HANDLER] = 1;
	build_header(b)->lost[PROFILE_LOST_THREADS] = 12;
	build_header(b)->lost[PROFILE_LOST_MODULES] = 1;
	build_header(b)->left_out.n_threads = 3;
	build_thread_at(b, thread)->lost[PROFILE_LOST_CONTEXT] = 1234567;
	build_thread_at(b, thread)->lost[PROFILE_LOST_STACK] = 20;
}

/* Two threads in a region: each works for work_ms, and waits while nobody of the team runs. */
static void add_pair(struct build *b, uint32_t cpu_ms, uint32_t wait_ms, uint32_t work_ms)
{
	static const char *const args[] = { "./cg", NULL };
	static const uint64_t solve[] = { 0x1221, 0 };
	uint32_t region, context;

	begin(b, args);
	build_header(b)->waits = 0xfffe;
	for (int i = 0; i < 2; i++)
		add_thread(b, i ? 2 : 1, cpu_ms);
	region = build_region(b, add_frames(b, add_main(b, 1), solve), PROGRAM + 0x1261, 10);
	for (uint32_t i = 1; i <= 2; i++) {
		context = build_context(b, i, region);
		build_stays(b, context, 10, 1000 * MSEC);
		build_wait(b, context, PROFILE_BARRIER_EXPLICIT, 0, 10, wait_ms * MSEC);
		add_samples(b, context, PROGRAM + 0x1844, work_ms);
	}
	build_region_record(b, region, 10, 1000 * MSEC, 2);
}

/* Two threads on one processor, and records that are missing. */
static void scene_unblamed(struct build *b)
{
	add_pair(b, 500, 400, 100);
	build_header(b)->n_cpus = 1;
	for (uint32_t i = 1; i <= 2; i++) {
		build_thread_at(b, i)->lost[PROFILE_LOST_REGIONS] = 1;
		build_thread_at(b, i)->lost[PROFILE_LOST_LOCKS] = 100;
		build_thread_at(b, i)->lost[PROFILE_LOST_WAITS] = 4;
	}
}

/* Too short a run for a ranking, with hardly any waiting, for which nobody is to blame. */
static void scene_brief(struct build *b)
{
	add_pair(b, 24, 40, 24);
}

/* Code without call frame information, left by guesses: sampled, and on the way to a region. */
static void scene_guessed(struct build *b)
{
	static const char *const args[] = { "./cg", NULL };
	struct profile_thread *record;
	uint32_t thread, main_frame, at;

	begin(b, args);
	thread = add_thread(b, 1, 500);
	main_frame = add_main(b, thread);
	at = build_frame(b, main_frame, PROGRAM + 0x1221, PROFILE_FRAME_GUESSED);
	add_samples(b, at, PROGRAM + 0x1a44, 10);
	at = build_frame(b, main_frame, PROGRAM + 0x1221, 0);
	add_samples(b, at, PROGRAM + 0x1a74, 290);
	at = build_frame(b, at, PROGRAM + 0x2091, PROFILE_FRAME_GUESSED);
	add_samples(b, at, PROGRAM + 0x1a44, 20);
	at = build_frame(b, main_frame, PROGRAM + 0x1711, 0);
	at = build_frame(b, at, PROGRAM + 0x1711, PROFILE_FRAME_GUESSED);
	add_samples(b, at, PROGRAM + 0x1a44, 10);
	at = build_region(b, at, PROGRAM + 0x1721, 200);
	add_samples(b, at, PROGRAM + 0x1844, 150);
	record = build_thread_at(b, thread);
	record->n_guessed = 190;
	record->n_captures = 300;
	record->n_guessed_captures = 200;
	record->n_cut_captures = 30;
	build_header(b)->tables.objects = 5;
	build_header(b)->tables.rows = 12345;
	build_header(b)->tables.bytes = 65536;
	build_header(b)->tables.build_ns = 1500000;
	build_header(b)->tables.missing = 1;
}

static void scene_hostile(struct build *b)
{
	static const char *const args[] = { "./cg\033]0;title\007", "\xff\xfe", NULL };
	uint32_t thread, at;

	begin(b, args);
	strcpy(build_header(b)->runtime, "run\ntime");
	thread = add_thread(b, 1, 900);
	at = add_main(b, thread);
	add_samples(b, at, PROGRAM + 0x1b44, 100);
	add_samples(b, at, PROGRAM + 0x1c44, 100);
	add_samples(b, at, PROGRAM + 0x1d44, 100);
	/* Deep, and not recursion that can be folded. */
	for (int level = 0; level < 40; level++)
		at = build_frame(b, at, PROGRAM + (level % 2 ? 0x1744 : 0x1844), 0);
	add_samples(b, at, PROGRAM + 0x1c44, 100);
	add_samples(b, build_root(b, thread), 0xdead0000beef, 50);
}

/* A report longer than a pipe holds. */
static void scene_long(struct build *b)
{
	static const char *const args[] = { "./cg", NULL };
	uint32_t thread;

	begin(b, args);
	thread = add_thread(b, 1, 900);
	for (int i = 0; i < 2000; i++)
		add_samples(b, build_root(b, thread), PROGRAM + 0x3000 + 16 * i, 1);
}

/* What thread 1 has of one device in a target construct at this place, which it executed n times, all of them in
   `ms`. */
static uint32_t add_target(struct build *b, uint32_t parent, uint8_t flags, uint64_t codeptr,
	uint32_t n, int device, uint64_t ms)
{
	uint32_t target = build_target(b, parent, flags, codeptr, n);
	uint32_t context = build_context(b, 1, target);

	build_timed_event(b, context, PROFILE_EVENT_KEY(PROFILE_EVENT_TARGET, (uint32_t)device), n,
		0, ms * MSEC, ms * MSEC / n * 2);
	return context;
}

static void add_op(struct build *b, uint32_t context, enum profile_event event, int device,
	uint32_t n, uint64_t amount, uint64_t ms)
{
	build_timed_event(b, context, PROFILE_EVENT_KEY(event, (uint32_t)device), n, amount,
		ms * MSEC, ms * MSEC / n);
}

static void add_device_wait(struct build *b, uint32_t context, enum profile_wait wait, uint64_t ms)
{
	build_wait(b, context, wait, 0, 10, ms * MSEC);
	build_blame(b, context, PROFILE_WAIT_KEY(wait, 0), 0, 10, ms * MSEC);
}

static uint32_t target_of(struct build *b, uint32_t context)
{
	return (uint32_t)build_node_at(b, context)->addr;
}

/* What device 0 says of the target construct: it computes for 150 ms of its 1.9 s, and moves data faster than the host
   sees. */
static void add_trace(struct build *b, uint32_t target)
{
	uint32_t owner = PROFILE_OWNER_DEVICE | 1;
	uint32_t context = build_device_context(
		b, build_node(b, owner, 0, PROFILE_NODE_THREAD, 0, owner), target);
	struct profile_device *device;

	add_op(b, context, PROFILE_DEVICE_KERNEL, 0, 100, 0, 150);
	add_op(b, context, PROFILE_DEVICE_TO, 0, 200, 4000000000, 400);
	add_op(b, context, PROFILE_DEVICE_FROM, 0, 100, 1000000000, 200);
	add_op(b, context, PROFILE_DEVICE_QUEUE, 0, 100, 0, 30);
	device = build_device(b, 1, 0);
	device->flags = PROFILE_DEVICE_TRACED | PROFILE_DEVICE_KERNELS | PROFILE_DEVICE_TRANSFERS;
	device->n_procs = 108;
	device->traced = 1900 * MSEC;
	device->busy = 700 * MSEC;
	device->n_records = 402;
	device->lost[PROFILE_TRACE_UNMATCHED] = 2;
	device->ops[0] = (struct profile_device_ops){ 102, 151 * MSEC, 2 * MSEC, 0 };
	device->ops[1] = (struct profile_device_ops){ 200, 400 * MSEC, 2 * MSEC, 4000000000 };
	device->ops[2] = (struct profile_device_ops){ 100, 200 * MSEC, 2 * MSEC, 1000000000 };
	device->ops[5] = (struct profile_device_ops){ 100, 30 * MSEC, MSEC, 0 };
	strcpy(device->type, "Example;accelerator\033[31m 1");
}

/* Two devices: one that moves data all the time, one that computes. */
static void scene_target(struct build *b)
{
	static const char *const args[] = { "./cg", "offload", NULL };
	static const uint64_t solve[] = { 0x1221, 0 }, assemble[] = { 0x2421, 0 };
	uint32_t main_frame, at, context;

	begin(b, args);
	build_header(b)->end_ns = 2000 * MSEC;
	build_header(b)->waits = 1u << PROFILE_TARGET_DATA | 1u << PROFILE_TARGET_KERNEL | 0xfffe;
	add_thread(b, 1, 1650);
	main_frame = add_main(b, 1);
	at = build_frame(b, main_frame, PROGRAM + 0x1833, EXACT);
	build_samples(b, at, PROFILE_WORK, 400, 400 * MSEC);
	build_timed_event(b, build_root(b, 1),
		PROFILE_EVENT_KEY(PROFILE_EVENT_DEVICE_INITIALIZE, 0), 1, 0, 0, 0);
	build_timed_event(b, build_root(b, 1), PROFILE_EVENT_KEY(PROFILE_EVENT_DEVICE_LOAD, 0), 2,
		50000, 0, 0);
	at = add_frames(b, main_frame, solve);
	context = add_target(b, at, PROFILE_TARGET_CONSTRUCT, PROGRAM + 0x1261, 100, 0, 1000);
	add_op(b, context, PROFILE_EVENT_DATA_TO, 0, 200, 4000000000, 500);
	add_op(b, context, PROFILE_EVENT_DATA_FROM, 0, 100, 1000000000, 250);
	add_op(b, context, PROFILE_EVENT_DATA_ALLOC, 0, 200, 4000000000, 20);
	add_op(b, context, PROFILE_EVENT_DATA_DELETE, 0, 200, 0, 10);
	add_op(b, context, PROFILE_EVENT_KERNEL, 0, 100, 6400, 20);
	add_device_wait(b, context, PROFILE_TARGET_DATA, 780);
	add_device_wait(b, context, PROFILE_TARGET_KERNEL, 180);
	build_samples(b, context, PROFILE_WAIT_TARGET, 900, 900 * MSEC);
	add_trace(b, target_of(b, context));
	context = add_target(b, add_frames(b, main_frame, assemble),
		PROFILE_TARGET_UPDATE | PROFILE_TARGET_NOWAIT, PROGRAM + 0x2481, 10, 1, 300);
	add_op(b, context, PROFILE_EVENT_DATA_TO, 1, 10, 120000000, 290);
	add_device_wait(b, context, PROFILE_TARGET_DATA, 290);
	context = add_target(b, at, PROFILE_TARGET_ENTER_DATA, PROGRAM + 0x1251, 1, -1, 100);
	/* An older runtime tells not how long it took. */
	build_timed_event(b, context, PROFILE_EVENT_KEY(PROFILE_EVENT_DATA_TO, (uint32_t)-1), 1,
		1000000, 0, 0);
	build_target(b, at, PROFILE_TARGET_EXIT_DATA, PROGRAM + 0x1271, 1);
}

/* The same beside a thread of the device's driver. */
static void scene_driver(struct build *b)
{
	scene_target(b);
	add_native(b, 0x1a00, 1, 4);
}

static void scene_empty(struct build *b)
{
	static const char *const args[] = { NULL };

	begin(b, args);
}

/* A timeline in ticks of 1 << shift a bucket, with a count or two in each of its first buckets. */
static void add_timeline(struct build *b, uint32_t thread, uint32_t shift, uint32_t n)
{
	uint32_t number = build_segment(b, PROFILE_SEGMENT_TIMELINE, thread);
	struct profile_timeline_segment *timeline =
		(struct profile_timeline_segment *)build_segment_at(b, number);

	timeline->segment.record_bytes = PROFILE_NODE_BYTES;
	timeline->segment.used = PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES - 1;
	timeline->shift = shift;
	for (uint32_t i = 0; i < n; i++) {
		timeline->count[i][PROFILE_TIME_WORK] = thread == 1 || i % 3 == 0;
		timeline->count[i][PROFILE_TIME_BARRIER] = thread > 1 && i % 3;
		timeline->count[i][PROFILE_TIME_IN_WAIT] = thread > 1 && i % 3 == 2;
	}
	timeline->count[n][PROFILE_TIME_MUTEX] = thread;
	timeline->n_dropped = thread == 2 ? 12 : 0;
}

static void add_moments(struct build *b, uint32_t thread, uint32_t n)
{
	struct profile_segment *segment =
		build_segment_at(b, build_segment(b, PROFILE_SEGMENT_MOMENTS, thread));
	struct profile_moment *moments = (struct profile_moment *)(segment + 1);

	segment->record_bytes = PROFILE_MOMENT_BYTES;
	segment->used = n;
	for (uint32_t i = 0; i < n; i++) {
		int is_wait = i % 2;

		moments[i] = (struct profile_moment){
			.end = build_header(b)->start_ticks + (i + 1) * MSEC,
			.length = MSEC,
			.amount = is_wait * MSEC,
			.kind = is_wait ? PROFILE_MOMENT_WAIT : PROFILE_MOMENT_SAMPLE,
			.time = is_wait ? PROFILE_TIME_BARRIER : PROFILE_TIME_WORK,
			.what = is_wait ? PROFILE_BARRIER_CLOSING : PROFILE_WORK,
		};
	}
}

/* The same with timelines of three of the threads, one of which is being written to, and a trace that was full. */
static void scene_timed(struct build *b)
{
	struct profile_timeline_segment *torn;

	scene_waits(b);
	add_timeline(b, 1, 22, 9);
	add_timeline(b, 2, 22, 9);
	add_moments(b, 2, 6);
	add_timeline(b, 3, 24, 4);
	torn = (struct profile_timeline_segment *)build_segment_at(
		b, build_header(b)->n_segments - 1);
	torn->begun = 1;
	torn->merged = 2;
	memcpy(torn->first, torn->count[0], sizeof(torn->first));
}

static void scene_counters(struct build *b)
{
	scene_waits(b);
	scene_add_counters(b);
}

int scene_build(struct build *build, const char *name)
{
	static const struct {
		const char *name;
		void (*build)(struct build *b);
	} scenes[] = {
		{ "cg", scene_cg },
		{ "faults", scene_faults },
		{ "reads", scene_reads },
		{ "waits", scene_waits },
		{ "mutexes", scene_mutexes },
		{ "counted", scene_counted },
		{ "native", scene_native },
		{ "plain", scene_plain },
		{ "asleep", scene_asleep },
		{ "crowded", scene_crowded },
		{ "killed", scene_killed },
		{ "events", scene_events },
		{ "eventless", scene_eventless },
		{ "lossy", scene_lossy },
		{ "unblamed", scene_unblamed },
		{ "brief", scene_brief },
		{ "guessed", scene_guessed },
		{ "hostile", scene_hostile },
		{ "long", scene_long },
		{ "empty", scene_empty },
		{ "target", scene_target },
		{ "driver", scene_driver },
		{ "timed", scene_timed },
		{ "counters", scene_counters },
	};

	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		if (strcmp(scenes[i].name, name) == 0) {
			scenes[i].build(build);
			return 0;
		}
	}
	return -1;
}
