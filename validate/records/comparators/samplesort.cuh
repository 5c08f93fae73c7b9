// The samplesort of samplesort_kernels.cuh on a range of any size: which kernels run, and on what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "samplesort_kernels.cuh"

namespace samplesort {

/// Sorts on the device; the memory that it needs is made once, for up to `most` keys.
class Sorter {
public:
    explicit Sorter(std::size_t most, std::size_t largest_bucket = published_bucket)
        : largest_bucket_(largest_bucket),
          counts_(tiles_of(most) * most_buckets),
          sums_(tiles_of(tiles_of(most) * most_buckets)),
          parts_(most),  // none is empty
          bounds_(most_buckets + 1),
          splitters_(1) {}

    void sort(Key* from, Key* to, std::size_t n) {
        Key* const buffers[2] = {from, to};
        std::vector<Part> large;
        std::vector<Part> small;
        const auto sort_in = [&](const Part& part) { (part.sorted == 0 && part.end - part.begin > largest_bucket_ ? large : small).push_back(part); };
        if (n > 0) sort_in({0, static_cast<std::uint32_t>(n), 0, 0});
        while (!large.empty()) {
            const Part part = large.back();
            large.pop_back();
            for (const Part& bucket : distribute(part, buffers)) sort_in(bucket);
        }
        if (small.empty()) return;
        // The largest begin first, so that none of them is the last to run alone.
        std::stable_sort(small.begin(), small.end(), [](const Part& a, const Part& b) { return a.end - a.begin > b.end - b.begin; });
        comparators::check(cudaMemcpy(parts_.get(), small.data(), small.size() * sizeof(Part), cudaMemcpyHostToDevice), "copying the buckets");
        sort_buckets<<<static_cast<unsigned>(small.size()), threads>>>(parts_.get(), from, to, to);
        comparators::check(cudaGetLastError(), "sorting the buckets");
    }

private:
    static std::size_t tiles_of(std::size_t n) { return (n + tile - 1) / tile; }

    /// Moves a range into its buckets in the other buffer.
    std::vector<Part> distribute(const Part& part, Key* const (&buffers)[2]) {
        const std::uint32_t size = part.end - part.begin;
        const auto tiles = static_cast<unsigned>(tiles_of(size));
        const auto sum_blocks = static_cast<unsigned>(tiles_of(std::size_t{tiles} * most_buckets));
        const Key* const from = buffers[part.in] + part.begin;
        choose_splitters<<<1, sample_threads>>>(from, size, part.begin + 1, splitters_.get());
        count_keys<<<tiles, threads>>>(from, size, splitters_.get(), counts_.get());
        sum_tiles<<<sum_blocks, threads>>>(counts_.get(), tiles, splitters_.get(), sums_.get());
        sum_sums<<<1, threads>>>(sums_.get(), sum_blocks);
        sum_counts<<<sum_blocks, threads>>>(counts_.get(), tiles, splitters_.get(), sums_.get());
        scatter_keys<<<tiles, threads>>>(from, size, splitters_.get(), counts_.get(), buffers[1 - part.in] + part.begin, bounds_.get());
        comparators::check(cudaGetLastError(), "distributing keys");

        std::uint32_t starts[most_buckets + 1];
        comparators::check(cudaMemcpy(starts, bounds_.get(), sizeof(starts), cudaMemcpyDeviceToHost), "reading the buckets");
        const bool equal = starts[most_buckets] != 0;
        const unsigned count = equal ? most_buckets : buckets;
        std::vector<Part> made;
        for (unsigned i = 0; i < count; ++i) {
            const std::uint32_t end = i + 1 < count ? starts[i + 1] : size;
            const std::uint32_t of_one_key = equal && i % 2 == 1 ? 1 : 0;
            if (starts[i] < end) made.push_back({part.begin + starts[i], part.begin + end, 1 - part.in, of_one_key});
        }
        return made;
    }

    std::size_t largest_bucket_;
    comparators::DeviceArray<std::uint32_t> counts_;
    comparators::DeviceArray<std::uint32_t> sums_;
    comparators::DeviceArray<Part> parts_;
    comparators::DeviceArray<std::uint32_t> bounds_;
    comparators::DeviceArray<Splitters> splitters_;
};

}  // namespace samplesort
