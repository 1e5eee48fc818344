/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The named tree: the attributed tree with functions, lines and inlined calls instead of addresses.
 * Constructs are named after their place in the source, and nodes that read the same are joined.
 * The views and exporters of call paths and functions work on this tree. A function of the caller
 * looks up addresses.
 */
#ifndef OMPPROF_SRC_FINDINGS_NAMES_H
#define OMPPROF_SRC_FINDINGS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/tree.h"
#include "profile/reader/reader.h"
#include "src/symbols/symbols.h"

#define NAMES_NONE UINT32_MAX

enum name_kind {
	NAME_ROOT,
	NAME_FUNCTION,
	NAME_INLINED, /* a function inlined into the node above */
	NAME_REGION,
	NAME_TASK,
	NAME_WAIT,
	NAME_RUNTIME,
	NAME_THREAD,
	NAME_PROGRAM, /* an executable, if the processes ran several */
	NAME_TRUNCATED,
	NAME_TARGET,
	NAME_N_KINDS,
};

/* Whether nodes of this kind are constructs. */
static inline int names_is_construct(uint8_t kind)
{
	return kind == NAME_REGION || kind == NAME_TASK || kind == NAME_TARGET;
}

static inline int names_is_code(uint8_t kind)
{
	return kind == NAME_FUNCTION || kind == NAME_INLINED;
}

/* The label of a node. No string is ever NULL; an unknown value is "" or 0. */
struct name_label {
	uint8_t kind;       /* enum name_kind */
	const char *name;   /* "" for the root; "0x1234" if the address has no name */
	const char *module; /* path of the object file */
	const char *file;   /* source file of `line` */
	uint32_t line;
	const char *decl_file; /* where the function is declared; name_tree_child ignores it */
	uint32_t decl_line;
	const char *function; /* only of a construct: the function around it */
	uint64_t addr;        /* in the process; 0 unless the node is a frame of the machine view */
	uint64_t offset;      /* the same address in the object file */
};

struct name_node {
	uint32_t parent;       /* smaller than the node's own index; NAMES_NONE: the root */
	uint32_t first_child;  /* index or NAMES_NONE */
	uint32_t next_sibling; /* index or NAMES_NONE */
	uint32_t repeats;      /* levels of direct recursion that name_tree_fold joined; else 1 */
	int is_guessed;        /* at least one of its frames was guessed */
	uint32_t self;         /* its own figures: see name_self */
	const struct name_label *label; /* shared by nodes */
};

/* A line of the source; "" and 0 if not known. */
struct name_place {
	const char *file;
	uint32_t line;
};

struct name_tree_strings;
struct name_tree_labels;

struct name_tree {
	struct name_node *nodes;
	size_t n_nodes;
	size_t capacity;
	struct sparse figures;
	uint32_t *table; /* hash table of nodes by parent and label */
	size_t table_size;
	struct name_tree_labels *labels;
	struct name_tree_strings *strings; /* NULL if another tree owns the labels' texts */
	/* By node of the attributed tree; NULL if names_build did not make the tree. */
	uint32_t *node_of;           /* the named node that has its figures */
	struct name_place *place_of; /* its line, even without a named node of its own */
};

/* Looks up an address of a file: report_look_up() in the command, a fake in tests. */
typedef void names_lookup(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at);

enum names_function {
	NAMES_PASSED, /* symbols_body: the call that returns to an address passes it */
	NAMES_AROUND, /* symbols_begin: it contains an address */
	NAMES_TAIL,   /* symbols_tail: the call that returns to an address called it */
};

/* Finds a function by an address, as the functions of symbols.h do. */
typedef int names_body(void *data, const struct symbols_object *object, uint64_t addr,
	enum names_function which, struct symbol *function);

struct names_options {
	enum tree_view view;
	names_lookup *lookup;
	void *data; /* for lookup and body */
	/* NULL: bodies are known by their frames alone, and tail calls are not known */
	names_body *body;
};

/*
 * Makes the named tree of `tree`. The user view leaves out the callers of main, a thread's start-up
 * in libc and the functions that compilers make of a construct's body. Start-up frames with time of
 * their own stay, so that no time is lost. In the machine view each frame is a node with its
 * address and the function that has its code; inlined calls are not shown. Returns 0, or -1 with
 * *diag set (out of memory). Release with name_tree_release.
 */
int names_build(struct name_tree *names, const struct tree *tree, const struct profile *profile,
	const struct names_options *options, struct diag *diag);

/* The object file of a module, for the functions of symbols.h. */
static inline struct symbols_object names_object(const struct profile_module *module)
{
	return (struct symbols_object){
		.path = module->path,
		.build_id = module->build_id_bytes ? module->build_id : NULL,
		.build_id_bytes = module->build_id_bytes,
		.is_python = (module->flags & PROFILE_MODULE_PYTHON) != 0,
	};
}

/* Frees what *names owns; harmless on a zeroed struct. */
void name_tree_release(struct name_tree *names);

/*
 * "rank 3" or "process 4711": the process of a thread (index into profile.threads); "" in a profile
 * of one process.
 */
void names_process(char *text, size_t text_bytes, const struct profile *profile, size_t thread);

enum { NAMES_NUMBER_BYTES = 32 };

/* Writes "thread 3", or of several processes "rank 1, thread 3". */
void names_thread(char *text, size_t text_bytes, const struct profile *profile, size_t thread);

/*
 * Writes "team's thread 2", with OpenMP's number, if the thread had no other number in its teams;
 * else "profile's thread 3". With several processes " of rank 1" follows.
 */
void names_member(char *text, size_t text_bytes, const struct profile *profile, size_t thread);

/* Writes ", team's 2", with OpenMP's number, to follow a thread's type; or "". */
void names_team_number(char text[NAMES_NUMBER_BYTES], const struct profile *profile, size_t thread);

/*
 * "initial", "worker", "native", "first" (the process' first thread, if it is no OpenMP thread),
 * "helper" or "other".
 */
const char *names_thread_word(const struct profile *profile, size_t thread);

/* The name of a leaf of a class other than work: "[barrier wait]", "[runtime overhead]". */
const char *names_state_word(unsigned class);

/* The word for a kind in JSON: "function", "region", ... */
const char *names_kind_word(enum name_kind kind);

/* Whether `name` is an outlined function. */
int names_is_outlined(const char *name);

/*
 * Makes *folded: joins the nodes of a function whatever their lines, and direct recursion into one
 * node. The texts of its labels belong to `from`, which must outlive it. Returns 0 or -1 (out of
 * memory).
 */
int name_tree_fold(struct name_tree *folded, const struct name_tree *from);

/* Figures of each node with the figures of all nodes below it. */
struct name_totals {
	struct sparse figures;
	uint32_t *at; /* by node */
};

/* Returns 0 or -1 (out of memory). Release in either case. */
int name_totals_make(struct name_totals *totals, const struct name_tree *names);
void name_totals_release(struct name_totals *totals);

static inline struct tree_metrics name_totals_get(const struct name_totals *totals, size_t i)
{
	return sparse_metrics_get(&totals->figures, totals->at[i]);
}

static inline struct tree_metrics name_self(const struct name_tree *names, size_t i)
{
	return sparse_metrics_get(&names->figures, names->nodes[i].self);
}

/* Adds to a node's own figures. Returns 0 or -1 (out of memory). */
static inline int name_add(struct name_tree *names, size_t i, const struct tree_metrics *more)
{
	return sparse_metrics_add(&names->figures, &names->nodes[i].self, more);
}

/*
 * Adds the figures that a node of an attributed or a named tree has in `from`. Returns 0 or -1 (out
 * of memory).
 */
static inline int name_join(
	struct name_tree *names, size_t i, const struct sparse *from, uint32_t from_at)
{
	return sparse_metrics_join(&names->figures, &names->nodes[i].self, from, from_at);
}

/* to make a named tree, or to add to it */

/*
 * Makes a tree that has only a root. name_tree_intern works only with own_strings. Returns 0 or -1
 * (out of memory).
 */
int name_tree_init(struct name_tree *names, int own_strings);

/* The tree's copy of `text`: equal texts get the same address. NULL when out of memory. */
const char *name_tree_intern(struct name_tree *names, const char *text);

/*
 * Returns the child of `parent` that reads like `label`; adds it if there is none. Labels read the
 * same if kind, name, module, file, line and address are the same; strings are compared by address.
 * NAMES_NONE when out of memory.
 */
uint32_t name_tree_child(struct name_tree *names, uint32_t parent, const struct name_label *label);

/*
 * Replaces a node's label; name_tree_child must find both labels equal. Returns 0 or -1 (out of
 * memory).
 */
int name_tree_relabel(struct name_tree *names, uint32_t node, const struct name_label *label);

/* Whether `parent` has the child that name_tree_child would return. */
int name_tree_has_child(
	const struct name_tree *names, uint32_t parent, const struct name_label *label);

/* The label with the line of the function's declaration as its line, if it is a function. */
struct name_label names_function_label(const struct name_label *label);

#endif
