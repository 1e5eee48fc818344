/* SPDX-License-Identifier: Apache-2.0 */
/* Where CPython keeps what the tool reads: offsets in its structs, by version. */
#ifndef OMPPROF_SAMPLER_PYTHON_PYTHON_LAYOUT_H
#define OMPPROF_SAMPLER_PYTHON_PYTHON_LAYOUT_H

#include <stdint.h>

/* How many bytes of a struct are read: beyond each offset below. */
enum {
	PYTHON_STATE_BYTES = 168,
	PYTHON_FRAME_BYTES = 80,
	PYTHON_CODE_BYTES = 200,
};

/* All are offsets in bytes; the names are CPython's. */
struct python_layout {
	uint32_t version; /* the upper half of PY_VERSION_HEX */
	struct {
		uint16_t interpreters_main; /* in _PyRuntime */
		uint16_t threads_head;      /* in PyInterpreterState */
	} runtime;
	struct {
		uint16_t prev, next, interp, thread_id;
		/* 3.11, 3.12: cframe, which leads to the frame; 3.13: current_frame */
		uint16_t top;
	} state; /* PyThreadState */
	struct {
		uint16_t exists; /* not in 3.13 */
		uint16_t current_frame, previous;
	} cframe; /* _PyCFrame */
	struct {
		uint16_t code, previous;
		uint16_t prev_instr; /* the instruction, which has another name in 3.13 */
		uint16_t owner;
		uint16_t is_entry; /* only in 3.11; later an entry frame follows; 0: none */
	} frame;                   /* _PyInterpreterFrame */
	struct {
		uint16_t firstlineno, filename, qualname, linetable, firsttraceable;
		uint16_t co_code_adaptive; /* its instructions */
		uint16_t co_version;       /* 3.11 has none: 0 */
	} code;                            /* PyCodeObject */
	struct {
		uint16_t ascii, compact; /* the sizes of PyASCIIObject, PyCompactUnicodeObject */
	} text;
};

/* The values of `owner` in a frame. */
enum {
	PYTHON_OWNED_BY_GENERATOR = 1,
	PYTHON_OWNED_BY_C_STACK = 3, /* an entry frame */
};

/* The layout of this PY_VERSION_HEX, or NULL if it is not known. Signal-safe. */
const struct python_layout *python_layout_of(uint64_t version);

#endif
