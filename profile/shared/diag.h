/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why something failed, as a sentence: lower case, what failed first, the subject in single quotes,
 * the cause last, no full stop. A function that fails fills the caller's struct diag; only the
 * command prints it.
 */
#ifndef OMPPROF_PROFILE_SHARED_DIAG_H
#define OMPPROF_PROFILE_SHARED_DIAG_H

struct diag {
	char text[512];
	char hint[256]; /* a second line when the user can do something, or "" */
};

/* Fills diag->text, printf-style; returns -1 so that `return diag_set(...)` reads well. */
int diag_set(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills diag->hint, printf-style. */
void diag_hint(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
