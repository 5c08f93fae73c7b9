// LOP3 of every truth table: of a = 0xf0, b = 0xcc and c = 0xaa in each byte the result is the table itself.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/execute/lowering.hpp"
#include "sim/execute/warp_state.hpp"

namespace {

using namespace sassafras;

constexpr std::uint32_t lanes = 0xffffffffU;
constexpr std::uint32_t odd_lanes = 0xaaaaaaaaU;

/// LOP3.LUT P0, R3, R0, R1, R2, table, !PT: P0 where the result is not zero. Or without a predicate (PT).
isa::Instruction lop3(std::uint64_t table, bool with_predicate) {
    isa::Word128 word;
    word.low = 0x212U | 7U << 12U | 3U << 16U | 0U << 24U | std::uint64_t{1} << 32U;
    word.high = 2U | table << 8U | (with_predicate ? 0ULL : 7ULL) << 17U | 7ULL << 20U | 7ULL << 23U | 1ULL << 26U;
    auto decoded = isa::decode(word);
    REQUIRE(decoded.ok());
    return *decoded;
}

struct Written {
    std::array<std::uint32_t, 32> words{};
    std::uint32_t predicate = 0;
};

Written execute(std::uint64_t table, bool with_predicate, std::uint32_t mask) {
    isa::Program program;
    program.instructions.push_back(lop3(table, with_predicate));
    sim::Launch launch;
    launch.program = &program;
    sim::Lowering to(program, launch);
    to.run();
    std::vector<sim::Row> registers(launch.rows_per_warp);
    sim::Warp warp;
    warp.launch = &launch;
    warp.base[0] = reinterpret_cast<std::byte*>(registers.data());
    warp.base[1] = reinterpret_cast<std::byte*>(launch.constants.data());
    warp.predicates[7] = warp.predicates[15] = lanes;  // PT, UPT
    const std::array<std::uint32_t, 3> inputs{0xf0f0f0f0U, 0xccccccccU, 0xaaaaaaaaU};
    for (std::uint8_t i = 0; i < 3; ++i)
        std::fill_n(reinterpret_cast<std::uint32_t*>(row(warp, to.vector_source(i))), 32, inputs[i]);
    const sim::MicroOp& op = launch.ops[0];
    (mask == lanes ? op.full : op.masked)(warp, op, mask);
    Written result;
    std::memcpy(result.words.data(), row(warp, to.vector_source(3)), sizeof result.words);
    result.predicate = warp.predicates[0];
    return result;
}

}  // namespace

TEST_CASE("LOP3 gives its table, whatever that is, in the lanes that run", "[execute]") {
    for (std::uint32_t table = 0; table < 256; ++table)
        for (const bool with_predicate : {false, true})
            for (const std::uint32_t mask : {lanes, odd_lanes}) {
                CAPTURE(table, with_predicate, mask);
                const Written result = execute(table, with_predicate, mask);
                for (std::size_t lane = 0; lane < 32; ++lane)
                    REQUIRE(result.words[lane] == ((mask >> lane & 1U) != 0 ? table * 0x01010101U : 0U));
                REQUIRE(result.predicate == (with_predicate && table != 0 ? mask : 0U));
            }
}
