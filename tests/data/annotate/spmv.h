





























static inline double spmv_row(const struct matrix *a, int i)
{
	double sum = 0;
	for (int k = a->row[i]; k < a->row[i + 1]; k++)
		sum += a->value[k] * a->x[a->column[k]];
	return sum;
}
