/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compile unit of a large C++ program, for bench/symbols.sh: much of the standard library, made
 * for types of this unit's own, so that a linker finds nothing to share. Each value of UNIT makes
 * another unit.
 */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#ifndef UNIT
#define UNIT 0
#endif

namespace
{

template <int N> struct cell {
	double value[1 + (N + UNIT) % 5];
	std::string name;

	double sum() const
	{
		return std::accumulate(std::begin(value), std::end(value), 0.0);
	}
	bool operator<(const cell &other) const
	{
		return std::make_tuple(sum(), name) < std::make_tuple(other.sum(), other.name);
	}
};

template <int N> struct grid {
	std::vector<cell<N>> cells;
	std::map<std::string, cell<N>> by_name;
	std::unordered_map<int, std::shared_ptr<cell<N>>> by_number;
	std::variant<cell<N>, std::vector<cell<N>>, std::set<cell<N>>> last;

	void fill(int n)
	{
		for (int i = 0; i < n; i++) {
			cell<N> one{ { double(i * N + UNIT) }, std::to_string(i ^ N) };

			cells.push_back(one);
			by_name[one.name] = one;
			by_number[i] = std::make_shared<cell<N>>(one);
		}
		last = cells;
	}

	double walk(const std::function<double(const cell<N> &)> &weigh)
	{
		std::multiset<cell<N>> sorted(cells.begin(), cells.end());
		std::vector<cell<N>> copy(cells);
		double sum = 0;

		std::sort(copy.begin(), copy.end());
		std::stable_sort(cells.begin(), cells.end(),
			[](const auto &a, const auto &b) { return b < a; });
		std::nth_element(copy.begin(), copy.begin() + copy.size() / 2, copy.end());
		for (const auto &one : sorted)
			sum += weigh(one);
		for (const auto &entry : by_name)
			sum += entry.second.sum();
		for (const auto &entry : by_number)
			sum += weigh(*entry.second);
		std::visit(
			[&](auto &value) {
				if constexpr (std::is_same_v<std::decay_t<decltype(value)>, cell<N>>)
					sum += value.sum();
				else
					for (const auto &one : value)
						sum += one.sum();
			},
			last);
		return sum;
	}
};

template <int N> double work(int n)
{
	grid<N> all;
	std::map<int, std::function<double(const cell<N> &)>> ways;
	double sum = 0;

	all.fill(n);
	ways[0] = [](const cell<N> &one) { return one.sum(); };
	ways[1] = [n](const cell<N> &one) { return one.sum() * n; };
	ways[2] = [&](const cell<N> &one) { return double(one.name.size() + sum); };
	for (auto &way : ways)
		sum += all.walk(way.second);
	return sum;
}

template <int... N> double work_all(int n, std::integer_sequence<int, N...>)
{
	return (work<N>(n) + ...);
}

} // namespace

double run(int n);

double run(int n)
{
	std::ostringstream text;
	std::regex digits("[0-9]+(\\.[0-9]*)?");

	text << work_all(n, std::make_integer_sequence<int, 5>());
	return std::regex_search(text.str(), digits) ? n : UNIT;
}
