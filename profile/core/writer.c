/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mapped profile file; see writer.h. Part of the signal-safe core.
 *
 * Claims go through one 64-bit word in the file's header: n_segments and n_reserved side by side. A
 * claim is a compare-and-swap, which succeeds only while there is reserved room. A growth adds
 * room, and writer_finish ends all claims by taking it away.
 */
#include "profile/core/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"

enum {
	CHUNK_BYTES = 1 << 20,
	CHUNK_SEGMENTS = CHUNK_BYTES / PROFILE_SEGMENT_BYTES,
	MAX_CHUNKS = PROFILE_MAX_BYTES / CHUNK_BYTES, /* 4 million nodes */
	MAX_INTERRUPTED = 8,
	/*
	 * segments that are left when the file grows: on a busy disk growth can take long, and
	 * other threads claim meanwhile
	 */
	GROW_AHEAD = 48,
	CLAIM_TRIES = 64,      /* lost races before a claim gives up */
	RETRY_NS = 1000000000, /* for so long after a failed growth no other growth is tried */
	TEXT_ROOM = PROFILE_SEGMENT_BYTES - (int)sizeof(struct profile_segment),
};

static struct writer {
	char path[4096];
	dev_t device; /* device of the file, to recognise the file when it is opened again */
	ino_t inode;
	_Atomic(char *) chunk[MAX_CHUNKS]; /* where chunk i of the file is mapped */
	uint32_t n_chunks;                 /* changed by the holder of `growing` */
	atomic_flag growing;
	_Atomic int64_t
		retry_ns; /* CLOCK_MONOTONIC_COARSE before which growth is not tried again */
	_Atomic uint64_t
		shared[PROFILE_SEGMENT_N_KINDS]; /* by kind: segment << 32 | records used */
	struct profile_segment *text;            /* the RUN segment being filled */
} writer;

_Static_assert(offsetof(struct profile_header, n_segments) % 8 == 0 &&
		       offsetof(struct profile_header, n_reserved) ==
			       offsetof(struct profile_header, n_segments) + 4,
	"claims change n_segments and n_reserved together");

static _Atomic uint64_t *claims(void)
{
	return (_Atomic uint64_t *)&writer_header()->n_segments;
}

static int64_t coarse_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Beyond RLIMIT_FSIZE the kernel would send SIGXFSZ. */
static int within_limit(off_t end)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       (rlim_t)end <= limit.rlim_cur;
}

/* Writes zeros where the file system cannot reserve. At most CHUNK_BYTES / 4096 writes. */
static int write_zeros(int fd, off_t offset)
{
	static const char zeros[4096];

	for (off_t end = offset + CHUNK_BYTES; offset < end; offset += (off_t)sizeof(zeros)) {
		ssize_t n = plain_pwrite(fd, zeros, sizeof(zeros), offset);

		if (n != (ssize_t)sizeof(zeros))
			return n < 0 ? errno : ENOSPC;
	}
	return 0;
}

static int reserve(int fd, off_t offset)
{
	if (!within_limit(offset + CHUNK_BYTES))
		return EFBIG;
	/* A callback can be interrupted by the program's signals. */
	for (int i = 0; i < MAX_INTERRUPTED; i++) {
		if (plain_fallocate(fd, offset, CHUNK_BYTES) == 0)
			return 0;
		if (errno != EINTR)
			break;
	}
	return errno == EOPNOTSUPP || errno == ENOSYS ? write_zeros(fd, offset) : errno;
}

/* Reserves and maps the next chunk of the open file. Returns 0 or an errno. */
static int add_chunk(int fd)
{
	off_t offset = (off_t)writer.n_chunks * CHUNK_BYTES;
	char *at;
	int error;

	if (writer.n_chunks == MAX_CHUNKS)
		return EFBIG;
	error = reserve(fd, offset);
	if (error)
		return error;
	at = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	if (at == MAP_FAILED)
		return errno;
	/*
	 * Threads touch the first pages of their segments. Without this advice the kernel would
	 * read 32 pages around each.
	 */
	madvise(at, CHUNK_BYTES, MADV_RANDOM);
	atomic_store_explicit(&writer.chunk[writer.n_chunks++], at, memory_order_release);
	return 0;
}

/*
 * Opens the file, to grow it or to cut it; it must still be the file that was created. Returns -1
 * if it is not, or cannot be opened. Where others may write to the folder, they can put anything in
 * the place of the file: this function must neither wait for it nor change it.
 */
static int reopen(void)
{
	struct stat st;
	int fd =
		plain_open(writer.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		return -1;
	if (plain_fstat(fd, &st) == 0 && st.st_dev == writer.device && st.st_ino == writer.inode)
		return fd;
	plain_close(fd);
	return -1;
}

static void out_of_space(void)
{
	__atomic_fetch_or(&writer_header()->flags, PROFILE_SPACE_OUT, __ATOMIC_RELAXED);
}

/*
 * Adds a chunk unless another thread adds a chunk now, or a growth has just failed. `is_ahead`:
 * nothing is lost yet if this fails. Keeps errno: a growth can happen in any event, and runtime
 * functions with an event do not set errno.
 */
static void grow(int is_ahead)
{
	int fd, error = EIO, saved = errno;

	if (coarse_ns() < atomic_load_explicit(&writer.retry_ns, memory_order_relaxed)) {
		if (!is_ahead)
			out_of_space();
		return;
	}
	if (atomic_flag_test_and_set_explicit(&writer.growing, memory_order_acquire))
		return;
	fd = reopen();
	if (fd >= 0) {
		error = add_chunk(fd);
		plain_close(fd);
	}
	if (error == 0) {
		atomic_fetch_add_explicit(
			claims(), (uint64_t)CHUNK_SEGMENTS << 32, memory_order_release);
	} else {
		if (!is_ahead)
			out_of_space();
		atomic_store_explicit(
			&writer.retry_ns, coarse_ns() + RETRY_NS, memory_order_relaxed);
	}
	atomic_flag_clear_explicit(&writer.growing, memory_order_release);
	errno = saved;
}

static struct profile_segment *segment_at(uint32_t segment)
{
	char *chunk =
		atomic_load_explicit(&writer.chunk[segment / CHUNK_SEGMENTS], memory_order_acquire);

	return (struct profile_segment *)(chunk + (size_t)(segment % CHUNK_SEGMENTS) *
							  PROFILE_SEGMENT_BYTES);
}

/* The number of a newly claimed segment, or 0. */
static uint32_t claim(void)
{
	for (int i = 0; i < CLAIM_TRIES; i++) {
		uint64_t seen = atomic_load_explicit(claims(), memory_order_acquire);
		uint32_t n_segments = (uint32_t)seen, n_reserved = (uint32_t)(seen >> 32);

		if (n_segments >= n_reserved) {
			grow(0);
			seen = atomic_load_explicit(claims(), memory_order_acquire);
			if ((uint32_t)seen >= (uint32_t)(seen >> 32))
				return 0;
			continue;
		}
		if (!atomic_compare_exchange_weak_explicit(
			    claims(), &seen, seen + 1, memory_order_acq_rel, memory_order_relaxed))
			continue;
		/*
		 * Other threads can continue meanwhile: without space ahead, their claims during a
		 * growth would be lost.
		 */
		if (n_reserved - n_segments <= GROW_AHEAD)
			grow(1);
		return n_segments;
	}
	return 0;
}

/*
 * Fills *st with the status of the new file, which must have its folder's owner. The owner of the
 * file shows who we are to the file system. To the kernel the process may be another user.
 */
static int look_at(int folder, int fd, struct stat *st)
{
	struct stat of_folder;

	if (plain_fstat(fd, st) != 0 || plain_fstat(folder, &of_folder) != 0)
		return errno;
	return st->st_uid == of_folder.st_uid ? 0 : WRITER_FOREIGN;
}

/* Makes the file and maps its first chunk. Returns 0, an errno or WRITER_FOREIGN. */
static int create(int folder, const char *name)
{
	struct stat st;
	int fd = plain_openat(
		folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int error;

	if (fd < 0)
		return errno;
	error = look_at(folder, fd, &st);
	if (error == 0)
		error = add_chunk(fd);
	plain_close(fd);
	if (error)
		unlinkat(folder, name, 0);
	writer.device = st.st_dev;
	writer.inode = st.st_ino;
	return error;
}

int writer_open(int folder, const char *path, const char *name)
{
	struct profile_header *header;
	size_t bytes = strlen(path);
	int error;

	if (bytes + 1 + strlen(name) >= sizeof(writer.path))
		return ENAMETOOLONG;
	error = create(folder, name);
	if (error)
		return error;
	strcpy(writer.path, path);
	writer.path[bytes] = '/';
	strcpy(writer.path + bytes + 1, name);
	header = writer_header();
	memcpy(header->magic, PROFILE_MAGIC, sizeof(header->magic));
	header->version = PROFILE_VERSION;
	header->sizes.header_bytes = sizeof(*header);
	header->sizes.segment_bytes = PROFILE_SEGMENT_BYTES;
	atomic_store_explicit(claims(), (uint64_t)CHUNK_SEGMENTS << 32 | 1, memory_order_release);
	return 0;
}

void writer_finish(void)
{
	uint64_t seen;
	int fd;

	/*
	 * Not released again, so nothing grows from here on. If another thread grows the file now,
	 * the file keeps its reserved tail.
	 */
	if (!writer_header() ||
		atomic_flag_test_and_set_explicit(&writer.growing, memory_order_acquire))
		return;
	seen = atomic_load_explicit(claims(), memory_order_acquire);
	for (int i = 0; i < CLAIM_TRIES; i++) {
		uint64_t closed = (uint64_t)(uint32_t)seen << 32 | (uint32_t)seen;

		if (atomic_compare_exchange_weak_explicit(
			    claims(), &seen, closed, memory_order_acq_rel, memory_order_acquire))
			break;
	}
	fd = reopen();
	if (fd < 0)
		return;
	if (ftruncate(fd, (off_t)(uint32_t)seen * PROFILE_SEGMENT_BYTES) != 0)
		out_of_space();
	plain_close(fd);
}

void writer_forget(void)
{
	for (uint32_t i = 0; i < writer.n_chunks; i++)
		munmap(writer.chunk[i], CHUNK_BYTES);
	memset(&writer, 0, sizeof(writer));
}

struct profile_header *writer_header(void)
{
	return (struct profile_header *)atomic_load_explicit(
		&writer.chunk[0], memory_order_acquire);
}

struct profile_segment *writer_segment(
	enum profile_segment_kind kind, uint32_t record_bytes, uint32_t owner, uint32_t *segment)
{
	uint32_t number = claim();
	struct profile_segment *at;

	if (number == 0)
		return NULL;
	at = segment_at(number);
	at->record_bytes = record_bytes;
	at->owner = owner;
	__atomic_store_n(&at->kind, kind, __ATOMIC_RELEASE);
	*segment = number;
	return at;
}

struct profile_node *writer_node(uint32_t id)
{
	uint32_t per_segment = PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES;

	return (struct profile_node *)segment_at(id / per_segment) + id % per_segment;
}

/* Takes the next slot of the kind's current segment; 0 if there is none. */
static uint32_t take_slot(enum profile_segment_kind kind, uint32_t per_segment, uint32_t *segment)
{
	for (int i = 0; i < CLAIM_TRIES; i++) {
		uint64_t seen = atomic_load_explicit(&writer.shared[kind], memory_order_acquire);

		*segment = (uint32_t)(seen >> 32);
		if (*segment == 0 || (uint32_t)seen + 1 >= per_segment)
			return 0;
		if (atomic_compare_exchange_weak_explicit(&writer.shared[kind], &seen, seen + 1,
			    memory_order_acq_rel, memory_order_relaxed))
			return (uint32_t)seen + 1;
	}
	return 0;
}

uint64_t writer_record_offset(enum profile_segment_kind kind, uint32_t record_bytes)
{
	uint32_t segment, slot = take_slot(kind, PROFILE_SEGMENT_BYTES / record_bytes, &segment);
	struct profile_segment *at;

	if (slot == 0) {
		at = writer_segment(kind, record_bytes, 0, &segment);
		if (!at)
			return 0;
		slot = 1;
		atomic_store_explicit(
			&writer.shared[kind], (uint64_t)segment << 32 | 1, memory_order_release);
	}
	at = segment_at(segment);
	for (uint32_t used = __atomic_load_n(&at->used, __ATOMIC_RELAXED); used < slot;) {
		if (__atomic_compare_exchange_n(
			    &at->used, &used, slot, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			break;
	}
	return (uint64_t)segment * PROFILE_SEGMENT_BYTES + (uint64_t)slot * record_bytes;
}

void *writer_at(uint64_t offset)
{
	return (char *)segment_at((uint32_t)(offset / PROFILE_SEGMENT_BYTES)) +
	       offset % PROFILE_SEGMENT_BYTES;
}

void *writer_record(enum profile_segment_kind kind, uint32_t record_bytes)
{
	uint64_t offset = writer_record_offset(kind, record_bytes);

	return offset ? writer_at(offset) : NULL;
}

void writer_text(const char *key, const char *value)
{
	size_t key_bytes = strlen(key), bytes = strlen(value);
	uint32_t segment;
	char *to;

	if (key_bytes + 2 + bytes > TEXT_ROOM)
		bytes = TEXT_ROOM - key_bytes - 2;
	if (!writer.text || writer.text->used + key_bytes + 2 + bytes > TEXT_ROOM)
		writer.text = writer_segment(PROFILE_SEGMENT_RUN, 1, 0, &segment);
	if (!writer.text)
		return;
	to = (char *)(writer.text + 1) + writer.text->used;
	memcpy(to, key, key_bytes);
	to[key_bytes] = '=';
	memcpy(to + key_bytes + 1, value, bytes);
	__atomic_store_n(&writer.text->used, writer.text->used + (uint32_t)(key_bytes + 2 + bytes),
		__ATOMIC_RELEASE);
}
