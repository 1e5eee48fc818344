/* SPDX-License-Identifier: Apache-2.0 */
/* For agreement.sh: templates, lambdas, local classes, exceptions and the standard library. */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace mesh
{

template <typename T, int N> class Point
{
      public:
	explicit Point(T value) : values_{}
	{
		std::fill(values_, values_ + N, value);
	}
	T dot(const Point &other) const
	{
		return std::inner_product(values_, values_ + N, other.values_, T());
	}
	Point &operator+=(const Point &other)
	{
		for (int i = 0; i < N; i++)
			values_[i] += other.values_[i];
		return *this;
	}

      private:
	T values_[N];
};

namespace
{

struct Counter {
	std::map<std::string, int> counts;
	void add(const std::string &word)
	{
		counts[word]++;
	}
};

} // namespace

class Shape
{
      public:
	virtual ~Shape() = default;
	virtual double area() const = 0;
};

class Square : public Shape
{
      public:
	explicit Square(double side) : side_(side)
	{
		if (side < 0)
			throw std::invalid_argument("negative side");
	}
	double area() const override
	{
		return side_ * side_;
	}

      private:
	double side_;
};

static double total(const std::vector<std::unique_ptr<Shape>> &shapes)
{
	struct Sum {
		double value = 0;
		__attribute__((noinline)) void add(double more)
		{
			value += more;
		}
	};
	Sum sum;

	for (const auto &shape : shapes)
		sum.add(shape->area());
	return sum.value;
}

} // namespace mesh

int main(int argc, char **argv)
{
	std::vector<mesh::Point<double, 3>> points;
	std::vector<std::unique_ptr<mesh::Shape>> shapes;
	mesh::Counter counter;
	mesh::Point<double, 3> sum(0);
	std::function<int(int)> twice = [argc](int i) { return 2 * i + argc; };

	for (int i = 0; i < 100 + argc; i++) {
		points.emplace_back(i * 0.5);
		shapes.push_back(std::make_unique<mesh::Square>(i));
		counter.add(argv[i % argc] + std::to_string(twice(i) % 7));
	}
	std::sort(points.begin(), points.end(),
		[](const auto &a, const auto &b) { return a.dot(a) > b.dot(b); });
	for (const auto &point : points)
		sum += point;
	try {
		shapes.push_back(std::make_unique<mesh::Square>(-1.0 * argc));
	} catch (const std::exception &error) {
		std::printf("%s\n", error.what());
	}
	std::printf("%g %g %zu\n", sum.dot(sum), mesh::total(shapes), counter.counts.size());
	return 0;
}
