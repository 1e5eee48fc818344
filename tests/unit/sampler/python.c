/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python frames of made-up interpreters: objects in memory that have the fields at the places of each
 * version, a chain of frames, and a path of C frames that they fit, or do not fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/core/writer.h"
#include "sampler/core/modules.h"
#include "sampler/core/python.h"
#include "sampler/python/python_layout.h"
#include "sampler/python/python_record.h"
#include "sampler/core/tool.h"

enum {
	ARENA_BYTES = 1 << 21,
	LOOP = 0x1000, /* the code of the interpreter: its loop, then other functions */
	OTHER = 0x2000,
	BEYOND = 0x3000, /* and code of other objects */
	OBJECT_BYTES = 512,
	DEEPEST = 40,
};

static const uint64_t versions[] = { 0x030b07f0, 0x030c01f0, 0x030d00f0 };

static char folder[64], file[128];
static struct python_interpreter python;
static const struct python_layout *layout;
static unsigned char *arena; /* ends at a page that cannot be read */
static size_t used;
static unsigned char *runtime, *interpreter, *state;
static unsigned char types[3][16];
static struct python_stack *stack;

/* The stack of C functions, which holds the marks: word i is in the frame of function i. */
static struct {
	uint64_t word[16];
} c_stack[DEEPEST];
static struct walk_path *path;

static unsigned char *take(size_t bytes)
{
	unsigned char *at = arena + used;

	used += (bytes + 15) / 16 * 16;
	assert_true(used <= ARENA_BYTES);
	memset(at, 0, bytes);
	return at;
}

static void put(unsigned char *at, uint32_t offset, const void *pointer)
{
	uint64_t word = (uintptr_t)pointer;

	memcpy(at + offset, &word, sizeof(word));
}

static void put_number(unsigned char *at, uint32_t offset, uint32_t number)
{
	memcpy(at + offset, &number, sizeof(number));
}

static void fill_text(unsigned char *at, const void *characters, uint64_t n, uint32_t width)
{
	int is_ascii = width == 1;

	for (uint64_t i = 0; width == 1 && i < n; i++)
		is_ascii &= ((const unsigned char *)characters)[i] < 0x80;
	put(at, 8, types[1]);
	put(at, 16, (void *)(uintptr_t)n);
	put_number(at, 32, width << 2 | 1 << 5 | (uint32_t)is_ascii << 6);
	memcpy(at + (is_ascii ? layout->text.ascii : layout->text.compact), characters, n * width);
}

static unsigned char *make_text(const void *characters, uint64_t n, uint32_t width)
{
	unsigned char *at = take(layout->text.compact + (n + 1) * width);

	fill_text(at, characters, n, width);
	return at;
}

static unsigned char *make_table(const void *bytes, uint64_t n)
{
	unsigned char *at = take(32 + n);

	put(at, 8, types[2]);
	put(at, 16, (void *)(uintptr_t)n);
	memcpy(at + 32, bytes, n);
	return at;
}

/* Two instructions on each line from the first line on: entries of kind 10 and 11, two columns each. */
static const unsigned char two_a_line[] = { 0x80 | 10 << 3 | 1, 0, 0, 0x80 | 11 << 3 | 1, 0, 0,
	0x80 | 11 << 3 | 1, 0, 0 };

/* Code objects get versions, where there are any. */
static void set_version(unsigned char *code)
{
	static uint32_t n;

	if (layout->code.co_version)
		put_number(code, layout->code.co_version, ++n);
}

static unsigned char *make_code(const char *name, uint32_t line)
{
	unsigned char *at = take(OBJECT_BYTES);

	put(at, 8, types[0]);
	put(at, layout->code.qualname, make_text(name, strlen(name), 1));
	put(at, layout->code.filename, make_text("/a/x.py", 7, 1));
	put(at, layout->code.linetable, make_table(two_a_line, sizeof(two_a_line)));
	put_number(at, layout->code.firstlineno, line);
	put_number(at, layout->code.firsttraceable, 1);
	set_version(at);
	return at;
}

/* A chain, from the outermost call to the innermost: see call() and push(). */
static struct {
	unsigned char *frame;  /* the innermost */
	unsigned char *cframe; /* of the innermost call */
} top;

/* The frame that the chain begins with. */
static void set_top(unsigned char *frame)
{
	top.frame = frame;
	if (layout->cframe.exists)
		put(top.cframe, layout->cframe.current_frame, frame);
	put(state, layout->state.top, layout->cframe.exists ? top.cframe : frame);
}

/* The thread executes nothing. */
static void end_chain(void)
{
	top.cframe = take(64);
	set_top(NULL);
}

static unsigned char *push(unsigned char *code, int unit)
{
	unsigned char *frame = take(PYTHON_FRAME_BYTES);

	put(frame, layout->frame.code, code);
	put(frame, layout->frame.prev_instr, code + layout->code.co_code_adaptive + 2 * unit);
	put(frame, layout->frame.previous, top.frame);
	set_top(frame);
	return frame;
}

/* A call of the loop in C function i, which executes `code`. */
static unsigned char *call(uint32_t i, unsigned char *code, int unit)
{
	unsigned char *mark = (unsigned char *)c_stack[i].word, *before = top.frame, *frame;

	if (layout->cframe.exists) {
		put(mark, layout->cframe.previous, top.cframe);
		top.cframe = mark;
		mark += 32;
	}
	if (!layout->frame.is_entry) {
		put(mark, layout->frame.previous, before);
		mark[layout->frame.owner] = PYTHON_OWNED_BY_C_STACK;
		before = mark;
	}
	top.frame = before;
	frame = push(code, unit);
	if (layout->frame.is_entry)
		frame[layout->frame.is_entry] = 1;
	return frame;
}

/* Makes a path of n functions; function 0 is the innermost. */
static void walk(uint32_t n, const uint64_t *ips)
{
	path->n = n;
	path->frame = path->store + 1;
	memset(path->store, 0, sizeof(path->store[0]) * (n + 2));
	for (uint32_t i = 0; i < n; i++) {
		path->frame[i].ip = ips[i];
		path->frame[i].cfa = (uintptr_t)c_stack[i].word + sizeof(c_stack[i]);
	}
}

#define WALK(...) walk(sizeof((uint64_t[]){ __VA_ARGS__ }) / 8, (uint64_t[]){ __VA_ARGS__ })

static int set_up(void **test_state)
{
	int fd;

	strcpy(folder, "/tmp/ompprof-python.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/x.ompprof", folder);
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	if (writer_open(fd, folder, "x.ompprof") != 0)
		return -1;
	close(fd);
	arena = mmap(NULL, ARENA_BYTES + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	stack = calloc(1, sizeof(*stack));
	path = calloc(1, sizeof(*path));
	(void)test_state;
	return arena == MAP_FAILED || !stack || !path ||
	       mprotect(arena + ARENA_BYTES, 4096, PROT_NONE) != 0;
}

static int tear_down(void **test_state)
{
	munmap(arena, ARENA_BYTES + 4096);
	free(stack);
	free(path);
	writer_forget();
	unlink(file);
	rmdir(folder);
	(void)test_state;
	return 0;
}

/* An interpreter of this version, with this thread's state behind another's in its list. */
static void begin(uint64_t version)
{
	unsigned char *other;

	layout = python_layout_of(version);
	assert_non_null(layout);
	used = 0;
	memset(c_stack, 0, sizeof(c_stack));
	memset(stack, 0, sizeof(*stack));
	memset(&top, 0, sizeof(top));
	runtime = take(1024);
	interpreter = take(8192);
	other = take(PYTHON_STATE_BYTES);
	state = take(PYTHON_STATE_BYTES);
	put(runtime, layout->runtime.interpreters_main, interpreter);
	put(interpreter, layout->runtime.threads_head, other);
	put(other, layout->state.next, state);
	put(state, layout->state.prev, other);
	put(state, layout->state.thread_id, (void *)(uintptr_t)pthread_self());
	end_chain();
	python_forget();
	python = (struct python_interpreter){
		.lo = LOOP,
		.hi = BEYOND,
		.eval_lo = LOOP,
		.eval_hi = OTHER,
		.runtime = (uintptr_t)runtime,
		.code_type = (uintptr_t)types[0],
		.text_type = (uintptr_t)types[1],
		.bytes_type = (uintptr_t)types[2],
		.layout = layout,
	};
	tool.python = &python;
}

static int read_path(void)
{
	return python_read(stack, path, path->n);
}

/* The path of the latest module with this generation. */
static const char *name_of(uint32_t generation)
{
	const unsigned char *bytes = (const unsigned char *)writer_header();
	const char *found = "";

	for (uint32_t s = 1; s < writer_header()->n_segments; s++) {
		const unsigned char *segment = bytes + (size_t)s * PROFILE_SEGMENT_BYTES;
		const struct profile_segment *head = (const struct profile_segment *)segment;

		for (uint32_t i = 1; head->kind == PROFILE_SEGMENT_MODULES && i <= head->used;
			i++) {
			const struct profile_module *module =
				(const struct profile_module *)(segment +
								(size_t)i * PROFILE_MODULE_BYTES);

			if (module->generation == generation && module->end)
				found = module->path;
		}
	}
	return found;
}

static void check_frame(uint32_t i, const char *name, uint32_t line, uint32_t native)
{
	const struct python_frame *frame = &stack->at[i];

	assert_true(i < stack->n);
	assert_string_equal(name_of(frame->module), name);
	assert_int_equal(frame->addr & ((1 << PYTHON_LINE_BITS) - 1), line);
	assert_int_equal(frame->native, native);
}

static void test_calls(void **test_state)
{
	(void)test_state;
	for (int v = 0; v < 3; v++) {
		begin(versions[v]);
		call(3, make_code("<module>", 1), 1);
		push(make_code("f", 10), 3);
		call(1, make_code("f.g", 20), 5);
		WALK(OTHER, LOOP + 4, BEYOND, LOOP + 8, OTHER);
		assert_int_equal(read_path(), 1);
		assert_int_equal(stack->n, 3);
		check_frame(0, "/a/x.py:20:f.g", 22, 1);
		check_frame(1, "/a/x.py:10:f", 11, 3);
		check_frame(2, "/a/x.py:1:<module>", 1, 3);
		assert_int_equal(stack->state, (uintptr_t)state);
		/* Marks beyond the path are another task's. */
		path->n = 3;
		assert_int_equal(read_path(), 1);
		assert_int_equal(stack->n, 1);
		path->n = 1;
		assert_int_equal(read_path(), 0);
	}
}

/* How many paths were lost since the last question. */
static uint32_t n_lost(void)
{
	static uint32_t last;
	uint32_t n = writer_header()->usage.n_python_lost - last;

	last += n;
	return n;
}

static void test_paths_that_do_not_fit(void **test_state)
{
	unsigned char *frame;

	(void)test_state;
	n_lost();
	for (int v = 0; v < 3; v++) {
		begin(versions[v]);
		call(3, make_code("f", 1), 1);
		call(1, make_code("g", 1), 1);
		WALK(LOOP, LOOP, OTHER, LOOP); /* the innermost call has just begun */
		assert_int_equal(read_path(), 1);
		WALK(LOOP, LOOP, LOOP, LOOP);
		assert_int_equal(read_path(), -1);
		WALK(OTHER, BEYOND, OTHER, LOOP);
		assert_int_equal(read_path(), -1);
		WALK(OTHER, LOOP, OTHER, LOOP);
		path->frame[2].flags = WALK_FRAME_FOREIGN;
		assert_int_equal(read_path(), -1);
		assert_int_equal(n_lost(), 3);
		/* The chain ends where it must not. */
		WALK(OTHER, LOOP, OTHER, LOOP);
		frame = push(make_code("h", 1), 1);
		put(frame, layout->frame.previous, NULL);
		assert_int_equal(read_path(), -1);
		set_top((unsigned char *)1);
		assert_int_equal(read_path(), -1);
		assert_int_equal(n_lost(), 2);
	}
}

/* A sample between the instructions that begin a call. */
static void test_calls_in_the_making(void **test_state)
{
	unsigned char *before;

	(void)test_state;
	for (int v = 0; v < 2; v++) {
		begin(versions[v]);
		call(3, make_code("f", 1), 1);
		before = top.frame;
		call(1, make_code("g", 1), 1);
		WALK(OTHER, LOOP, OTHER, LOOP);
		set_top(before);
		assert_int_equal(read_path(), -1);
	}
}

static void test_states(void **test_state)
{
	(void)test_state;
	begin(versions[0]);
	call(0, make_code("f", 1), 1);
	WALK(LOOP);
	assert_int_equal(read_path(), 1);
	/* It has left the list, but its memory is as it was. */
	n_lost();
	put(interpreter, layout->runtime.threads_head, NULL);
	put(arena + 1024 + 8192, layout->state.next, NULL);
	assert_int_equal(read_path(), 0);
	assert_int_equal(stack->state, 0);
	put(runtime, layout->runtime.interpreters_main, NULL);
	assert_int_equal(read_path(), 0);
	assert_int_equal(n_lost(), 0);
}

static void test_functions_that_have_not_begun(void **test_state)
{
	unsigned char *frame;

	(void)test_state;
	for (int v = 0; v < 3; v++) {
		begin(versions[v]);
		call(0, make_code("f", 5), 2);
		frame = push(make_code("g", 9), -1);
		WALK(LOOP);
		assert_int_equal(read_path(), 1);
		assert_int_equal(stack->at[0].addr, 0);
		check_frame(1, "/a/x.py:5:f", 6, 0);
		frame[layout->frame.owner] = PYTHON_OWNED_BY_GENERATOR;
		assert_int_equal(read_path(), 1);
		check_frame(0, "/a/x.py:9:g", 9, 0);
	}
}

/* The memory of a code object and of its name serve another function. */
static void test_memory_that_is_used_again(void **test_state)
{
	unsigned char *code;
	uint64_t text;

	(void)test_state;
	for (int v = 0; v < 3; v++) {
		begin(versions[v]);
		code = make_code("old", 7);
		call(0, code, 1);
		WALK(LOOP);
		assert_int_equal(read_path(), 1);
		check_frame(0, "/a/x.py:7:old", 7, 0);
		memcpy(&text, code + layout->code.qualname, sizeof(text));
		fill_text((unsigned char *)(uintptr_t)text, "new", 3, 1);
		set_version(code);
		assert_int_equal(read_path(), 1);
		check_frame(0, "/a/x.py:7:new", 7, 0);
		/* And the same function elsewhere has its old record. */
		text = stack->at[0].module;
		end_chain();
		call(0, make_code("new", 7), 1);
		assert_int_equal(read_path(), 1);
		assert_int_equal(stack->at[0].module, text);
	}
}

/* What a thread has named is not read again, but it is not kept for another profile. */
static void test_instructions_that_are_remembered(void **test_state)
{
	unsigned char *code;

	(void)test_state;
	begin(versions[1]);
	code = make_code("f", 7);
	call(0, code, 1);
	WALK(LOOP);
	assert_int_equal(read_path(), 1);
	put(code, layout->code.qualname, NULL);
	assert_int_equal(read_path(), 1);
	check_frame(0, "/a/x.py:7:f", 7, 0);
	tool.epoch++;
	assert_int_equal(read_path(), -1);
}

static void test_objects_that_are_none(void **test_state)
{
	uint32_t offsets[3];

	(void)test_state;
	n_lost();
	for (int v = 0; v < 3; v++) {
		begin(versions[v]);
		offsets[0] = layout->code.qualname;
		offsets[1] = layout->code.filename;
		offsets[2] = layout->code.linetable;
		WALK(LOOP);
		for (int i = 0; i < 3; i++) {
			unsigned char *code = make_code("f", 1);

			end_chain();
			call(0, code, 1);
			put(code, offsets[i], code);
			assert_int_equal(read_path(), -1);
			put(code, offsets[i], arena + ARENA_BYTES);
			assert_int_equal(read_path(), -1);
		}
		end_chain();
		call(0, runtime, 1);
		assert_int_equal(read_path(), -1);
		end_chain();
		call(0, arena + ARENA_BYTES - 16, 1);
		assert_int_equal(read_path(), -1);
		assert_int_equal(n_lost(), 8);
	}
}

static void test_texts(void **test_state)
{
	static const uint16_t wide[] = { 0x3b1, '/', 0x20ac };
	static const uint32_t wider[] = { 0x1f600, 0xe9 };
	static char long_name[700];
	unsigned char *code;

	(void)test_state;
	begin(versions[1]);
	code = make_code("f", 3);
	call(0, code, 1);
	WALK(LOOP);
	put(code, layout->code.qualname, make_text("\xe9t\xe9", 3, 1));
	set_version(code);
	assert_int_equal(read_path(), 1);
	check_frame(0, "/a/x.py:3:\xc3\xa9t\xc3\xa9", 3, 0);
	put(code, layout->code.qualname, make_text(wide, 3, 2));
	set_version(code);
	assert_int_equal(read_path(), 1);
	check_frame(0, "/a/x.py:3:\xce\xb1/\xe2\x82\xac", 3, 0);
	put(code, layout->code.qualname, make_text(wider, 2, 4));
	set_version(code);
	assert_int_equal(read_path(), 1);
	check_frame(0, "/a/x.py:3:\xf0\x9f\x98\x80\xc3\xa9", 3, 0);
	memset(long_name, 'n', sizeof(long_name));
	put(code, layout->code.qualname, make_text(long_name, sizeof(long_name), 1));
	set_version(code);
	assert_int_equal(read_path(), 1);
	assert_int_equal(strspn(name_of(stack->at[0].module) + 10, "n"), 320 - 40);
	/* Short texts can end where memory does. */
	used = ARENA_BYTES - 64;
	put(code, layout->code.qualname, make_text("last", 4, 1));
	set_version(code);
	assert_int_equal(read_path(), 1);
	check_frame(0, "/a/x.py:3:last", 3, 0);
}

/* Lines that are relative to the working folder, or of no file. */
static void test_files(void **test_state)
{
	unsigned char *code;

	(void)test_state;
	begin(versions[2]);
	code = make_code("f", 3);
	call(0, code, 1);
	WALK(LOOP);
	put(code, layout->code.filename, make_text("x.py", 4, 1));
	modules_forget(&(struct modules_process){ .cwd = "/home/me" });
	assert_int_equal(read_path(), 1);
	check_frame(0, "/home/me/x.py:3:f", 3, 0);
	put(code, layout->code.filename, make_text("<string>", 8, 1));
	set_version(code);
	assert_int_equal(read_path(), 1);
	check_frame(0, "<string>:3:f", 3, 0);
}

/* The line of an instruction by a table. */
static uint64_t line_by(const void *table, uint64_t n, int unit)
{
	unsigned char *code = make_code("f", 100);

	put(code, layout->code.linetable, make_table(table, n));
	end_chain();
	call(0, code, unit);
	WALK(LOOP);
	assert_int_equal(read_path(), 1);
	return stack->at[0].addr & ((1 << PYTHON_LINE_BITS) - 1);
}

static void test_lines(void **test_state)
{
	static const unsigned char kinds[] = {
		0x80 | 2 << 3 | 0, 0,                    /* short: 1 instruction, line 100 */
		0x80 | 13 << 3 | 7, 5,                   /* no columns: 8, two lines back: 98 */
		0x80 | 15 << 3 | 1,                      /* none: 2 */
		0x80 | 14 << 3 | 0, 0x40, 0x04, 0, 1, 1, /* long: 1, 128 lines on: 226 */
		0x80 | 12 << 3 | 0, 1, 2,                /* one line: 1, two lines on: 228 */
	};
	static unsigned char many[3000];

	(void)test_state;
	begin(versions[0]);
	assert_int_equal(line_by(kinds, sizeof(kinds), 1), 98);
	assert_int_equal(line_by(kinds, sizeof(kinds), 8), 98);
	assert_int_equal(line_by(kinds, sizeof(kinds), 9), 0);
	assert_int_equal(line_by(kinds, sizeof(kinds), 11), 226);
	assert_int_equal(line_by(kinds, sizeof(kinds), 12), 228);
	assert_int_equal(line_by(kinds, sizeof(kinds), 13), 0);
	for (size_t i = 0; i < sizeof(many); i += 3)
		many[i] = 0x80 | 11 << 3;
	assert_int_equal(line_by(many, sizeof(many), 1), 102);
	assert_int_equal(line_by(many, sizeof(many), 600), 701);
	assert_int_equal(line_by(many, sizeof(many), 999), 1100);
}

/* The deepest chain, of one function, and more functions than there are numbers. */
static void test_bounds(void **test_state)
{
	unsigned char *code;
	char name[16];

	(void)test_state;
	begin(versions[2]);
	code = make_code("f", 1);
	call(0, code, 1);
	for (uint32_t i = 1; i < PYTHON_MOST_FRAMES; i++)
		push(code, 1);
	WALK(LOOP);
	assert_int_equal(read_path(), 1);
	assert_int_equal(stack->n, PYTHON_MOST_FRAMES);
	check_frame(PYTHON_MOST_FRAMES - 1, "/a/x.py:1:f", 1, 0);
	push(code, 1);
	assert_int_equal(read_path(), -1);
	for (uint32_t i = 1; i <= PYTHON_MOST_CODES; i++) {
		used = 4 * ARENA_BYTES / 5;
		end_chain();
		snprintf(name, sizeof(name), "f%u", i);
		call(0, make_code(name, i), 1);
		assert_int_equal(read_path(), i < PYTHON_MOST_CODES ? 1 : -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_paths_that_do_not_fit),
		cmocka_unit_test(test_calls_in_the_making),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_functions_that_have_not_begun),
		cmocka_unit_test(test_memory_that_is_used_again),
		cmocka_unit_test(test_instructions_that_are_remembered),
		cmocka_unit_test(test_objects_that_are_none),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
