/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ whose small functions the compiler inlines into each other: what its names and lines cost.
 * Prints its own time.
 */
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bench/kernels/kernel.h"

namespace shapes
{

template <typename Number> struct vector3 {
	Number x, y, z;

	vector3 operator+(const vector3 &other) const
	{
		return { x + other.x, y + other.y, z + other.z };
	}
	vector3 operator*(Number factor) const
	{
		return { x * factor, y * factor, z * factor };
	}
	Number length() const
	{
		return std::sqrt(x * x + y * y + z * z);
	}
};

template <typename Number> class cloud
{
      public:
	explicit cloud(size_t n)
	{
		for (size_t i = 0; i < n; i++)
			points.push_back({ Number(i % 17), Number(i % 29), Number(i % 7) });
	}
	void move(Number step)
	{
		std::transform(
			points.begin(), points.end(), points.begin(), [step](const auto &point) {
				return (point + point * step) * (1 / (1 + step));
			});
	}
	void sort()
	{
		order.resize(points.size());
		std::iota(order.begin(), order.end(), 0u);
		std::sort(order.begin(), order.end(), [this](unsigned a, unsigned b) {
			return std::make_pair(points[a].length(), a) <
			       std::make_pair(points[b].length(), b);
		});
	}
	std::map<std::string, size_t> classes() const
	{
		std::map<std::string, size_t> counts;

		for (const auto &point : points)
			counts["class of " + std::to_string(int(point.length()) % 8)]++;
		return counts;
	}
	size_t first() const
	{
		return order.front();
	}

      private:
	std::vector<vector3<Number>> points;
	std::vector<unsigned> order;
};

} // namespace shapes

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) * 1000 / UNIT;
	double start = work_clock(CLOCK_MONOTONIC);
	size_t found = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : found)
	for (long i = 0; i < n; i++) {
		shapes::cloud<double> cloud(6000);

		cloud.move(0.5);
		cloud.sort();
		found += cloud.classes().size() + cloud.first();
	}
	return kernel_finish(start, found >= size_t(n));
}
