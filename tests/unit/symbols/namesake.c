/* SPDX-License-Identifier: Apache-2.0 */
/* A static function with the name of a function of libc, which tails.c calls. */
static long getppid(void) __attribute__((used));

static long getppid(void)
{
	return 0;
}
