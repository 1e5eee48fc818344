
























































































int main(void)
{
	struct matrix a = read_matrix("a.mtx");

	prepare(&a);
#pragma omp parallel for
	for (int i = 0; i < a.n; i++)
		kernel(&a, i);
	solve_cg(&a);
	write_out(&a);
	return 0;
}
