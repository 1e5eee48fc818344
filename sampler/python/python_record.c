/* SPDX-License-Identifier: Apache-2.0 */
/* Records Python functions in the profile; see python_record.h. Part of the signal-safe core. */
#include "sampler/python/python_record.h"

#include <string.h>

#include "profile/core/writer.h"
#include "profile/shared/hash.h"
#include "sampler/core/modules.h"
#include "sampler/core/python.h"
#include "sampler/core/tool.h"
#include "sampler/python/python_layout.h"

enum {
	N_SLOTS = 2 * PYTHON_MOST_CODES,
	N_PROBES = 64,
	FILE_CHARACTERS = 550, /* of a record's path */
};

/* A text of the interpreter. */
struct text {
	const unsigned char *at;
	uint32_t n;     /* characters that were copied */
	uint32_t width; /* bytes of a character: 1, 2 or 4 */
	uint64_t length;
};

/* A function that was recorded, by a hash of its name, file and first line. */
static struct {
	uint64_t hash;   /* 0: an empty slot */
	uint32_t number; /* 0: it is being recorded, or could not be */
} known[N_SLOTS];
static uint32_t n_known;

void python_forget(void)
{
	if (n_known)
		memset(known, 0, sizeof(known));
	n_known = 0;
}

/* Returns 0, or -1 if the part is no text of a known form. */
static int open_text(const struct python_part *part, struct text *text)
{
	uint32_t state = python_number(part->bytes, PYTHON_TEXT_STATE);
	uint32_t data = state >> 6 & 1 ? tool.python->layout->text.ascii
				       : tool.python->layout->text.compact;

	text->width = state >> 2 & 7;
	text->length = python_word(part->bytes, PYTHON_SIZE);
	text->at = part->bytes + data;
	if (python_word(part->bytes, PYTHON_TYPE) != tool.python->text_type || !(state >> 5 & 1) ||
		part->n < data || (text->width != 1 && text->width != 2 && text->width != 4))
		return -1;
	text->n = (part->n - data) / text->width;
	if (text->n > text->length)
		text->n = (uint32_t)text->length;
	return text->n > 0 ? 0 : -1;
}

static uint64_t hash_of(uint64_t hash, const struct text *text)
{
	uint32_t bytes = text->n * text->width, i = 0;
	uint64_t last = 0;

	for (; i + 8 <= bytes; i += 8)
		hash = hash_mix(hash, python_word(text->at, i));
	memcpy(&last, text->at + i, bytes - i);
	return hash_mix(hash_mix(hash, last), text->length << 3 | text->width);
}

/* A path that is written. */
struct writing {
	struct profile_module *module;
	size_t used, end;
};

static void put(struct writing *to, uint32_t c)
{
	if (to->used < to->end)
		to->module->path[to->used++] = (char)c;
	else
		to->module->flags |= PROFILE_MODULE_CUT;
}

/* Writes a character in UTF-8. */
static void put_character(struct writing *to, uint32_t c)
{
	int n = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	if (to->used + (size_t)n >= to->end) {
		to->used = to->end;
		to->module->flags |= PROFILE_MODULE_CUT;
		return;
	}
	put(to, n ? (0xff00u >> (n + 1) & 0xff) | c >> 6 * n : c);
	while (n-- > 0)
		put(to, 0x80 | (c >> 6 * n & 0x3f));
}

static void put_text(struct writing *to, const struct text *text)
{
	for (uint32_t i = 0; i < text->n; i++) {
		uint32_t c = 0;

		memcpy(&c, text->at + (size_t)i * text->width, text->width);
		put_character(to, c);
	}
	if (text->n < text->length)
		to->module->flags |= PROFILE_MODULE_CUT;
}

static void put_number(struct writing *to, uint32_t number)
{
	uint32_t digit = 1000000000;

	while (digit > 1 && number / digit == 0)
		digit /= 10;
	for (; digit; digit /= 10)
		put(to, '0' + number / digit % 10);
}

/* Writes "FILE:LINE:NAME". Python gives code without a file a name such as <string>. */
static void put_path(struct profile_module *module, const struct text *name,
	const struct text *file, uint32_t line)
{
	struct writing to = { module, 0, FILE_CHARACTERS };
	const char *folder = modules_folder();

	if (file->at[0] != '/' && file->at[0] != '<' && folder[0]) {
		while (*folder)
			put(&to, (unsigned char)*folder++);
		put(&to, '/');
	}
	put_text(&to, file);
	to.end = sizeof(module->path) - 1;
	put(&to, ':');
	put_number(&to, line);
	put(&to, ':');
	put_text(&to, name);
}

/* Records a function. Returns its number, or 0. */
static uint32_t record(const struct text *name, const struct text *file, uint32_t line)
{
	uint32_t number = __atomic_add_fetch(&n_known, 1, __ATOMIC_RELAXED);
	struct profile_module *module;

	if (number > PYTHON_MOST_CODES)
		return 0;
	module = writer_record(PROFILE_SEGMENT_MODULES, PROFILE_MODULE_BYTES);
	if (!module)
		return 0;
	module->start = module->bias =
		PYTHON_FIRST_ADDRESS + ((uint64_t)number << PYTHON_LINE_BITS);
	module->flags = PROFILE_MODULE_PYTHON;
	module->generation = MODULES_MOST + number;
	put_path(module, name, file, line);
	__atomic_store_n(&module->end, module->start + (1u << PYTHON_LINE_BITS), __ATOMIC_RELEASE);
	return number;
}

/* The number of a function, which is recorded if it is met first. 0: it has none. */
static uint32_t find_number(const struct text *name, const struct text *file, uint32_t line)
{
	uint64_t hash = hash_of(hash_of(hash_mix(HASH_START, line), name), file) | 1;
	uint64_t i = hash >> 1;

	for (int probe = 0; probe < N_PROBES; probe++, i++) {
		uint64_t there = 0;

		if (__atomic_compare_exchange_n(&known[i % N_SLOTS].hash, &there, hash, 0,
			    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			uint32_t number = record(name, file, line);

			__atomic_store_n(&known[i % N_SLOTS].number, number, __ATOMIC_RELEASE);
			return number;
		}
		if (there == hash)
			return __atomic_load_n(&known[i % N_SLOTS].number, __ATOMIC_ACQUIRE);
	}
	return 0;
}

uint32_t python_record(
	const struct python_part *name, const struct python_part *file, uint32_t line)
{
	struct text texts[2];

	if (open_text(name, &texts[0]) != 0 || open_text(file, &texts[1]) != 0)
		return 0;
	return find_number(&texts[0], &texts[1], line);
}
