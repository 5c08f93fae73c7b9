// Records of blocks as no program makes them, for tests of the trace file.
#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/program/program.hpp"
#include "sim/access/payload_sites.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim::test {

inline std::vector<std::byte> file_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::vector<std::byte> bytes;
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

/// A kernel of the workloads: its code has accesses of every space, barriers and branches.
inline isa::Program some_program() {
    const std::string path = std::string(SASSAFRAS_SOURCE_DIR) + "/workloads/merge/merge.cubin";
    const auto cubin = isa::read_cubin(file_bytes(path), path);
    if (!cubin) FAIL(cubin.error().message());
    const auto program = isa::build_program((*cubin).kernels.front());
    if (!program) FAIL(program.error().message());
    return *program;
}

/// What a warp recorded, taken apart: segments, then per payload its mask (or value) and 32 addresses, zero outside the
/// mask.
struct Taken {
    std::vector<std::array<std::uint32_t, 3>> segments;
    std::vector<std::uint64_t> payload;
    friend bool operator==(const Taken&, const Taken&) = default;
};

inline void take(WarpTrace& trace, const PayloadSites& sites, Taken& into) {
    AccessRecord record;
    while (trace.has_segment()) {
        const Segment segment = trace.pop_segment();
        into.segments.push_back({segment.first, segment.count, segment.mask});
        for (std::uint32_t site = sites.begin(segment); site < sites.end(segment); ++site) {
            if (!sites[site].is_access) {
                into.payload.push_back(trace.pop_value());
                continue;
            }
            trace.pop_access(record);
            into.payload.push_back(record.mask);
            for (std::size_t lane = 0; lane < warp_size; ++lane)
                into.payload.push_back((record.mask >> lane & 1U) != 0 ? record.address[lane] : 0);
        }
    }
}

inline std::uint32_t random_mask(Random& random) {
    switch (random.below(4)) {
        case 0: return random.next_u32();
        case 1: return 1U << random.below(32);
        case 2: return random.below(8) == 0 ? 0 : 0xffffU;
        default: return 0xffffffffU;
    }
}

inline void push_random_access(Random& random, WarpTrace& trace, std::uint32_t segment_mask) {
    std::array<std::uint64_t, warp_size> address{};
    const std::uint64_t base = random.below(3) == 0 ? random.next_u64() : 0x7f0000000000U + random.below(1U << 20U) * 4;
    const std::uint64_t kind = random.below(6);
    for (std::uint64_t lane = 0; lane < warp_size; ++lane) {
        switch (kind) {
            case 0: address[lane] = base + lane * 4; break;
            case 1: address[lane] = base - lane * random.below(2) * 8; break;
            case 2: address[lane] = random.next_u64(); break;                    // full
            case 3: address[lane] = 0x5fffffff0U + random.below(16) * 4; break;  // across a multiple of 4 GiB
            case 4: address[lane] = base + random.next_u32(); break;             // 32 bits apart
            default: address[lane] = random.below(1U << 15U) * 4; break;         // shared memory
        }
    }
    trace.push_access(random.below(4) == 0 ? random_mask(random) : segment_mask, address.data());
}

/// Adds segments with their payloads to the warp.
inline void push_random_records(Random& random, WarpTrace& trace, const PayloadSites& sites, std::uint64_t segments) {
    Segment last{0, 1, 0xffffffffU};
    for (std::uint64_t i = 0; i < segments; ++i) {
        Segment segment = last;  // a loop
        if (random.below(3) == 0) {
            segment.first = static_cast<std::uint32_t>(random.below(sites.instructions()));
            segment.count =
                1 + static_cast<std::uint32_t>(random.below(std::min(sites.instructions() - segment.first, 40U)));
        }
        if (random.below(4) == 0) segment.mask = random_mask(random);
        trace.push_segment(segment);
        for (std::uint32_t site = sites.begin(segment); site < sites.end(segment); ++site) {
            if (sites[site].is_access)
                push_random_access(random, trace, segment.mask);
            else
                trace.push_value(random.below(3) == 0 ? random.next_u64() : random.below(4));
        }
        last = segment;
    }
}

}  // namespace sassafras::sim::test
