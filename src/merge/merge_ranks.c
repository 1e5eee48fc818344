/* SPDX-License-Identifier: Apache-2.0 */
/* Parts, and the ranks that make them; see merge_files.h. */
#include <stdlib.h>
#include <string.h>

#include "src/text/ordered_pool.h"
#include "src/merge/merge_internal.h"
#include "src/text/status.h"

/* Checks the header. Returns 0, or -1 with *diag set: it is not a profile that can be read. */
static int check_header(const struct profile_bytes *file, const char *path, struct diag *diag)
{
	size_t n = file->size < PROFILE_SEGMENT_BYTES ? file->size : PROFILE_SEGMENT_BYTES;
	struct profile profile;

	if (profile_parse(&profile, file->bytes, n, path, diag) != 0)
		return -1;
	profile_release(&profile);
	return 0;
}

/* Clears the writer's index of nodes: no reader uses it, and it is up to a third of a member. */
static void clear_index(struct profile_bytes *file)
{
	for (size_t at = PROFILE_SEGMENT_BYTES; at + PROFILE_SEGMENT_BYTES <= file->size;
		at += PROFILE_SEGMENT_BYTES) {
		const struct profile_segment *segment = (const void *)(file->bytes + at);
		struct profile_node *nodes = (void *)(file->bytes + at);

		if (segment->kind != PROFILE_SEGMENT_NODES ||
			segment->record_bytes != sizeof(*nodes))
			continue;
		for (size_t i = 1; i < PROFILE_SEGMENT_BYTES / sizeof(*nodes); i++)
			nodes[i].child = nodes[i].link[0] = nodes[i].link[1] = 0;
	}
}

struct merge_part *merge_part_make(const char *path)
{
	struct merge_part *part = calloc(1, sizeof(*part));
	struct profile_bytes file;

	if (!part || profile_load(&file, path, &part->diag) != 0)
		return part;
	if (check_header(&file, path, &part->diag) == 0) {
		clear_index(&file);
		if (merged_pack(&part->member, file.bytes, file.size) != 0)
			diag_set(&part->diag, "cannot merge '%s': out of memory", path);
	}
	free(file.bytes);
	return part;
}

void merge_part_free(void *data)
{
	struct merge_part *part = data;

	if (part)
		free(part->member.bytes);
	free(part);
}

struct merge_share merge_share_of(const struct profile_list *list, int rank, int size)
{
	struct merge_share share = { list->n, list->n };
	unsigned __int128 sum = 0, before = 0;

	for (size_t i = 0; i < list->n; i++)
		sum += list->entries[i].file_bytes + 1;
	for (size_t i = 0; i < list->n; i++) {
		/* The file belongs to the rank in whose share its middle byte is. */
		unsigned __int128 bytes = list->entries[i].file_bytes + 1;
		int whose = (int)((2 * before + bytes) * (unsigned)size / (2 * sum));

		before += bytes;
		if (whose >= rank && share.first == list->n)
			share.first = i;
		if (whose > rank) {
			share.end = i;
			break;
		}
	}
	return share;
}

/* Sends the list as bytes: for each file its size, and its path with the final zero. */
int merge_share_list(const struct merge_ranks *ranks, const struct profile_list *list)
{
	size_t n = 0, at = 0;
	uint8_t *bytes;

	for (size_t i = 0; i < list->n; i++)
		n += sizeof(uint64_t) + strlen(list->entries[i].path) + 1;
	bytes = malloc(n + 1);
	if (!bytes)
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		const struct profile_entry *entry = &list->entries[i];
		size_t n_path = strlen(entry->path) + 1;

		memcpy(bytes + at, &entry->file_bytes, sizeof(entry->file_bytes));
		memcpy(bytes + at + sizeof(entry->file_bytes), entry->path, n_path);
		at += sizeof(entry->file_bytes) + n_path;
	}
	ranks->share(bytes, &n);
	free(bytes);
	return 0;
}

/* Returns 0, or -1 when out of memory. */
static int receive_list(const struct merge_ranks *ranks, struct profile_list *list)
{
	size_t n = 0;
	uint8_t *bytes = ranks->share(NULL, &n);
	int status = bytes ? 0 : -1;

	*list = (struct profile_list){ 0 };
	for (size_t at = 0; status == 0 && at < n;) {
		const char *path = (const char *)bytes + at + sizeof(uint64_t);
		struct profile_entry *entry = profile_list_add(list, strdup(path));

		if (entry)
			memcpy(&entry->file_bytes, bytes + at, sizeof(entry->file_bytes));
		else
			status = -1;
		at += sizeof(entry->file_bytes) + strlen(path) + 1;
	}
	free(bytes);
	return status;
}

uint64_t merge_weigh(void *data, size_t i)
{
	const struct merge_making *making = data;

	return making->entries[i].file_bytes;
}

void *merge_make(void *data, size_t i)
{
	const struct merge_making *making = data;

	return merge_part_make(making->entries[i].path);
}

/* The share of a rank. It keeps its parts until rank 0 takes them. */
struct keeping {
	struct merge_making making; /* first: see merge_making */
	struct merge_part **parts;
};

static int take(void *data, size_t i, void *made)
{
	struct keeping *keeping = data;

	keeping->parts[i] = made;
	return 0;
}

/* Sends the parts; a part that could not be made is empty, and rank 0 then makes it. */
static void send_parts(const struct keeping *keeping, size_t n, const struct merge_ranks *ranks)
{
	for (size_t i = 0; i < n; i++) {
		static const struct merged_member none;
		const struct merge_part *part = keeping->parts[i];
		const struct merged_member *member = part ? &part->member : &none;

		ranks->send((const uint8_t *)&member->plain, sizeof(member->plain));
		ranks->send(member->bytes, member->n);
		merge_part_free(keeping->parts[i]);
	}
}

int merge_other(uint32_t n_threads, const struct merge_ranks *ranks)
{
	struct profile_list list;
	struct keeping keeping = { .parts = NULL };
	struct merge_share share;
	struct ordered_pool order = { .data = &keeping,
		.weigh = merge_weigh,
		.make = merge_make,
		.take = take,
		.drop = merge_part_free,
		.n_threads = n_threads };

	if (receive_list(ranks, &list) != 0)
		ranks->give_up();
	share = merge_share_of(&list, ranks->rank, ranks->size);
	order.n = share.end - share.first;
	keeping.making.entries = list.entries + share.first;
	keeping.parts = calloc(order.n + 1, sizeof(*keeping.parts));
	if (!keeping.parts)
		ranks->give_up();
	ordered_pool_run(&order);
	send_parts(&keeping, order.n, ranks);
	free(keeping.parts);
	profile_list_release(&list);
	return STATUS_OK;
}
