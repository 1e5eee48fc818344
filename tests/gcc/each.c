/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructs of which GCC makes calls of libgomp's functions: `each NAME` executes a construct and
 * prints its result, the same on any runtime; without a NAME it prints the names. each.sh lists the
 * constructs that fail on libomp.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static long sum_of(const int *a)
{
	long sum = 0;

	for (int i = 0; i < 100; i++)
		sum += a[i];
	return sum;
}

static long taskloop_neg(void)
{
	static int a[100];
	memset(a, 0, sizeof a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(3)
	for (int i = 99; i >= 0; i -= 3)
		a[i] += i;
	return sum_of(a);
}

static long taskloop_num(void)
{
	static int a[100];
	memset(a, 0, sizeof a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(7)
	for (int i = 0; i < 100; i++)
		a[i] += i;
	return sum_of(a);
}

static long taskloop_ull(void)
{
	long s = 0;
	static unsigned char a[100];
	memset(a, 0, sizeof a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
	for (unsigned long long i = 0xfffffffffffffff0ULL; i < 0xfffffffffffffffcULL; i += 2)
		a[i - 0xfffffffffffffff0ULL] += 1;
	for (int i = 0; i < 100; i++)
		s += a[i];
	return s;
}

static long taskloop_ull_down(void)
{
	long s = 0;
	static unsigned char a[100];
	memset(a, 0, sizeof a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
	for (unsigned long long i = 90; i > 10; i -= 7)
		a[i] += 1;
	for (int i = 0; i < 100; i++)
		s += a[i] * i;
	return s;
}

static long taskloop_red(void)
{
	long s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s) grainsize(10)
	for (int i = 0; i < 1000; i++)
		s += i;
	return s;
}

static long taskloop_nogroup(void)
{
	static int a[100];
	memset(a, 0, sizeof a);
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop nogroup
		for (int i = 0; i < 100; i++)
			a[i] += i;
#pragma omp taskwait
	}
	return sum_of(a);
}

static long taskloop_fp(void)
{
	static long a[64];
	memset(a, 0, sizeof a);
	long s = 0;
	int k = 5;
	char buf[40];
	memset(buf, 3, 40);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(k, buf) grainsize(5)
	for (int i = 0; i < 64; i++) {
		a[i] = k * i + buf[i % 40];
	}
	for (int i = 0; i < 64; i++)
		s += a[i];
	return s;
}

static long taskloop_last(void)
{
	int l = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop lastprivate(l) grainsize(5)
	for (int i = 0; i < 64; i++)
		l = i * 2;
	return l;
}

static long taskloop_collapse(void)
{
	static long a[8][9];
	memset(a, 0, sizeof a);
	long s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) num_tasks(5)
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 9; j++)
			a[i][j] += i * j + 1;
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 9; j++)
			s += a[i][j];
	return s;
}

static long doacross(void)
{
	static long a[200];
	a[0] = 1;
#pragma omp parallel for ordered(1) schedule(static, 4)
	for (int i = 1; i < 200; i++) {
#pragma omp ordered depend(sink : i - 1)
		a[i] = (a[i - 1] * 3 + i) % 10007;
#pragma omp ordered depend(source)
	}
	return a[199];
}

static long doacross2(void)
{
	static long a[40][40];
	for (int i = 0; i < 40; i++)
		a[0][i] = a[i][0] = i;
#pragma omp parallel for ordered(2) schedule(dynamic)
	for (int i = 1; i < 40; i++)
		for (int j = 1; j < 40; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			a[i][j] = (a[i - 1][j] + a[i][j - 1]) % 10007;
#pragma omp ordered depend(source)
		}
	return a[39][39];
}

static long doacross_ull(void)
{
	static long a[200];
	a[0] = 1;
#pragma omp parallel for ordered(1) schedule(guided)
	for (unsigned long long i = 1; i < 200; i++) {
#pragma omp ordered depend(sink : i - 1)
		a[i] = (a[i - 1] * 3 + i) % 10007;
#pragma omp ordered depend(source)
	}
	return a[199];
}

static long taskred(void)
{
	long s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
	for (int i = 0; i < 100; i++)
#pragma omp task in_reduction(+ : s)
		s += i;
	return s;
}

static long partaskred(void)
{
	long s = 0;
#pragma omp parallel reduction(task, + : s)
#pragma omp single
	for (int i = 0; i < 100; i++)
#pragma omp task in_reduction(+ : s)
		s += i;
	return s;
}

static long fortaskred(void)
{
	long s = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : s) schedule(dynamic)
	for (int i = 0; i < 100; i++)
#pragma omp task in_reduction(+ : s)
		s += i;
	return s;
}

static long cancel_off(void)
{
	int n = 0;
#pragma omp parallel for
	for (int i = 0; i < 1000; i++) {
#pragma omp cancel for if (i == 500)
#pragma omp atomic
		n++;
	}
	return n == 1000;
}

static long depend(void)
{
	long x = 0, y = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task depend(out : x)
		x = x * 3 % 1000 + i;
#pragma omp task depend(in : x) depend(inout : y)
		y = (y + x) % 10007;
#pragma omp task depend(mutexinoutset : y)
		y += 1;
	}
	return y;
}

static long depend_iterator(void)
{
	static long a[16];
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 16; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i)
			a[i] = i;
		}
#pragma omp task depend(iterator(k = 0 : 16), in : a[k])
		{
			long s = 0;
			for (int i = 0; i < 16; i++)
				s += a[i];
			a[0] = s;
		}
	}
	return a[0];
}

static long depwait(void)
{
	long x = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : x)
		x = 5;
#pragma omp taskwait depend(in : x)
		x += 1;
	}
	return x;
}

static long undeferred_dep(void)
{
	long x = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(out : x)
		x = 5;
#pragma omp task depend(inout : x) if (0)
		x *= 7;
	}
	return x;
}

static long prio(void)
{
	long s = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++)
#pragma omp task priority(i) untied
	{
#pragma omp atomic
		s += i;
	}
	return s;
}

static long final_task(void)
{
	long s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task final(1) shared(s)
	{
#pragma omp task shared(s)
		s += omp_in_final() * 3;
#pragma omp taskwait
		s += 1;
	}
	return s;
}
struct big {
	double d[40];
	long k;
};
static long bigfp(void)
{
	struct big b;
	for (int i = 0; i < 40; i++)
		b.d[i] = i;
	b.k = 3;
	double s = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++)
#pragma omp task firstprivate(b)
	{
		double t = 0;
		for (int j = 0; j < 40; j++)
			t += b.d[j];
#pragma omp critical
		s += t;
	}
	return (long)s;
}

static long copies(int n)
{
	long s = 0;
	long v[n];
	for (int i = 0; i < n; i++)
		v[i] = i;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++)
#pragma omp task firstprivate(v)
	{
		long t = 0;
		for (int j = 0; j < n; j++)
			t += v[j];
#pragma omp atomic
		s += t;
	}
	return s;
}
typedef struct {
	_Alignas(64) char c[64];
} al;
static long align(void)
{
	al x;
	memset(&x, 1, sizeof x);
	long bad = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++)
#pragma omp task firstprivate(x)
	{
		if (((unsigned long)&x) % 64)
#pragma omp atomic
			bad++;
	}
	return bad;
}

static long loop_ull(void)
{
	long s = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : s)
	for (unsigned long long i = 0xffffffffffffff00ULL; i < 0xfffffffffffffff0ULL; i += 3)
		s += i & 0xff;
	return s;
}

static long loop_ull_down(void)
{
	long s = 0;
#pragma omp parallel for schedule(guided, 3) reduction(+ : s)
	for (unsigned long long i = 1000; i > 3; i -= 3)
		s += i;
	return s;
}

static long loop_ull_rt(void)
{
	long s = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : s)
	for (unsigned long long i = 1000; i > 3; i -= 3)
		s += i;
	return s;
}

static long loop_down(void)
{
	long s = 0;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : s)
	for (int i = 1000; i > 3; i -= 3)
		s += i;
	return s;
}

static long sections_loop(void)
{
	long s = 0;
#pragma omp parallel sections reduction(+ : s)
	{
#pragma omp section
		s += 1;
#pragma omp section
		s += 20;
#pragma omp section
		s += 300;
	}
	return s;
}

static long teams(void)
{
	long s = 0;
#pragma omp teams num_teams(3) reduction(+ : s)
#pragma omp distribute parallel for reduction(+ : s)
	for (int i = 0; i < 100; i++)
		s += i;
	return s;
}

static long nested(void)
{
	long s = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : s)
	{
#pragma omp parallel num_threads(2) reduction(+ : s)
		s += omp_get_level() * 10 + omp_get_ancestor_thread_num(1);
	}
	omp_set_max_active_levels(1);
	return s;
}

static long scan(void)
{
	static int a[100], b[100];
	int r = 0;
	for (int i = 0; i < 100; i++)
		a[i] = i;
#pragma omp parallel for reduction(inscan, + : r)
	for (int i = 0; i < 100; i++) {
		r += a[i];
#pragma omp scan inclusive(r)
		b[i] = r;
	}
	return b[99] + b[50];
}

static long copyin(void)
{
	static int v;
#pragma omp threadprivate(v)
	long s = 0;
	v = 9;
#pragma omp parallel copyin(v) reduction(+ : s) num_threads(2)
	s += v;
	return s;
}

static long ordered_loop(void)
{
	long s = 1;
#pragma omp parallel for ordered schedule(dynamic, 3)
	for (int i = 0; i < 100; i++) {
#pragma omp ordered
		s = (s * 3 + i) % 10007;
	}
	return s;
}

static long ordered_rt(void)
{
	long s = 1;
#pragma omp parallel for ordered schedule(runtime)
	for (int i = 0; i < 100; i++) {
#pragma omp ordered
		s = (s * 3 + i) % 10007;
	}
	return s;
}

static long atomic_long_double(void)
{
	long double s = 0;
#pragma omp parallel for
	for (int i = 0; i < 1000; i++)
#pragma omp atomic
		s += i;
	return (long)s;
}

static long sections_fp(void)
{
	int l = 0;
#pragma omp parallel sections lastprivate(l)
	{
#pragma omp section
		l = 1;
#pragma omp section
		l = 2;
	}
	return l;
}

static long variable_length(void)
{
	return copies(17);
}

static long nestlock(void)
{
	omp_nest_lock_t l;
	omp_init_nest_lock(&l);
	long s = 0;
#pragma omp parallel for
	for (int i = 0; i < 100; i++) {
		omp_set_nest_lock(&l);
		omp_set_nest_lock(&l);
		s++;
		omp_unset_nest_lock(&l);
		omp_unset_nest_lock(&l);
	}
	omp_destroy_nest_lock(&l);
	return s;
}

static long api(void)
{
	return omp_get_max_active_levels() * 100 + omp_get_dynamic() * 10 + omp_get_cancellation() +
	       omp_get_max_task_priority() * 1000 + omp_get_thread_limit() % 7 * 0 +
	       omp_get_num_devices() * 5 + omp_get_proc_bind() * 100000;
}

static long tgcancel(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 100; i++)
#pragma omp task
	{
#pragma omp cancellation point taskgroup
#pragma omp atomic
		n++;
	}
	return n;
}

static long masked_single_nowait(void)
{
	long s = 0;
#pragma omp parallel num_threads(2)
	{
		for (int i = 0; i < 50; i++) {
#pragma omp single nowait
			{
#pragma omp atomic
				s += i;
			}
		}
	}
	return s;
}

static const struct {
	const char *name;
	long (*run)(void);
} constructs[] = {
	{ "taskloop_neg", taskloop_neg },
	{ "taskloop_num", taskloop_num },
	{ "taskloop_ull", taskloop_ull },
	{ "taskloop_ull_down", taskloop_ull_down },
	{ "taskloop_nogroup", taskloop_nogroup },
	{ "taskloop_fp", taskloop_fp },
	{ "taskloop_last", taskloop_last },
	{ "taskloop_collapse", taskloop_collapse },
	{ "doacross", doacross },
	{ "doacross2", doacross2 },
	{ "doacross_ull", doacross_ull },
	{ "cancel_off", cancel_off },
	{ "depend", depend },
	{ "depend_iterator", depend_iterator },
	{ "depwait", depwait },
	{ "undeferred_dep", undeferred_dep },
	{ "prio", prio },
	{ "final_task", final_task },
	{ "bigfp", bigfp },
	{ "align", align },
	{ "loop_ull", loop_ull },
	{ "loop_ull_down", loop_ull_down },
	{ "loop_ull_rt", loop_ull_rt },
	{ "loop_down", loop_down },
	{ "sections_loop", sections_loop },
	{ "nested", nested },
	{ "scan", scan },
	{ "copyin", copyin },
	{ "ordered_loop", ordered_loop },
	{ "ordered_rt", ordered_rt },
	{ "atomic_long_double", atomic_long_double },
	{ "sections_fp", sections_fp },
	{ "nestlock", nestlock },
	{ "api", api },
	{ "tgcancel", tgcancel },
	{ "masked_single_nowait", masked_single_nowait },
	{ "taskloop_red", taskloop_red },
	{ "taskred", taskred },
	{ "partaskred", partaskred },
	{ "fortaskred", fortaskred },
	{ "teams", teams },
	{ "variable_length", variable_length },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++) {
		if (argc < 2)
			printf("%s\n", constructs[i].name);
		else if (strcmp(argv[1], constructs[i].name) == 0)
			printf("%ld\n", constructs[i].run());
	}
	return 0;
}
