/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confine ERRNO CALL... -- COMMAND [ARGUMENT...]: runs COMMAND with a seccomp filter under which the system
 * calls with these numbers fail with that error, as containers do.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MAX_CALLS = 64, FAILED = 99 };

static int install(unsigned int error, const unsigned int *call, size_t n)
{
	struct sock_filter code[2 * MAX_CALLS + 2];
	struct sock_fprog program = { .filter = code };

	code[program.len++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < n; i++) {
		code[program.len++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call[i], 0, 1);
		code[program.len++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
	}
	code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(int argc, char **argv)
{
	unsigned int call[MAX_CALLS];
	size_t n = 0;
	int at = 2;

	while (at < argc && strcmp(argv[at], "--") != 0 && n < MAX_CALLS)
		call[n++] = (unsigned int)atoi(argv[at++]);
	if (argc < 3 || at + 1 >= argc)
		return FAILED;
	if (install((unsigned int)atoi(argv[1]), call, n) != 0) {
		fprintf(stderr, "confine: %s\n", strerror(errno));
		return FAILED;
	}
	execvp(argv[at + 1], argv + at + 1);
	return FAILED;
}
