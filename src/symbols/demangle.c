/* SPDX-License-Identifier: Apache-2.0 */
/* Makes names readable; see demangle.h. */
#include "src/symbols/demangle.h"

#include <config.h>

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

/*
 * A name longer than the first stays mangled. It also does if its readable form is longer than the
 * second: back references let a short name become very long.
 */
enum { MANGLED_BYTES_MAX = 8192, READABLE_BYTES_MAX = 16384 };

/* Compilers append these suffixes to the name of a part or a variant of a function. */
static const char *const clone_suffixes[] = { ".cold", ".part.", ".isra.", ".constprop.",
	".lto_priv.", ".llvm.", ".localalias", ".clone.", ".resolver", ".specialized." };

/* The length of `name` without one of these suffixes. */
static size_t clone_offset(const char *name)
{
	size_t first = strlen(name);

	for (size_t i = 0; i < sizeof(clone_suffixes) / sizeof(clone_suffixes[0]); i++) {
		const char *at = strstr(name, clone_suffixes[i]);

		if (at && at > name && (size_t)(at - name) < first)
			first = at - name;
	}
	return first;
}

/* The length of `name` without the suffix of a function outlined for OpenMP. */
static size_t openmp_offset(const char *name)
{
	static const char *const marks[] = { "._omp_", "..omp_", ".omp_" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *at = strstr(name, marks[i]);

		if (at && at > name)
			return at - name;
	}
	return strlen(name);
}

static int is_fortran_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Appends `n` characters of `part`, after "::" unless it is the first. `out` has room. */
static void append_scope(char *out, const char *part, size_t n)
{
	size_t used = strlen(out);

	if (used) {
		memcpy(out + used, "::", 2);
		used += 2;
	}
	memcpy(out + used, part, n);
	out[used + n] = '\0';
}

/* flang: "_Q", then upper-case tags with lower-case names: M module, S submodule, F host
   procedure, P procedure (flang/include/flang/Optimizer/Support/InternalNames.h). */
static char *demangle_flang(const char *base)
{
	const char *at = base + 2;
	char *out;

	if (strncmp(base, "_Q", 2) != 0 || !strchr("MFP", *at) || !*at)
		return NULL;
	out = calloc(2, strlen(base) + 1);
	while (out && *at) {
		size_t n = 0;

		while (is_fortran_name(at[1 + n]))
			n++;
		if (!strchr("MSFP", *at) || n == 0) {
			free(out);
			return NULL;
		}
		append_scope(out, at + 1, n);
		at += 1 + n;
	}
	return out;
}

/* gfortran: "__" module "_MOD_" procedure. */
static char *demangle_gfortran(const char *base)
{
	const char *mark = strstr(base, "_MOD_");
	char *out;

	if (strncmp(base, "__", 2) != 0 || !mark || mark < base + 3 || !mark[5])
		return NULL;
	out = calloc(1, strlen(base) + 1);
	if (!out)
		return NULL;
	append_scope(out, base + 2, mark - base - 2);
	append_scope(out, mark + 5, strlen(mark + 5));
	return out;
}

#ifdef HAVE_LIBIBERTY
struct readable {
	jmp_buf is_full;
	size_t n;
	char text[READABLE_BYTES_MAX];
};

/* longjmp() is the only way to stop libiberty; its callback functions allocate nothing. */
static void append_readable(const char *part, size_t n, void *opaque)
{
	struct readable *readable = opaque;

	if (n >= sizeof(readable->text) - readable->n)
		longjmp(readable->is_full, 1);
	memcpy(readable->text + readable->n, part, n);
	readable->n += n;
	readable->text[readable->n] = '\0';
}

/*
 * C++ and Rust. Without DMGL_PARAMS a suffix after the mangled name is ignored. libiberty's own
 * limit is off: it leaves names of more than 1024 bytes mangled, and templates make many of them.
 */
static char *demangle_language(const char *base)
{
	struct readable readable;

	if (strncmp(base, "_Z", 2) != 0 && strncmp(base, "_R", 2) != 0 &&
		strncmp(base, "_GLOBAL_", 8) != 0)
		return NULL;
	if (setjmp(readable.is_full))
		return NULL;
	readable.n = 0;
	if (rust_demangle_callback(base, 0, append_readable, &readable))
		return strdup(readable.text);
	readable.n = 0;
	if (cplus_demangle_v3_callback(base, DMGL_NO_RECURSE_LIMIT, append_readable, &readable))
		return strdup(readable.text);
	return NULL;
}
#else
static char *demangle_language(const char *base)
{
	return NULL;
}
#endif

static char *demangle_base(const char *base)
{
	char *name = demangle_language(base);

	if (!name)
		name = demangle_gfortran(base);
	if (!name)
		name = demangle_flang(base);
	return name;
}

/*
 * Returns `name` with the suffix of an OpenMP function behind a dot. clang's "_debug__" is dropped,
 * because the wrapper and the body are one function to the reader. Frees `name`.
 */
static char *append_openmp(char *name, const char *suffix)
{
	size_t n_name = strlen(name), n_suffix = strlen(suffix);
	char *out = realloc(name, n_name + n_suffix + 1);
	char *debug;

	if (!out) {
		free(name);
		return NULL;
	}
	if (strncmp(suffix, "..", 2) == 0)
		suffix++;
	strcpy(out + n_name, suffix);
	debug = strstr(out + n_name, "_debug__");
	if (debug)
		memmove(debug, debug + 8, strlen(debug + 8) + 1);
	return out;
}

char *demangle_name(const char *linkage)
{
	size_t n_openmp, n_clone;
	char *base, *name;

	if (strlen(linkage) > MANGLED_BYTES_MAX)
		return NULL;
	n_openmp = openmp_offset(linkage);
	base = strndup(linkage, n_openmp);
	if (!base)
		return NULL;
	n_clone = clone_offset(base);
	name = demangle_language(base);
	base[n_clone] = '\0';
	if (!name)
		name = demangle_base(base);
	if (name)
		free(base);
	else
		name = base;
	name = append_openmp(name, linkage + n_openmp);
	if (name && strcmp(name, linkage) == 0) {
		free(name);
		name = NULL;
	}
	return name;
}
