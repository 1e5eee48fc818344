/* SPDX-License-Identifier: Apache-2.0 */
/* Lists profile files; reader_runs.c says of which run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader/merged.h"
#include "profile/reader/reader_internal.h"
#include "profile/shared/folder.h"

#define SUFFIX ".ompprof"

/* Adds up the threads in the THREADS segment at `offset`. */
static void add_threads(struct profile_entry *entry, int fd, uint64_t offset, uint32_t used)
{
	static const size_t capacity = PROFILE_SEGMENT_BYTES / PROFILE_THREAD_BYTES - 1;
	struct profile_thread thread;

	for (size_t i = 1; i <= used && i <= capacity; i++) {
		memset(&thread, 0, sizeof(thread));
		if (reader_read_at(fd, &thread, sizeof(thread), offset + i * PROFILE_THREAD_BYTES))
			break;
		entry->n_threads++;
		entry->n_samples += thread.n_samples;
	}
}

/* Sets entry->exe and entry->series if the RUN segment at `offset` has them. */
static void find_text(struct profile_entry *entry, int fd, uint64_t offset)
{
	struct reader_input input = { .size = 2 * PROFILE_SEGMENT_BYTES, .n_segments = 2 };
	struct reader_work work = { .input = &input };
	struct profile text = { 0 };
	unsigned char *bytes = calloc(1, input.size);

	input.bytes = bytes;
	if (bytes &&
		reader_read_at(fd, bytes + PROFILE_SEGMENT_BYTES, PROFILE_SEGMENT_BYTES, offset) ==
			0 &&
		reader_read_text(&text, &work) == 0 && text.program.exe[0]) {
		free(entry->exe);
		entry->exe = text.program.exe;
		entry->series = strtoull(profile_env(&text, PROFILE_REPEAT "="), NULL, 10);
		text.program.exe = NULL;
	}
	profile_release(&text);
	free(bytes);
}

static void add_segment(struct profile_entry *entry, int fd, uint64_t offset)
{
	struct profile_segment segment = { 0 };

	if (reader_read_at(fd, &segment, sizeof(segment), offset) != 0)
		return;
	if (segment.kind == PROFILE_SEGMENT_THREADS)
		add_threads(entry, fd, offset, segment.used);
	else if (segment.kind == PROFILE_SEGMENT_RUN)
		find_text(entry, fd, offset);
}

/*
 * Reads header, threads and executable. Returns 0, -1 if it is no profile, or errno if it cannot be
 * opened.
 */
static int look_at(struct profile_entry *entry)
{
	struct profile_header *header = &entry->header;
	struct stat stat;
	uint64_t size;
	int fd = open(entry->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return errno;
	if (fstat(fd, &stat) || reader_read_at(fd, header, sizeof(*header), 0) ||
		memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) != 0) {
		close(fd);
		return -1;
	}
	header->host[sizeof(header->host) - 1] = '\0';
	entry->file_bytes = (uint64_t)stat.st_size;
	size = reader_claimed_bytes(header, entry->file_bytes);
	for (uint64_t at = PROFILE_SEGMENT_BYTES; at < size; at += PROFILE_SEGMENT_BYTES)
		add_segment(entry, fd, at);
	close(fd);
	return 0;
}

static int has_suffix(const char *name)
{
	size_t n = strlen(name), n_suffix = strlen(SUFFIX);

	return n > n_suffix && strcmp(name + n - n_suffix, SUFFIX) == 0;
}

const char *profile_entry_name(const struct profile_entry *entry)
{
	const char *slash = strrchr(entry->path, '/');

	return slash ? slash + 1 : entry->path;
}

static void drop_last(struct profile_list *list)
{
	profile_entry_release(&list->entries[--list->n]);
}

/*
 * Adds the profile at `path`, or the members of the merged file; only counts it if it is neither.
 * *error is set to errno if it cannot be opened. Returns 0, or -1 with *diag set.
 */
static int add_path(struct profile_list *list, const char *path, int *error, struct diag *diag)
{
	struct profile_entry *entry = profile_list_add(list, strdup(path));
	long n_parts = 0;
	int status;

	if (!entry)
		return reader_cannot_read(diag, path, ENOMEM);
	status = look_at(entry);
	if (status == 0)
		return 0;
	drop_last(list);
	if (status > 0)
		*error = status;
	else
		n_parts = merged_list(list, path, diag);
	list->n_unread += n_parts == 0;
	return n_parts < 0 ? -1 : 0;
}

static int add_file(struct profile_list *list, const char *folder, const char *name, int *error,
	struct diag *diag)
{
	char *path;
	int status;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return reader_cannot_read(diag, folder, ENOMEM);
	status = add_path(list, path, error, diag);
	free(path);
	return status;
}

/* Sorts by rank, then by begin. */
static int compare(const void *left, const void *right)
{
	const struct profile_entry *a = left, *b = right;
	/* Without a rank the field is 0: such a process comes last. */
	uint32_t a_rank = a->header.around.rank - 1, b_rank = b->header.around.rank - 1;
	int order;

	if (a_rank != b_rank)
		return a_rank < b_rank ? -1 : 1;
	if (a->header.start_realtime_ns != b->header.start_realtime_ns)
		return a->header.start_realtime_ns < b->header.start_realtime_ns ? -1 : 1;
	order = strcmp(profile_entry_name(a), profile_entry_name(b));
	return order ? order : strcmp(a->path, b->path);
}

/* Whether both are of one process: a merged file can lie beside the files it was made of. */
static int is_same_process(const struct profile_entry *a, const struct profile_entry *b)
{
	return a->header.start_realtime_ns == b->header.start_realtime_ns &&
	       a->header.around.rank == b->header.around.rank && a->header.pid == b->header.pid &&
	       strcmp(a->header.host, b->header.host) == 0 &&
	       strcmp(profile_entry_name(a), profile_entry_name(b)) == 0;
}

/* Whether `b` is a later state of the process than `a`. */
static int is_later(const struct profile_entry *a, const struct profile_entry *b)
{
	if (a->header.last_ns != b->header.last_ns)
		return a->header.last_ns < b->header.last_ns;
	return (a->header.flags & PROFILE_COMPLETE) < (b->header.flags & PROFILE_COMPLETE);
}

/* Keeps the latest state of each process; the entries of a process follow each other. */
static void drop_doubles(struct profile_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct profile_entry *entry = &list->entries[i];

		if (!n || !is_same_process(&list->entries[n - 1], entry)) {
			list->entries[n++] = *entry;
		} else if (is_later(&list->entries[n - 1], entry)) {
			profile_entry_release(&list->entries[n - 1]);
			list->entries[n - 1] = *entry;
		} else {
			profile_entry_release(entry);
		}
	}
	list->n = n;
}

void profile_list_settle(struct profile_list *list)
{
	profile_list_drop_runs(list);
	qsort(list->entries, list->n, sizeof(*list->entries), compare);
	drop_doubles(list);
}

static const char how_to_record[] = "record a profile with: ompprof run COMMAND";

static int read_folder(struct profile_list *list, DIR *dir, const char *folder, struct diag *diag)
{
	struct dirent *entry;
	int error = 0;

	while ((entry = readdir(dir))) {
		if (has_suffix(entry->d_name) &&
			add_file(list, folder, entry->d_name, &error, diag) != 0)
			return -1;
	}
	if (list->n == 0 && error)
		return diag_set(
			diag, "cannot read the profiles in '%s': %s", folder, strerror(error));
	if (list->n == 0) {
		diag_set(diag, "cannot find a profile in '%s'", folder);
		diag_hint(diag, "%s", how_to_record);
		return -1;
	}
	profile_list_settle(list);
	return 0;
}

/* Reads a profile, a merged file, or a member of a merged file. */
static int read_file(struct profile_list *list, const char *path, struct diag *diag)
{
	long n_parts = merged_list(list, path, diag);
	struct profile_entry *entry;
	int status;

	if (n_parts > 0)
		profile_list_settle(list);
	if (n_parts)
		return n_parts > 0 ? 0 : -1;
	entry = profile_list_add(list, strdup(path));
	if (!entry)
		return reader_cannot_read(diag, path, ENOMEM);
	status = look_at(entry);
	/* An entry without a header stays: whoever opens the file then says what is wrong. */
	if (status != 0 && (status != ENOTDIR || merged_look_at(entry) != 0))
		entry->header = (struct profile_header){ 0 };
	return 0;
}

int profile_list_read(struct profile_list *list, const char *path, struct diag *diag)
{
	return profile_list_read_run(list, path, 0, diag);
}

int profile_list_read_run(
	struct profile_list *list, const char *path, uint64_t run_id, struct diag *diag)
{
	DIR *dir = opendir(path);
	int error, status;

	*list = (struct profile_list){ .only_run = run_id };
	if (dir) {
		status = read_folder(list, dir, path, diag);
		closedir(dir);
		return status;
	}
	error = errno;
	if (error == ENOTDIR)
		return read_file(list, path, diag);
	reader_cannot_read(diag, path, error);
	if (error == ENOENT)
		diag_hint(diag, "%s", how_to_record);
	return -1;
}

void profile_list_release(struct profile_list *list)
{
	while (list->n)
		drop_last(list);
	free(list->entries);
	free(list->runs);
	*list = (struct profile_list){ 0 };
}

size_t profile_list_most(const struct profile_list *list)
{
	size_t most = 0;

	for (size_t i = 1; i < list->n; i++) {
		const struct profile_entry *a = &list->entries[i], *b = &list->entries[most];

		if (a->n_samples > b->n_samples ||
			(a->n_samples == b->n_samples && strcmp(a->path, b->path) < 0))
			most = i;
	}
	return most;
}
