// SPDX-License-Identifier: Apache-2.0
// Work for the walkers' tests: exceptions through clean-ups, sort, map, streams, virtual calls.
#include "program.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static volatile double sink;

struct guard {
	explicit guard(int &counter) : counter(counter)
	{
		counter++;
	}
	~guard()
	{
		counter--;
	}
	int &counter;
};

static int __attribute__((noinline)) thrower(int depth, int &alive)
{
	guard held(alive);

	if (depth == 0)
		throw std::runtime_error("bottom");
	return thrower(depth - 1, alive) + 1;
}

static void exceptions()
{
	int alive = 0;

	for (int i = 0; i < work_size(192); i++) {
		try {
			sink = thrower(i * 5 % 12, alive);
		} catch (const std::exception &e) {
			sink = e.what()[0] + alive;
		}
	}
}

static void containers()
{
	std::vector<std::string> words;
	std::map<std::string, int> index;

	for (int i = 0; i < work_size(1024); i++)
		words.push_back(std::to_string(i * 7919 % 1000));
	std::sort(words.begin(), words.end(),
		[](const std::string &a, const std::string &b) { return a > b; });
	for (const auto &word : words)
		index[word]++;
	sink = index.size();
}

static void streams()
{
	std::ostringstream out;

	for (int i = 0; i < work_size(256); i++)
		out << i << ' ' << i * 0.5 << '\n';
	std::istringstream in(out.str());
	double a, b;
	while (in >> a >> b)
		sink = a + b;
}

int main()
{
	do {
		exceptions();
		containers();
		streams();
	} while (!is_enough());
	return 0;
}
