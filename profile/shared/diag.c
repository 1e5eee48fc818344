/* SPDX-License-Identifier: Apache-2.0 */
/* Failure sentences for the offline half; see diag.h. */
#include "profile/shared/diag.h"

#include <stdarg.h>
#include <stdio.h>

int diag_set(struct diag *diag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(diag->text, sizeof(diag->text), format, args);
	va_end(args);
	diag->hint[0] = '\0';
	return -1;
}

void diag_hint(struct diag *diag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(diag->hint, sizeof(diag->hint), format, args);
	va_end(args);
}
