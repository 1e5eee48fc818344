/* SPDX-License-Identifier: Apache-2.0 */
/* Calls what a program of GCC 17 calls: with -fopenmp-ompt, and for barriers and reductions always. */
void GOMP_barrier_ext(int kind);
_Bool GOMP_barrier_cancel_ext(int kind);
void GOMP_reduction_start(void);
void GOMP_reduction_end(void);
_Complex int GOMP_loop_static_worksharing_start(unsigned long long n);
void GOMP_loop_static_worksharing_dispatch(unsigned long long start, unsigned long long n);
void GOMP_loop_static_worksharing_end(void);
_Bool GOMP_single_start_with_end(void);
void GOMP_single_end(void);
void GOMP_scope_start_with_end(void *reductions);
void GOMP_scope_end(void);
_Bool GOMP_has_masked_thread_num_with_end(int filter);
void GOMP_masked_end(void);

int main(void)
{
	for (int kind = 0; kind < 3; kind++)
		GOMP_barrier_ext(kind);
	GOMP_barrier_cancel_ext(1);
	GOMP_reduction_start();
	GOMP_reduction_end();
	GOMP_loop_static_worksharing_start(10);
	GOMP_loop_static_worksharing_dispatch(0, 4);
	GOMP_loop_static_worksharing_dispatch(8, 2);
	GOMP_loop_static_worksharing_end();
	if (GOMP_single_start_with_end())
		GOMP_single_end();
	GOMP_scope_start_with_end(0);
	GOMP_scope_end();
	if (GOMP_has_masked_thread_num_with_end(0))
		GOMP_masked_end();
	return 0;
}
