// What a thread computes depends neither on the shape of its block, nor on which lanes run beside it, nor on how far
// ahead execution runs.
#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <utility>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

const std::string fixture = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/features.cubin";

std::uint32_t next(std::uint64_t& state) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state >> 33U);
}

/// Runs an operand-pair kernel on the first n pairs; results by column, n rows each.
std::vector<std::uint32_t> run(const char* kernel, const std::vector<std::uint32_t>& a,
                               const std::vector<std::uint32_t>& b, int n, std::uint32_t block, std::size_t results) {
    test::Module module(fixture);
    const Address pa = module.upload(a);
    const Address pb = module.upload(b);
    const Address out = module.upload(std::vector<std::uint32_t>(static_cast<std::size_t>(n) * results));
    const std::uint32_t grid = (static_cast<std::uint32_t>(n) + block - 1) / block;
    const auto done = module.run(kernel, {grid, 1, 1}, {block, 1, 1},
                                 test::Parameters().add(pa.value).add(pb.value).add(out.value).add(n));
    INFO((done ? "" : done.error().message()));
    REQUIRE(done.ok());
    return module.download<std::uint32_t>(out, static_cast<std::size_t>(n) * results);
}

struct Record {
    std::vector<std::array<std::uint32_t, 3>> segments;
    std::vector<std::uint64_t> addresses;
    bool operator==(const Record&) const = default;
};

/// The trace of one block, as a consumer reads it that asks for `ahead` instructions at a time.
std::vector<Record> trace(const char* kernel, std::uint32_t threads, std::uint64_t ahead,
                          const std::vector<std::uint32_t>& in, std::vector<std::uint32_t>& out) {
    test::Module module(fixture);
    const Address pin = module.upload(in);
    const Address pout = module.upload(std::vector<std::uint32_t>(threads));
    sim::LaunchRequest request;
    request.kernel = module.kernel(kernel);
    request.shape = {{1, 1, 1}, {threads, 1, 1}, {}};
    request.parameters = test::Parameters().add(pin.value).add(pout.value).bytes();
    auto source = sim::make_executor(std::move(request), module.memory);
    REQUIRE(source.ok());
    sim::BlockTrace* block = (*source)->start(0).value();
    std::vector<Record> records(block->warps.size());
    bool done = false;
    while (!done) {
        REQUIRE((*source)->advance(*block, ahead).ok());
        done = true;
        for (std::size_t w = 0; w < block->warps.size(); ++w) {
            sim::WarpTrace& warp = block->warps[w];
            while (warp.has_segment()) {
                const sim::Segment segment = warp.pop_segment();
                for (std::uint32_t i = segment.first; i < segment.first + segment.count; ++i) {
                    const isa::Opcode opcode = (*source)->program().instructions[i].opcode;
                    records[w].segments.push_back({i, 1, segment.mask});
                    if (!isa::is_memory_access(opcode)) continue;
                    sim::AccessRecord access;
                    warp.pop_access(access);
                    for (std::size_t lane = 0; lane < 32; ++lane)
                        if ((access.mask >> lane & 1U) != 0) records[w].addresses.push_back(access.address[lane]);
                }
            }
            done = done && warp.state == sim::WarpTrace::State::exited;
        }
    }
    (*source)->finish(*block);
    out = module.download<std::uint32_t>(pout, threads);
    return records;
}

}  // namespace

TEST_CASE("results do not depend on the shape of the launch") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        std::uint64_t state = seed;
        const auto n = static_cast<int>(next(state) % 400 + 1);
        const std::uint32_t block = next(state) % 200 + 1;
        std::vector<std::uint32_t> a(512);
        std::vector<std::uint32_t> b(512);
        for (auto* values : {&a, &b})
            for (std::uint32_t& value : *values) value = next(state) << (next(state) % 3) >> (next(state) % 20);
        CAPTURE(seed, n, block);
        for (const auto& [kernel, results] : {std::pair{"integer_operations", 26}, std::pair{"float_operations", 20}}) {
            const auto columns = static_cast<std::size_t>(results);
            const auto whole = run(kernel, a, b, 512, 128, columns);
            const auto part = run(kernel, a, b, n, block, columns);
            for (std::size_t k = 0; k < columns; ++k)
                for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
                    if (part[k * static_cast<std::size_t>(n) + i] != whole[k * 512 + i]) {
                        CAPTURE(kernel, k, i, a[i], b[i]);
                        REQUIRE(part[k * static_cast<std::size_t>(n) + i] == whole[k * 512 + i]);
                    }
        }
    }
    SUCCEED();
}

TEST_CASE("a warp's trace does not depend on how far ahead execution runs") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::uint64_t state = 1000 + seed;
        std::vector<std::uint32_t> in(96);
        for (std::uint32_t& value : in) value = next(state) % 5000 + 1;
        const std::uint32_t threads = next(state) % 96 + 1;
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> second;
        CAPTURE(seed, threads);
        const auto coarse = trace("divergence", threads, 1'000'000, in, first);
        const auto fine = trace("divergence", threads, next(state) % 50 + 1, in, second);
        REQUIRE(first == second);
        REQUIRE(coarse == fine);
        std::size_t accesses = 0;  // every thread loads once and stores once
        for (const Record& record : coarse) accesses += record.addresses.size();
        REQUIRE(accesses == 2 * threads);
    }
}
