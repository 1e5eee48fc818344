/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the function or file that a person typed; see annotate_choose.h. */
#include "src/annotate/annotate_choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/filter.h"
#include "src/text/text.h"

/* FILE:LINE, or FILE with line 0. */
struct place {
	char *file;
	uint32_t line;
};

static uint64_t weight(const struct annotate *a, uint32_t node)
{
	return a->self[node].amount ? a->self[node].amount : a->total[node].amount / 1000000;
}

static const struct name_label *label_of(const struct annotate *a, uint32_t node)
{
	return a->places.nodes[node].label;
}

/* Adds a matching function: the largest is target->function, the others are sorted by size. */
static void add_function(
	struct annotate_target *target, const struct annotate *a, uint32_t function)
{
	uint32_t smaller = function;

	if (target->function == NAMES_NONE) {
		target->function = function;
		return;
	}
	if (weight(a, function) > weight(a, target->function)) {
		smaller = target->function;
		target->function = function;
	}
	for (size_t i = 0; i < ANNOTATE_MOST_OTHERS; i++) {
		uint32_t other = target->others[i];

		if (i < target->n_others && weight(a, other) >= weight(a, smaller))
			continue;
		target->others[i] = smaller;
		if (i >= target->n_others)
			break;
		smaller = other;
	}
	target->n_others++;
}

/* The bytes of a name before its parameters. */
static size_t without_parameters(const char *name)
{
	const char *open = strchr(name, '(');
	const char *call = strstr(name, "operator()");

	if (call && open == call + strlen("operator"))
		open = strchr(open + 2, '(');
	return open && open > name ? (size_t)(open - name) : strlen(name);
}

/* The begin of the last component of a qualified name: after the last "::" outside <>. */
static size_t last_component(const char *name, size_t n)
{
	size_t start = 0;
	int depth = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		depth += name[i] == '<';
		depth -= name[i] == '>' && depth > 0;
		if (depth == 0 && name[i] == ':' && name[i + 1] == ':')
			start = i + 2;
	}
	return start;
}

static int is_text(const char *name, size_t n, const char *text)
{
	return strlen(text) == n && memcmp(name, text, n) == 0;
}

static int fits_exactly(const char *name, const char *text)
{
	return strcmp(name, text) == 0;
}

static int fits_without_parameters(const char *name, const char *text)
{
	return is_text(name, without_parameters(name), text);
}

static int fits_last_component(const char *name, const char *text)
{
	size_t n = without_parameters(name), start = last_component(name, n);
	size_t bare = start + strcspn(name + start, "<");

	return is_text(name + start, n - start, text) ||
	       (bare < n && is_text(name + start, bare - start, text));
}

/* Matches a part of the name. ".." matches what a report cut from the middle of a name. */
static int fits_part(const char *name, const char *text)
{
	const char *gap = strstr(text, "..");
	size_t n = strlen(name), head = gap ? (size_t)(gap - text) : 0;
	size_t tail = gap ? strlen(gap + 2) : 0;

	if (strstr(name, text))
		return 1;
	return gap && head > 0 && tail > 0 && n >= head + tail && memcmp(name, text, head) == 0 &&
	       memcmp(name + n - tail, gap + 2, tail) == 0;
}

typedef int name_test(const char *name, const char *text);

static int find_functions(
	struct annotate_target *target, const struct annotate *a, name_test *test, const char *text)
{
	for (uint32_t at = a->places.nodes[0].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling)
		if (test(label_of(a, at)->name, text))
			add_function(target, a, at);
	return target->function != NAMES_NONE;
}

static int find_by_expression(
	struct annotate_target *target, const struct annotate *a, const char *text)
{
	struct filter filter = { .n_terms = 0 };
	struct diag diag;

	if (filter_add(&filter, FILTER_FOCUS, text, &diag) == 0)
		for (uint32_t at = a->places.nodes[0].first_child; at != NAMES_NONE;
			at = a->places.nodes[at].next_sibling)
			if (filter_match_text(&filter, FILTER_FOCUS, label_of(a, at)->name))
				add_function(target, a, at);
	filter_release(&filter);
	return target->function != NAMES_NONE;
}

/* Whether the path ends in the parts of `text`, which may begin with "./" and "../". */
static int is_file(const char *path, const char *text)
{
	size_t n = strlen(path), m;

	while (strncmp(text, "./", 2) == 0 || strncmp(text, "../", 3) == 0)
		text += text[1] == '/' ? 2 : 3;
	m = strlen(text);
	return m > 0 && n >= m && strcmp(path + n - m, text) == 0 &&
	       (n == m || path[n - m - 1] == '/' || text[0] == '/');
}

struct file_weights {
	const char *files[64];
	uint64_t weights[64];
	size_t n;
};

static void weigh_file(struct file_weights *found, const char *file, uint64_t weight)
{
	size_t i = 0;

	while (i < found->n && found->files[i] != file)
		i++;
	if (i == sizeof(found->files) / sizeof(found->files[0]))
		return;
	if (i == found->n) {
		found->files[found->n++] = file;
		found->weights[i] = 0;
	}
	found->weights[i] += weight;
}

/* Chooses the file with most time that `text` matches. Returns whether there is one. */
static int find_file(struct annotate_target *target, const struct annotate *a, const char *text)
{
	struct file_weights found = { .n = 0 };
	size_t best = 0;

	for (uint32_t i = 1; i < a->places.n_nodes; i++)
		if (a->places.nodes[i].parent != 0 && is_file(label_of(a, i)->file, text))
			weigh_file(&found, label_of(a, i)->file, weight(a, i));
	for (size_t i = 1; i < found.n; i++)
		if (found.weights[i] > found.weights[best])
			best = i;
	for (size_t i = 0; i < found.n; i++)
		if (i != best && target->n_others++ < ANNOTATE_MOST_OTHERS)
			target->other_files[target->n_others - 1] = found.files[i];
	target->file = found.n ? found.files[best] : NULL;
	return found.n > 0;
}

/* Sets the function's first and last known line in a file. Returns 0 if no line is known. */
static int find_range(
	const struct annotate *a, uint32_t function, const char *file, uint32_t range[2])
{
	const struct name_label *label = label_of(a, function);

	range[0] = strcmp(label->file, file) == 0 ? label->decl_line : 0;
	range[1] = range[0];
	for (uint32_t at = a->places.nodes[function].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling) {
		uint32_t line = label_of(a, at)->line;

		if (label_of(a, at)->file != file || line == 0)
			continue;
		if (range[0] == 0 || line < range[0])
			range[0] = line;
		if (line > range[1])
			range[1] = line;
	}
	return range[0] != 0;
}

static int has_line(const struct annotate *a, uint32_t function, const char *file, uint32_t line)
{
	for (uint32_t at = a->places.nodes[function].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling)
		if (label_of(a, at)->file == file && label_of(a, at)->line == line)
			return 1;
	return 0;
}

/* Adds the functions with figures at the line. */
static void find_at(struct annotate_target *target, const struct annotate *a)
{
	for (uint32_t at = a->places.nodes[0].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling)
		if (has_line(a, at, target->file, target->line))
			add_function(target, a, at);
}

/* Adds the functions whose range includes the line. Only the functions that begin last are kept. */
static void find_around(struct annotate_target *target, const struct annotate *a)
{
	uint32_t start = 0, range[2];

	for (uint32_t at = a->places.nodes[0].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling) {
		if (!find_range(a, at, target->file, range) || range[0] > target->line ||
			range[1] < target->line || range[0] < start)
			continue;
		if (range[0] > start) {
			target->function = NAMES_NONE;
			target->n_others = 0;
		}
		start = range[0];
		add_function(target, a, at);
	}
}

/*
 * Makes the function of target->line the target, if there is one; other files are no matches then.
 */
static void find_function(struct annotate_target *target, const struct annotate *a)
{
	struct annotate_target found = {
		.function = NAMES_NONE, .file = target->file, .line = target->line
	};

	find_at(&found, a);
	if (found.function == NAMES_NONE)
		find_around(&found, a);
	if (found.function != NAMES_NONE)
		*target = found;
}

/* Cuts off ":LINE" and all text behind it. Returns whether there was a line. */
static int split_line(struct place *place)
{
	for (char *colon = strchr(place->file, ':'); colon; colon = strchr(colon + 1, ':')) {
		size_t n = strspn(colon + 1, "0123456789");
		char after = colon[1 + n];

		if (n == 0 || n > 9 || (after && after != ' ' && after != ']'))
			continue;
		place->line = strtoul(colon + 1, NULL, 10);
		*colon = '\0';
		return 1;
	}
	return 0;
}

/*
 * Finds FILE or FILE:LINE: as the whole text, behind "@" as in a construct's label, or behind other
 * words.
 */
static int find_place(struct annotate_target *target, const struct annotate *a, const char *text)
{
	struct place place = { .file = strdup(text) };
	int is_found = 0;
	char *at;

	if (!place.file)
		return 0;
	split_line(&place);
	if (find_file(target, a, place.file))
		is_found = 1;
	else if (place.line && (at = strpbrk(place.file, "@ ")) != NULL)
		is_found = find_file(target, a, strrchr(at, at[0] == '@' ? '@' : ' ') + 1) ||
			   (strchr(at, '@') && find_file(target, a, strchr(at, '@') + 1));
	target->line = is_found ? place.line : 0;
	if (target->line)
		find_function(target, a);
	free(place.file);
	return is_found;
}

static int choose_hottest(struct annotate_target *target, const struct annotate *a)
{
	uint64_t most = 0;

	for (uint32_t at = a->places.nodes[0].first_child; at != NAMES_NONE;
		at = a->places.nodes[at].next_sibling) {
		uint64_t work = a->report->is_event ? a->self[at].amount : a->self[at].work_ns;

		if (work > most) {
			most = work;
			target->function = at;
		}
	}
	return most > 0;
}

/* In a tree, a name may be followed by " (x4)" or " (inlined)". */
static int find_without_remark(
	struct annotate_target *target, const struct annotate *a, const char *text)
{
	char *name = strdup(text), *remark = name ? strrchr(name, '(') : NULL;
	int is_found = 0;

	if (remark && remark > name && remark[-1] == ' ') {
		remark[-1] = '\0';
		is_found = find_functions(target, a, fits_exactly, name) ||
			   find_functions(target, a, fits_without_parameters, name) ||
			   find_functions(target, a, fits_part, name);
	}
	free(name);
	return is_found;
}

static int not_found(const struct annotate *a, const char *text, struct diag *diag)
{
	struct annotate_target hottest = { .function = NAMES_NONE };
	char clean[256], name[256];

	text_clean(clean, sizeof(clean), text);
	diag_set(diag, "no function or file '%s' in the profile", clean);
	if (choose_hottest(&hottest, a)) {
		text_clean(name, sizeof(name), label_of(a, hottest.function)->name);
		diag_hint(diag,
			"'ompprof report --by function' lists the functions; most work is in "
			"'%.100s'",
			name);
	}
	return -1;
}

int annotate_choose(struct annotate_target *target, const struct annotate *annotate,
	const char *text, struct diag *diag)
{
	static name_test *const tests[] = { fits_without_parameters, fits_last_component,
		fits_part };

	*target = (struct annotate_target){ .function = NAMES_NONE };
	if (!text)
		return choose_hottest(target, annotate)
			       ? 0
			       : diag_set(diag, "the profile has no work: nothing to annotate");
	if (!text[0])
		return not_found(annotate, text, diag);
	if (find_functions(target, annotate, fits_exactly, text) ||
		find_place(target, annotate, text))
		return 0;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (find_functions(target, annotate, tests[i], text))
			return 0;
	if (find_without_remark(target, annotate, text) ||
		find_by_expression(target, annotate, text))
		return 0;
	return not_found(annotate, text, diag);
}
