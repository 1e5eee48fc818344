/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disassembles with objdump, run as a program with a fixed list of arguments: no shell sees a name.
 * Output beyond a bound is an error. See annotate_code.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/shared/array.h"
#include "src/annotate/annotate_code.h"
#include "src/symbols/machine.h"
#include "src/text/text.h"

enum { MOST_TEXT_BYTES = 64 << 20, FIRST_TEXT_BYTES = 1 << 16 };

extern char **environ;

/* Runs argv with its output in *out. Returns 0 or an errno. */
static int start(char *const *argv, pid_t *pid, int *out)
{
	posix_spawn_file_actions_t actions;
	int ends[2] = { -1, -1 }, status;

	*out = -1;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	status = posix_spawn_file_actions_init(&actions);
	if (status == 0) {
		if (posix_spawn_file_actions_addopen(
			    &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) != 0 ||
			posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) != 0 ||
			posix_spawn_file_actions_addopen(
				&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0)
			status = ENOMEM;
		else
			status = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(ends[1]);
	if (status != 0)
		close(ends[0]);
	*out = ends[0];
	return status;
}

/* Reads all output and ends it with '\0'. Returns NULL when out of memory or beyond the bound. */
static char *read_text(int fd)
{
	size_t capacity = FIRST_TEXT_BYTES, used = 0;
	char *text = malloc(capacity);

	while (text) {
		ssize_t n = read(fd, text + used, capacity - used - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += n;
		if (used + 1 < capacity)
			continue;
		char *more = capacity < MOST_TEXT_BYTES ? realloc(text, 2 * capacity) : NULL;
		if (!more)
			free(text);
		text = more;
		capacity *= 2;
	}
	if (text)
		text[used] = '\0';
	return text;
}

/* Returns the exit status, or -1 if the program ended otherwise. */
static int await(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Makes instructions of the lines "  401136:\tret" with addresses of the part, in order. Skips all
 * other lines.
 */
static int read_instructions(struct annotate_part *part)
{
	size_t capacity = 0;
	char *next;

	for (char *line = part->text; line; line = next) {
		char *end, *text = line + strspn(line, " ");
		uint64_t addr;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		errno = 0;
		addr = strtoull(text, &end, 16);
		if (end == text || errno || strncmp(end, ":\t", 2) != 0)
			continue;
		if (addr < part->extent.low || addr >= part->extent.high ||
			(part->n && addr <= part->instructions[part->n - 1].addr))
			continue;
		text = end + 2;
		for (end = text; *end; end++)
			if (*end == '\t')
				*end = ' ';
		while (end > text && end[-1] == ' ')
			*--end = '\0';
		if (ARRAY_GROW(part->instructions, part->n, capacity) != 0)
			return -1;
		part->instructions[part->n++] =
			(struct annotate_instruction){ .addr = addr, .text = text, .file = "" };
	}
	return 0;
}

/* The disassembler. For another machine than this it has the name that Debian gives it. */
static void choose_program(char *program, size_t bytes, const struct machine *machine,
	const struct annotate_options *options)
{
	if (options->objdump || !machine || machine == machine_host)
		snprintf(program, bytes, "%s", options->objdump ? options->objdump : "objdump");
	else
		snprintf(program, bytes, "%s-objdump",
			strrchr(machine->library_folders[0], '/') + 1);
}

static int fail(
	const struct annotate_part *part, const char *program, const char *cause, struct diag *diag)
{
	int is_foreign = part->extent.machine && part->extent.machine != machine_host;
	char object[256], name[128];

	text_clean(object, sizeof(object), part->object);
	text_clean(name, sizeof(name), program);
	diag_set(diag, "cannot disassemble '%s' with '%s': %s", object, name, cause);
	diag_hint(diag,
		"install binutils%s%s, or name an objdump with --objdump or OMPPROF_OBJDUMP",
		is_foreign ? " for " : "", is_foreign ? part->extent.machine->name : "");
	return -1;
}

int annotate_disassemble(
	struct annotate_part *part, const struct annotate_options *options, struct diag *diag)
{
	/* binutils read arguments from a file for an argument "@FILE". */
	const char *folder = part->extent.path[0] == '@' ? "./" : "";
	char from[48], to[48], object[PATH_MAX + 2], program[PATH_MAX];
	const char *const argv[] = { program, "-d", "-w", "--no-show-raw-insn", from, to,
		options->demangle ? "-C" : "-w", "--", object, NULL };
	int out, status;
	pid_t pid;

	choose_program(program, sizeof(program), part->extent.machine, options);
	if (part->extent.high - part->extent.low > ANNOTATE_MOST_CODE_BYTES)
		return fail(part, program, "it has more than 1 MB there", diag);
	snprintf(object, sizeof(object), "%s%s", folder, part->extent.path);
	snprintf(from, sizeof(from), "--start-address=0x%" PRIx64, part->extent.low);
	snprintf(to, sizeof(to), "--stop-address=0x%" PRIx64, part->extent.high);
	status = start((char *const *)argv, &pid, &out);
	if (status != 0)
		return fail(part, program, strerror(status), diag);
	part->text = read_text(out);
	close(out);
	status = await(pid);
	if (!part->text)
		return fail(part, program, "its output is too long", diag);
	if (status != 0)
		return fail(part, program, status == 127 ? "it cannot be run" : "it failed", diag);
	if (read_instructions(part) != 0)
		return fail(part, program, "out of memory", diag);
	return part->n ? 0 : fail(part, program, "it shows no instructions", diag);
}
