






















































































































void solve_cg(struct matrix *a)
{
	double norm = 1;

	while (norm > 1e-9) {
		norm = 0;
#pragma omp parallel for reduction(+ : norm)
		for (int i = 0; i < a->n; i++)
			norm += spmv_row(a, i);
	}
}











/* The rows of one thread. */
static double rows(const struct matrix *a, int from, int to)
{
	double sum = 0;
	for (int i = from; i < to; i++)
		sum += spmv_row(a, i); /* a remark that goes on far beyond what eighty columns can hold */
	return sum;
}
