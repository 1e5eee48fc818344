/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses which profiles are merged and by whom, and writes the file; see merge_files.h. */
#include "src/merge/merge_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/ordered_pool.h"
#include "src/merge/merge_internal.h"
#include "src/text/message.h"
#include "src/text/progress.h"
#include "src/text/atomic_write.h"
#include "src/text/status.h"

/* The processes of a job on several machines begin within this time. */
#define MOST_APART_NS 60000000000u

/* The state of rank 0. */
struct work {
	const struct merge_request *request;
	const struct merge_ranks *ranks;
	struct profile_list list; /* sorted by name */
	struct merged_writer writer;
	size_t n_left_out;
	struct diag left_out; /* the reason for the last file left out */
	uint64_t n_threads, n_bytes;
	int is_shared; /* the other ranks have got the list of files */
};

static int no_memory(struct diag *diag)
{
	return diag_set(diag, "cannot merge the profiles: out of memory");
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(profile_entry_name(left), profile_entry_name(right));
}

/* Moves the entries of `from` to the end of `list`. Returns 0, or -1 when out of memory. */
static int move_entries(struct profile_list *list, struct profile_list *from)
{
	struct profile_entry *entries =
		realloc(list->entries, (list->n + from->n) * sizeof(*entries));

	if (!entries)
		return -1;
	list->entries = entries;
	memcpy(entries + list->n, from->entries, from->n * sizeof(*entries));
	list->n += from->n;
	from->n = 0;
	return 0;
}

static void leave_out(struct work *work, const struct diag *why)
{
	/* The last reason is not printed yet: if no file is left, the command fails with it. */
	if (work->n_left_out++)
		message_diag(&work->left_out);
	work->left_out = *why;
}

/* Leaves out entries without a header: they are no profiles, and would count as another run. */
static void drop_strangers(struct work *work, struct profile_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct profile profile;
		struct diag diag = { "", "" };

		if (list->entries[i].header.magic[0]) {
			list->entries[n++] = list->entries[i];
			continue;
		}
		if (profile_open(&profile, list->entries[i].path, &diag) == 0)
			profile_release(&profile);
		leave_out(work, &diag);
		profile_entry_release(&list->entries[i]);
	}
	list->n = n;
}

static int add_input(struct work *work, const char *path, struct diag *diag)
{
	struct profile_list found = { 0 };
	int status = profile_list_read(&found, path, diag);

	if (status == 0 && found.n_runs > 1)
		message("of the %zu runs in '%s' only the median run is merged", found.n_runs,
			path);
	if (status == 0)
		drop_strangers(work, &found);
	if (status == 0 && found.n && move_entries(&work->list, &found) != 0)
		status = no_memory(diag);
	profile_list_release(&found);
	return status;
}

static int check_names(const struct profile_list *list, struct diag *diag)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct profile_entry *entry = &list->entries[i];

		if (strlen(profile_entry_name(entry)) >= MERGED_NAME_BYTES)
			return diag_set(
				diag, "cannot merge '%s': its name is too long", entry->path);
		if (i && compare_names(entry - 1, entry) == 0)
			return diag_set(diag,
				"cannot merge '%s' and '%s': different processes need different "
				"names",
				entry[-1].path, entry->path);
	}
	return 0;
}

/* Sorts by rank and run. */
static int compare_runs(const void *left, const void *right)
{
	const struct profile_header *a = &((const struct profile_entry *)left)->header;
	const struct profile_header *b = &((const struct profile_entry *)right)->header;

	if (a->around.rank != b->around.rank)
		return a->around.rank < b->around.rank ? -1 : 1;
	return (a->run_id > b->run_id) - (a->run_id < b->run_id);
}

/*
 * On several machines each folder has a run of its own. Gives the runs that began less than
 * MOST_APART_NS before the latest run its number, if in all of them each process has a rank, the
 * number of ranks is the same, and each rank is in one run only.
 */
static void join_machines(struct profile_list *list)
{
	struct profile_header *before = NULL;
	uint64_t latest = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->entries[i].header.run_id > latest)
			latest = list->entries[i].header.run_id;
	qsort(list->entries, list->n, sizeof(*list->entries), compare_runs);
	for (size_t i = 0; i < list->n; i++) {
		struct profile_header *header = &list->entries[i].header;

		if (latest - header->run_id > MOST_APART_NS)
			continue;
		if (!header->around.rank ||
			(before && header->around.n_ranks != before->around.n_ranks) ||
			(before && header->around.rank == before->around.rank &&
				header->run_id != before->run_id))
			return;
		before = header;
	}
	for (size_t i = 0; i < list->n; i++)
		if (latest - list->entries[i].header.run_id <= MOST_APART_NS)
			list->entries[i].header.run_id = latest;
}

static int list_inputs(struct work *work, struct diag *diag)
{
	struct profile_list *list = &work->list;
	size_t n;

	for (size_t i = 0; i < work->request->n_inputs; i++)
		if (add_input(work, work->request->inputs[i], diag) != 0)
			return -1;
	if (list->n == 0) {
		*diag = work->left_out;
		work->n_left_out = 0;
		return -1;
	}
	if (work->request->n_inputs > 1)
		join_machines(list);
	n = profile_list_drop_runs(list);
	if (n)
		message("%zu %s of other runs than the latest %s left out", n,
			n > 1 ? "profiles" : "profile", n > 1 ? "are" : "is");
	profile_list_settle(list);
	qsort(list->entries, list->n, sizeof(*list->entries), compare_names);
	return check_names(list, diag);
}

/* Adds a part, or leaves it out if it could not be made. Returns 0, or -1 with *diag set. */
static int add_part(struct work *work, size_t i, const struct merge_part *part, struct diag *diag)
{
	const struct profile_entry *entry = &work->list.entries[i];
	FILE *out = work->writer.out;

	progress_show("merging files", i + 1, work->list.n);
	if (!part->member.bytes) {
		leave_out(work, &part->diag);
		return 0;
	}
	work->n_threads += entry->n_threads;
	if (merged_add(&work->writer, entry, profile_entry_name(entry), &part->member) != 0)
		return no_memory(diag);
	if (entry->file_bytes < (uint64_t)entry->header.n_segments * PROFILE_SEGMENT_BYTES)
		message("'%s' is truncated: part of it is missing, and so are its samples",
			entry->path);
	return ferror(out) ? -1 : 0;
}

struct taking {
	struct merge_making making; /* first: see merge_making */
	struct work *work;
	struct diag *diag;
};

static int take(void *data, size_t i, void *made)
{
	struct taking *taking = data;
	int status = made ? add_part(taking->work, i, made, taking->diag) : no_memory(taking->diag);

	merge_part_free(made);
	return status;
}

/* Makes and adds the parts of rank 0: the first files. */
static int add_own(struct work *work, size_t n, struct diag *diag)
{
	struct taking taking = { { work->list.entries }, work, diag };
	struct ordered_pool order = { .n = n,
		.data = &taking,
		.weigh = merge_weigh,
		.make = merge_make,
		.take = take,
		.drop = merge_part_free,
		.n_threads = work->request->n_threads };

	return ordered_pool_run(&order);
}

/* Returns 0, or -1 if the rank could not make the member. */
static int receive_member(struct merged_member *member, int from, const struct merge_ranks *ranks)
{
	size_t n_plain;
	uint8_t *plain = ranks->receive(from, &n_plain);

	if (plain)
		memcpy(&member->plain, plain, sizeof(member->plain));
	free(plain);
	member->bytes = ranks->receive(from, &member->n);
	return plain && member->bytes && member->n ? 0 : -1;
}

/* Adds the next part of a rank, or makes it here: the rank may not see the file. */
static int add_received(struct work *work, size_t i, int from, struct diag *diag)
{
	struct merge_part got = { 0 }, *own;
	int status;

	if (receive_member(&got.member, from, work->ranks) == 0) {
		status = add_part(work, i, &got, diag);
	} else {
		own = merge_part_make(work->list.entries[i].path);
		status = own ? add_part(work, i, own, diag) : no_memory(diag);
		merge_part_free(own);
	}
	free(got.member.bytes);
	return status;
}

static int add_all(struct work *work, struct diag *diag)
{
	const struct merge_ranks *ranks = work->ranks;
	struct merge_share share = merge_share_of(&work->list, 0, ranks->size);
	int status = add_own(work, share.end, diag);

	for (int rank = 1; status == 0 && rank < ranks->size; rank++) {
		share = merge_share_of(&work->list, rank, ranks->size);
		for (size_t i = share.first; status == 0 && i < share.end; i++)
			status = add_received(work, i, rank, diag);
	}
	return status;
}

static int end_merged(struct work *work, struct diag *diag)
{
	int error = merged_end(&work->writer);

	if (error == 0 || error == ENOMEM)
		return error == 0 ? 0 : no_memory(diag);
	return diag_set(diag, "cannot write '%s': %s", work->request->output.path, strerror(error));
}

static int write_merged(const void *data, FILE *out, struct diag *diag)
{
	/* save_private_file() passes the pointer on unchanged. */
	struct work *work = *(struct work *const *)data;
	int status;

	if (fseek(out, 0, SEEK_SET) != 0)
		return diag_set(diag, "cannot write '%s': it is no regular file",
			work->request->output.path);
	if (work->ranks->size > 1) {
		work->is_shared = 1;
		if (merge_share_list(work->ranks, &work->list) != 0)
			return no_memory(diag);
	}
	merged_begin(&work->writer, out);
	status = add_all(work, diag);
	if (status == 0 && work->writer.header.n_members == 0) {
		*diag = work->left_out;
		work->n_left_out = 0;
		return -1;
	}
	if (status == 0)
		status = end_merged(work, diag);
	work->n_bytes = work->writer.at;
	/* save_private_file() reports what could not be written. */
	return ferror(out) ? 0 : status;
}

static void say(const struct work *work)
{
	const char *output = work->request->output.path;
	uint32_t n = work->writer.header.n_members;

	if (!work->request->is_quiet)
		message("%u %s, %llu %s -> %s (%llu kB); view with: ompprof report -i %s",
			(unsigned)n, n == 1 ? "process" : "processes",
			(unsigned long long)work->n_threads,
			work->n_threads == 1 ? "thread" : "threads", output,
			(unsigned long long)(work->n_bytes + 999) / 1000, output);
}

static int merge_first(const struct merge_request *request, const struct merge_ranks *ranks)
{
	struct work work = { .request = request, .ranks = ranks };
	struct work *handed = &work;
	struct diag diag = { "", "" };
	int status = list_inputs(&work, &diag);

	if (status == 0)
		status = save_private_file(&request->output, write_merged, &handed, &diag);
	progress_end();
	if (work.n_left_out)
		message_diag(&work.left_out);
	if (status == 0)
		say(&work);
	else
		message_diag(&diag);
	if (status != 0 && ranks->size > 1 && work.is_shared)
		ranks->give_up();
	if (ranks->size > 1 && !work.is_shared)
		merge_share_list(ranks, &(struct profile_list){ 0 });
	merged_release(&work.writer);
	profile_list_release(&work.list);
	return status == 0 ? STATUS_OK : STATUS_FAILURE;
}

int merge_files(const struct merge_request *request, const struct merge_ranks *ranks)
{
	return ranks->rank == 0 ? merge_first(request, ranks)
				: merge_other(request->n_threads, ranks);
}
