/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the format firefox that all threads share; see export_firefox_internal.h. */
#include "src/export/export_firefox_internal.h"

/* The reader uses the first category where none is given, and leaves "Idle" out of shares. */
static const struct {
	const char *name, *color;
} categories[] = {
	{ "Other", "grey" },
	{ "Work", "green" },
	{ "Overhead", "yellow" },
	{ "Barrier", "red" },
	{ "Tasks", "magenta" },
	{ "Mutex", "orange" },
	{ "Device", "purple" },
	{ "Idle", "transparent" },
};

unsigned firefox_category(unsigned class)
{
	static const uint8_t of[PROFILE_N_TIMES] = {
		[PROFILE_TIME_WORK] = 1,
		[PROFILE_TIME_OVERHEAD] = 2,
		[PROFILE_TIME_BARRIER] = 3,
		[PROFILE_TIME_TASKS] = 4,
		[PROFILE_TIME_MUTEX] = 5,
		[PROFILE_TIME_TARGET] = 6,
		[PROFILE_TIME_IDLE] = 7,
	};

	return class < PROFILE_N_CLASSES ? of[profile_time_of_class(class)] : 0;
}

void firefox_categories(struct firefox *firefox)
{
	struct json *json = &firefox->json;

	json_array(json, "categories");
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		json_object(json, NULL);
		json_string(json, "name", categories[i].name);
		json_string(json, "color", categories[i].color);
		json_array(json, "subcategories");
		json_string(json, NULL, "Other");
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
}

void firefox_same(struct json *json, const char *key, uint32_t n, const char *text)
{
	json_array(json, key);
	for (uint32_t i = 0; i < n; i++) {
		json_raw(json, NULL);
		fputs(text, json->out);
	}
	json_end_array(json);
}

void firefox_ms(struct json *json, const char *key, uint64_t ns)
{
	json_raw(json, key);
	fprintf(json->out, "%llu.%06llu", (unsigned long long)(ns / 1000000),
		(unsigned long long)(ns % 1000000));
}

/* Writes a column of a table of stacks: `put` writes each row. */
static void put_column(
	struct firefox *firefox, const char *key, void put(struct firefox *firefox, uint32_t node))
{
	json_array(&firefox->json, key);
	for (uint32_t i = 0; i < firefox->export->n_nodes; i++)
		if (firefox->stack_of[i] != EXPORT_NONE)
			put(firefox, i);
	json_end_array(&firefox->json);
}

static void put_stack(struct firefox *firefox, uint32_t node)
{
	json_number(&firefox->json, NULL, firefox->stack_of[node]);
}

static void put_prefix(struct firefox *firefox, uint32_t node)
{
	uint32_t parent = firefox->export->nodes[node].parent;
	uint32_t stack = parent == EXPORT_NONE ? EXPORT_NONE : firefox->stack_of[parent];

	json_number(
		&firefox->json, NULL, stack == EXPORT_NONE ? 0 : firefox->stack_of[node] - stack);
}

static void put_inline_depth(struct firefox *firefox, uint32_t node)
{
	const struct export_node *nodes = firefox->export->nodes;
	unsigned depth = 0;

	while (nodes[node].kind == NAME_INLINED && nodes[node].parent != EXPORT_NONE) {
		node = nodes[node].parent;
		depth++;
	}
	json_number(&firefox->json, NULL, depth);
}

static void put_category(struct firefox *firefox, uint32_t node)
{
	json_number(&firefox->json, NULL, firefox_category(firefox->export->nodes[node].class));
}

static void put_func(struct firefox *firefox, uint32_t node)
{
	json_number(&firefox->json, NULL, firefox->frames.of[node]);
}

static void put_line(struct firefox *firefox, uint32_t node)
{
	uint32_t line = firefox->export->nodes[node].line;

	json_known(&firefox->json, line != 0, NULL, line);
}

static void put_stacks(struct firefox *firefox)
{
	struct json *json = &firefox->json;
	uint32_t n = firefox->n_stacks;

	json_object(json, "stackTable");
	put_column(firefox, "frame", put_stack);
	put_column(firefox, "prefixOffset", put_prefix);
	json_number(json, "length", n);
	json_end_object(json);
	json_newline(json);
	json_object(json, "frameTable");
	firefox_same(json, "address", n, "-1");
	put_column(firefox, "inlineDepth", put_inline_depth);
	put_column(firefox, "category", put_category);
	firefox_same(json, "subcategory", n, "0");
	put_column(firefox, "func", put_func);
	firefox_same(json, "nativeSymbol", n, "null");
	firefox_same(json, "innerWindowID", n, "null");
	put_column(firefox, "line", put_line);
	firefox_same(json, "column", n, "null");
	firefox_same(json, "originalLocation", n, "null");
	json_number(json, "length", n);
	json_end_object(json);
	json_newline(json);
}

static const struct export_node *frame_node(const struct firefox *firefox, uint32_t frame)
{
	return &firefox->export->nodes[firefox->frames.node[frame]];
}

/* Function i has string i as its name. The files' strings follow; source k is file k. */
static void put_functions(struct firefox *firefox)
{
	struct json *json = &firefox->json;
	uint32_t n = firefox->frames.n;

	json_object(json, "funcTable");
	json_array(json, "name");
	for (uint32_t i = 0; i < n; i++)
		json_number(json, NULL, i);
	json_end_array(json);
	firefox_same(json, "isJS", n, "false");
	firefox_same(json, "relevantForJS", n, "false");
	firefox_same(json, "resource", n, "-1");
	json_array(json, "source");
	for (uint32_t i = 0; i < n; i++) {
		int is_known = *export_frame_file(frame_node(firefox, i)) != '\0';

		json_known(json, is_known, NULL, firefox->n_sources);
		firefox->n_sources += is_known;
	}
	json_end_array(json);
	json_array(json, "lineNumber");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t line = export_frame_line(frame_node(firefox, i));

		json_known(json, line != 0, NULL, line);
	}
	json_end_array(json);
	firefox_same(json, "columnNumber", n, "null");
	firefox_same(json, "originalLocation", n, "null");
	json_number(json, "length", n);
	json_end_object(json);
	json_newline(json);
}

uint32_t firefox_state_name(const struct firefox *firefox, unsigned class)
{
	return firefox->frames.n + firefox->n_sources + class;
}

static void put_sources(struct firefox *firefox)
{
	struct json *json = &firefox->json;
	uint32_t n = firefox->n_sources;

	json_object(json, "sources");
	firefox_same(json, "id", n, "null");
	json_array(json, "filename");
	for (uint32_t i = 0; i < n; i++)
		json_number(json, NULL, firefox->frames.n + i);
	json_end_array(json);
	firefox_same(json, "startLine", n, "1");
	firefox_same(json, "startColumn", n, "1");
	firefox_same(json, "sourceMapURL", n, "null");
	firefox_same(json, "content", n, "null");
	json_number(json, "length", n);
	json_end_object(json);
	json_array(json, "stringArray");
	for (uint32_t i = 0; i < firefox->frames.n; i++)
		json_string(json, NULL, frame_node(firefox, i)->name);
	for (uint32_t i = 0; i < firefox->frames.n; i++)
		if (*export_frame_file(frame_node(firefox, i)))
			json_string(json, NULL, export_frame_file(frame_node(firefox, i)));
	for (unsigned i = 0; i < PROFILE_N_CLASSES; i++)
		json_string(json, NULL, names_state_word(i));
	json_end_array(json);
	json_newline(json);
}

/* Writes a table without rows. */
static void put_empty(struct json *json, const char *key, const char *const *columns)
{
	json_object(json, key);
	for (; *columns; columns++)
		firefox_same(json, *columns, 0, "");
	json_number(json, "length", 0);
	json_end_object(json);
}

void firefox_shared(struct firefox *firefox)
{
	static const char *const resources[] = { "lib", "name", "host", "type", NULL };
	static const char *const symbols[] = { "libIndex", "address", "name", "functionSize",
		NULL };
	static const char *const places[] = { "source", "line", "column", NULL };
	struct json *json = &firefox->json;

	json_object(json, "shared");
	put_stacks(firefox);
	put_functions(firefox);
	put_sources(firefox);
	put_empty(json, "resourceTable", resources);
	put_empty(json, "nativeSymbols", symbols);
	put_empty(json, "sourceLocationTable", places);
	json_end_object(json);
	json_newline(json);
}
