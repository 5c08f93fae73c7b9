// The samplesort of samplesort.cuh: N [INPUT [REPETITIONS [LARGEST_BUCKET]]], see timed_sort.cuh. LARGEST_BUCKET is from
// how many keys on a bucket is not distributed again, for tests; default the paper's 2^17.
#include "samplesort.cuh"

int main(int count, char** words) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s N [INPUT [REPETITIONS [LARGEST_BUCKET]]]\n", words[0]);
        return 2;
    }
    const std::size_t n = std::strtoull(words[1], nullptr, 10);
    const std::size_t largest = count > 4 ? std::strtoull(words[4], nullptr, 10) : samplesort::published_bucket;
    samplesort::Sorter sorter(n, largest);
    return comparators::time_sort("samplesort", n, count > 2 ? words[2] : "random", count > 3 ? std::atoi(words[3]) : 1,
                                  [&](comparators::Key* from, comparators::Key* to, std::size_t keys) { sorter.sort(from, to, keys); });
}
