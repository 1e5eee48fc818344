/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on stderr; see message.h. */
#include "src/text/message.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/text/text.h"
#include "src/text/status.h"

void message(const char *format, ...)
{
	char line[4096], clean[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* The names of files can come from anybody. */
	text_clean(clean, sizeof(clean), line);
	fprintf(stderr, "ompprof: %s\n", clean);
}

void message_diag(const struct diag *diag)
{
	message("%s", diag->text);
	if (diag->hint[0])
		message("hint: %s", diag->hint);
}

int message_try_help(const char *verb)
{
	if (verb)
		fprintf(stderr, "Try 'ompprof %s --help' for more information.\n", verb);
	else
		fputs("Try 'ompprof help' for more information.\n", stderr);
	return STATUS_USAGE;
}

void message_refuse_option(int code, char **argv)
{
	if (code == ':')
		message("option '%s' needs an argument", argv[optind - 1]);
	else if (optopt && strncmp(argv[optind - 1], "--", 2) == 0)
		message("option '%s' takes no argument", argv[optind - 1]);
	else if (optopt > 0 && optopt < 256)
		message("unknown option '-%c'", optopt);
	else
		message("unknown option '%s'", argv[optind - 1]);
}

int message_finish_stdout(int status)
{
	int failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout) == 0 && !failed)
		return status;
	message("cannot write to standard output: %s", errno ? strerror(errno) : "write error");
	return STATUS_FAILURE;
}
