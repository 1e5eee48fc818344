/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of nodes that are no functions: constructs, waits, threads, truncated paths; see names.h.
 */
#include "src/findings/names_lookup.h"

#include <stdio.h>
#include <string.h>

const char *names_kind_word(enum name_kind kind)
{
	static const char *const words[NAME_N_KINDS] = {
		[NAME_ROOT] = "root",
		[NAME_FUNCTION] = "function",
		[NAME_INLINED] = "inlined",
		[NAME_REGION] = "region",
		[NAME_TASK] = "task",
		[NAME_WAIT] = "wait",
		[NAME_RUNTIME] = "runtime",
		[NAME_THREAD] = "thread",
		[NAME_PROGRAM] = "program",
		[NAME_TRUNCATED] = "truncated",
		[NAME_TARGET] = "target",
	};

	return words[kind];
}

const char *names_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Where the compiler's part begins in the name of an outlined function, or NULL: clang
 * `f.omp_outlined`, `.omp_outlined..1`, `.omp_task_entry.`, `.omp_task_privates_map.`,
 * `__omp_offloading_...`, gcc `f._omp_fn.0`, flang `f..omp_par`. Also in demangled names
 * (`A::run() [clone .omp_outlined]`).
 */
static const char *outlined_part(const char *name)
{
	static const char *const parts[] = { " [clone .omp_outlined", " [clone ._omp_fn.",
		".omp_outlined", "._omp_fn.", ".omp_task_entry.", "..omp_par", ".omp_par",
		"__omp_offloading_", ".omp_task_privates_map." };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *at = strstr(name, parts[i]);
		if (at)
			return at;
	}
	return NULL;
}

int names_is_outlined(const char *name)
{
	return outlined_part(name) != NULL;
}

/*
 * The name of the function that contains a construct: the function of the call; if that is
 * outlined, the function that it was outlined from. NULL when out of memory.
 */
static const char *containing_function(
	struct name_tree *names, const struct name_label *at, uint32_t parent)
{
	const char *cut = outlined_part(at->name);
	char text[512];

	if (!cut)
		return at->name;
	for (; cut == at->name && parent != NAMES_NONE; parent = names->nodes[parent].parent) {
		const struct name_label *above = names->nodes[parent].label;
		if (names_is_construct(above->kind))
			return above->function;
		if (names_is_code(above->kind))
			return above->name;
	}
	snprintf(text, sizeof(text), "%.*s", (int)(cut - at->name), at->name);
	return name_tree_intern(names, text);
}

int names_is_runtime(const struct profile *profile, uint32_t module)
{
	if (module >= profile->n_modules)
		return 0;
	return (profile->modules[module].flags & (PROFILE_MODULE_RUNTIME | PROFILE_MODULE_MAIN)) ==
	       PROFILE_MODULE_RUNTIME;
}

/*
 * The node whose address tells the place of construct i: the construct, or, if the runtime
 * encountered it (a taskloop's tasks), the user's call of the runtime.
 */
static uint32_t construct_place(
	const struct names_lookup *sites, const struct tree *tree, uint32_t i)
{
	const struct tree_node *node = &tree->nodes[i];
	uint32_t at =
		names_is_runtime(sites->profile, node->module) ? sites->caller_of[node->parent] : i;

	return at != UINT32_MAX && sites->site_of[at] != NAMES_NONE ? at : i;
}

static const char *target_word(uint8_t flags)
{
	static const char *const words[][2] = {
		[PROFILE_TARGET_ROUTINE] = { "target routine", "target routine nowait" },
		[PROFILE_TARGET_CONSTRUCT] = { "target", "target nowait" },
		[PROFILE_TARGET_ENTER_DATA] = { "target enter data", "target enter data nowait" },
		[PROFILE_TARGET_EXIT_DATA] = { "target exit data", "target exit data nowait" },
		[PROFILE_TARGET_UPDATE] = { "target update", "target update nowait" },
	};
	unsigned kind = flags & PROFILE_TARGET_KIND;

	return words[kind <= PROFILE_TARGET_UPDATE ? kind : PROFILE_TARGET_CONSTRUCT]
		    [(flags & PROFILE_TARGET_NOWAIT) != 0];
}

static const char *construct_word(const struct tree_node *node, const char *called)
{
	if (node->kind == TREE_TARGET)
		return target_word(node->class);
	if (node->kind == TREE_REGION)
		return node->flags & PROFILE_REGION_LEAGUE ? "teams" : "parallel";
	if (strstr(called, "taskloop"))
		return "taskloop";
	return node->flags & PROFILE_TASK_TARGET ? "target task" : "task";
}

/*
 * "FILE:LINE"; "FILE:LINE #2" with a twin; "FILE:LINE +1 more" for two constructs. Without a line
 * "OBJECT+0xADDRESS", or "FUNCTION 0xADDRESS" if the name is known.
 */
static void construct_where(char *text, size_t text_bytes, const struct names_lookup *sites,
	const struct names_lookup_entry *site, const struct name_label *at)
{
	uint64_t bias =
		site->module < sites->n_modules ? sites->profile->modules[site->module].bias : 0;

	if (at->line != 0 && site->n_bodies > 1)
		snprintf(text, text_bytes, "%s:%u +%u more", names_base(at->file), at->line,
			site->n_bodies - 1);
	else if (at->line != 0 && site->twin)
		snprintf(text, text_bytes, "%s:%u #%u", names_base(at->file), at->line, site->twin);
	else if (at->line != 0)
		snprintf(text, text_bytes, "%s:%u", names_base(at->file), at->line);
	else if (strncmp(at->name, "0x", 2) == 0)
		snprintf(text, text_bytes, "%s%s0x%llx", names_base(at->module),
			at->module[0] ? "+" : "", (unsigned long long)(site->addr - bias));
	else
		snprintf(text, text_bytes, "%s 0x%llx", at->name,
			(unsigned long long)(site->addr - bias));
}

/* "[omp parallel @solve.c:142]" */
static int label_construct(struct name_label *label, struct name_tree *names,
	const struct names_lookup *sites, const struct tree *tree, uint32_t i, uint32_t parent)
{
	const struct tree_node *node = &tree->nodes[i];
	const struct names_lookup_entry *own = names_lookup_of(sites, i);
	const struct names_lookup_entry *site =
		names_lookup_of(sites, construct_place(sites, tree, i));
	const struct name_label *at = &sites->labels[site->place];
	static const uint8_t kinds[] = {
		[TREE_REGION] = NAME_REGION, [TREE_TASK] = NAME_TASK, [TREE_TARGET] = NAME_TARGET
	};
	const char *word = construct_word(
		node, site == own ? "" : sites->labels[own->first + own->n - 1].name);
	char where[900], text[1024];

	*label = *at;
	label->kind = kinds[node->kind];
	label->function = containing_function(names, at, parent);
	if (!label->function)
		return -1;
	if (node->addr == 0) {
		snprintf(text, sizeof(text), "[omp %s]", word);
		label->function = label->module = label->file = sites->empty;
	} else {
		construct_where(where, sizeof(where), sites, site, at);
		snprintf(text, sizeof(text), "[omp %s @%s]", word, where);
		if (strncmp(at->name, "0x", 2) == 0)
			label->function = sites->empty;
	}
	label->name = name_tree_intern(names, text);
	return label->name ? 0 : -1;
}

const char *names_state_word(unsigned class)
{
	static const char *const words[] = {
#define CLASS(NAME, value, word, label, ...) [value] = "[" label "]",
#include "profile/shared/classes.def"
	};

	return class != PROFILE_WORK && class < PROFILE_N_CLASSES ? words[class] : "[wait]";
}

static const char *truncated_name(uint64_t end)
{
	static const char *const words[PROFILE_WALK_N_ENDS] = {
		[PROFILE_WALK_COMPLETE] = "<truncated>",
		[PROFILE_WALK_NO_CFI] = "<truncated: no call frame information>",
		[PROFILE_WALK_BAD_CFI] = "<truncated: bad call frame information>",
		[PROFILE_WALK_OFF_STACK] = "<truncated: left the thread's stack>",
		[PROFILE_WALK_NO_PROGRESS] = "<truncated: the stack did not grow>",
		[PROFILE_WALK_LIMIT] = "<truncated: too deep>",
		[PROFILE_WALK_UNKNOWN_CODE] = "<truncated: code in no loaded object>",
	};

	return end < PROFILE_WALK_N_ENDS ? words[end] : "<truncated>";
}

void names_process(char *text, size_t text_bytes, const struct profile *profile, size_t thread)
{
	const struct profile_process *process = profile_process_of(profile, thread);

	if (!process)
		text[0] = '\0';
	else if (process->rank)
		snprintf(text, text_bytes, "rank %u", process->rank - 1);
	else
		snprintf(text, text_bytes, "process %u", process->pid);
}

void names_thread(char *text, size_t text_bytes, const struct profile *profile, size_t thread)
{
	char process[48];

	names_process(process, sizeof(process), profile, thread);
	snprintf(text, text_bytes, "%s%sthread %u", process, process[0] ? ", " : "",
		thread < profile->n_threads ? profile->threads[thread].index : 0);
}

void names_member(char *text, size_t text_bytes, const struct profile *profile, size_t thread)
{
	static const struct profile_thread none;
	const struct profile_thread *record =
		thread < profile->n_threads ? &profile->threads[thread] : &none;
	uint32_t number;
	char process[48];
	int is_known = profile_team_number(record, &number);

	names_process(process, sizeof(process), profile, thread);
	snprintf(text, text_bytes, "%s's thread %u%s%s", is_known ? "team" : "profile",
		is_known ? number : record->index, process[0] ? " of " : "", process);
}

void names_team_number(char text[NAMES_NUMBER_BYTES], const struct profile *profile, size_t thread)
{
	uint32_t number;

	text[0] = '\0';
	if (profile_team_number(&profile->threads[thread], &number))
		snprintf(text, NAMES_NUMBER_BYTES, ", team's %u", number);
}

const char *names_thread_word(const struct profile *profile, size_t thread)
{
	static const char *const words[] = { "other", "initial", "worker" };
	const struct profile_thread *record = &profile->threads[thread];
	const struct profile_process *process = profile_process_of(profile, thread);

	if (profile_is_native(record))
		return "native";
	if (profile_is_helper(record))
		return "helper";
	if (record->type == 0 && record->tid == (process ? process->pid : profile->header.pid))
		return "first";
	return words[record->type < 3 ? record->type : 0];
}

static void thread_name(const struct profile *profile, uint64_t at, char *text, size_t bytes)
{
	static const char *const types[] = { "not OpenMP's", "initial", "worker", "helper" };
	const struct profile_thread *thread =
		at < profile->n_threads ? &profile->threads[at] : NULL;
	uint32_t type = thread && thread->type < 3 ? thread->type : 0;
	int is_helper = thread && profile_is_helper(thread);
	char name[64], number[NAMES_NUMBER_BYTES] = "";

	names_thread(name, sizeof(name), profile, at);
	if (thread)
		names_team_number(number, profile, at);
	snprintf(text, bytes, "%s (%s%s)", name, types[is_helper ? 3 : type], number);
}

int names_label_node(struct name_label *label, struct name_tree *names,
	const struct names_lookup *sites, const struct tree *tree, uint32_t i, uint32_t parent)
{
	const struct tree_node *node = &tree->nodes[i];
	const char *name = "";
	char text[128];

	if (tree_is_construct(node->kind))
		return label_construct(label, names, sites, tree, i, parent);
	*label = (struct name_label){
		.module = sites->empty,
		.file = sites->empty,
		.decl_file = sites->empty,
		.function = sites->empty,
	};
	if (node->kind == TREE_THREAD) {
		label->kind = NAME_THREAD;
		thread_name(sites->profile, node->addr, text, sizeof(text));
		name = text;
	} else if (node->kind == TREE_PROGRAM) {
		label->kind = NAME_PROGRAM;
		label->module = node->module < sites->n_modules ? sites->modules[node->module]
								: sites->empty;
		name = names_base(label->module);
	} else if (node->kind == TREE_TRUNCATED) {
		label->kind = NAME_TRUNCATED;
		name = truncated_name(node->addr);
	} else {
		label->kind = node->kind == TREE_RUNTIME ? NAME_RUNTIME : NAME_WAIT;
		name = names_state_word(
			node->kind == TREE_RUNTIME ? PROFILE_OVERHEAD : node->class);
	}
	label->name = name_tree_intern(names, name);
	return label->name ? 0 : -1;
}
