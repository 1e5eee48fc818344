/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocs [FACTOR]: every thread of a region allocates, frees what another has allocated, and throws, so that
 * samples meet the allocator; under allocate_all. Blocks keep what was written to them.
 */
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../work.h"

enum { N_BLOCKS = 512 };

static std::vector<std::unique_ptr<char[]>> shared_blocks;

static NOINLINE long allocate_all(long rounds, int thread)
{
	long wrong = 0;

	for (long round = 0; round < rounds; round++) {
		std::vector<std::unique_ptr<char[]>> blocks;

		for (int i = 0; i < N_BLOCKS; i++) {
			size_t bytes = 16 + (size_t)(i * 37 + round) % 4096;

			blocks.emplace_back(new char[bytes]);
			std::memset(blocks.back().get(), thread + 1, bytes);
		}
		for (auto &block : blocks)
			wrong += block[15] != thread + 1;
		try {
			throw std::runtime_error("round");
		} catch (const std::exception &error) {
			wrong += std::strcmp(error.what(), "round") != 0;
		}
#pragma omp critical
		shared_blocks.swap(blocks);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1), wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	wrong += allocate_all(unit / 400, omp_get_thread_num());
	return work_finish("allocs", wrong, 0);
}
