// Small programs of real instruction words with chosen control codes, run on an SM whose numbers the test sets.
#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "isa/sass/instruction.hpp"
#include "sim/timing/simulate.hpp"
#include "sim/timing/sm/sm.hpp"
#include "sim/trace/trace_source.hpp"
#include "tests/fixture_platform.hpp"

namespace sassafras::sim::test {

inline constexpr std::uint32_t full_mask = 0xffffffffU;

// Words that nvdisasm 13.0 prints as in the comments (tests/golden/isa); their control codes are replaced.
inline constexpr isa::Word128 fp32_add{0xcb400000040f7421,
                                       0};  ///< FADD R15, R4, -12582912: FP32 pipe, one register read
inline constexpr isa::Word128 iadd3{0x0000000010107210, 0x07f7e0ff};     ///< IADD3 R16, P3, R16, R0, RZ: ALU
inline constexpr isa::Word128 mufu{0x0000001200127308, 0x00001000};      ///< MUFU.RCP R18, R18
inline constexpr isa::Word128 lds{0x0000000000057984, 0x00000800};       ///< LDS R5, [R0]
inline constexpr isa::Word128 sts{0x000000ff00007388, 0x00000800};       ///< STS [R0], RZ
inline constexpr isa::Word128 ldg{0x0000800404097981, 0x0c1e1900};       ///< LDG.E R9, desc[UR4][R4.64+0x80]
inline constexpr isa::Word128 stg{0x0003001102007986, 0x0c101904};       ///< STG.E desc[UR4][R2.64+0x300], R17
inline constexpr isa::Word128 red{0x000000090200798e, 0x0c10e184};       ///< REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R9
inline constexpr isa::Word128 bar_sync{0x0000000000007b1d, 0x00010000};  ///< BAR.SYNC.DEFER_BLOCKING 0x0
inline constexpr isa::Word128 bar_sync_at{0x0000000000007b1d, 0x00000000};  ///< BAR.SYNC 0x0
inline constexpr isa::Word128 bar_red{0x0000000000007b1d, 0x00814000};      ///< BAR.RED.POPC.DEFER_BLOCKING 0x0, P1
inline constexpr isa::Word128 bsync{0x0000000000007941, 0x03800000};        ///< BSYNC B0
inline constexpr isa::Word128 exit_word{0x000000000000794d, 0x03800000};    ///< EXIT

/// FFMA R20, Ra, Rb, Rc
inline isa::Word128 ffma_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return {0x0000000000147223U | a << 24U | b << 32U, c};
}

inline isa::Instruction instruction(isa::Word128 word, isa::ControlCode control) {
    word.high |= std::uint64_t{control.stall} << 41U | std::uint64_t{control.stay} << 45U |
                 std::uint64_t{control.write_barrier} << 46U | std::uint64_t{control.read_barrier} << 49U |
                 std::uint64_t{control.wait_mask} << 52U | std::uint64_t{control.reuse} << 58U;
    auto decoded = isa::decode(word);
    if (!decoded) FAIL(decoded.error().message());
    REQUIRE((*decoded).control == control);
    return *decoded;
}

using Payload = std::function<void(WarpTrace&, std::uint32_t warp)>;

/// Instructions with what each of them owns in the trace.
class Script {
  public:
    Script& add(isa::Word128 word, isa::ControlCode control, std::uint32_t times = 1, Payload payload = {}) {
        for (std::uint32_t i = 0; i < times; ++i) {
            program.instructions.push_back(instruction(word, control));
            payloads.push_back(payload);
        }
        return *this;
    }
    /// The last instruction; waits for the scoreboards of `wait_mask`.
    Script& exit(std::uint8_t wait_mask = 0) { return add(exit_word, {.stall = 5, .wait_mask = wait_mask}); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(program.instructions.size()); }

    isa::Program program;
    std::vector<Payload> payloads;
};

/// Every lane `stride` bytes after the one before, from `base`.
inline Payload lanes_at(std::uint64_t base, std::uint64_t stride, std::uint32_t mask = full_mask) {
    return [=](WarpTrace& trace, std::uint32_t) {
        std::array<std::uint64_t, warp_size> address{};
        for (std::uint64_t lane = 0; lane < warp_size; ++lane) address[lane] = base + lane * stride;
        trace.push_access(mask, address.data());
    };
}
inline Payload whole_block_barrier() {
    return [](WarpTrace& trace, std::uint32_t) { trace.push_value(0); };
}

/// Each warp of each block runs the script once, from the instruction that `first_of` says.
class ScriptedSource : public TraceSource {
  public:
    ScriptedSource(const Script& script, std::uint32_t blocks, std::uint32_t warps,
                   std::function<std::uint32_t(std::uint32_t)> first_of = {})
        : script_(script),
          first_of_(std::move(first_of)),
          shape_{.grid = {blocks, 1, 1}, .block = {warps * warp_size, 1, 1}, .dynamic_shared = {}} {}

    [[nodiscard]] const isa::Program& program() const override { return script_.program; }
    [[nodiscard]] const LaunchShape& shape() const override { return shape_; }
    Result<BlockTrace*> start(std::uint64_t block_index) override {
        auto block = std::make_unique<BlockTrace>();
        block->block_index = block_index;
        block->warps.resize(shape_.block.x / warp_size);
        for (std::uint32_t warp = 0; warp < block->warps.size(); ++warp) {
            WarpTrace& trace = block->warps[warp];
            const std::uint32_t first = first_of_ ? first_of_(warp) : 0;
            trace.push_segment({.first = first, .count = script_.size() - first, .mask = full_mask});
            for (std::uint32_t i = first; i < script_.size(); ++i)
                if (script_.payloads[i]) script_.payloads[i](trace, warp);
            trace.state = WarpTrace::State::exited;
        }
        blocks_.push_back(std::move(block));
        return blocks_.back().get();
    }
    Result<void> advance(BlockTrace&, std::uint64_t) override { return {}; }
    void provide_clock(BlockTrace&, std::uint32_t, Cycle, std::uint64_t) override { FAIL("no script reads a clock"); }
    void finish(BlockTrace&) override { ++finished; }

    std::uint64_t finished = 0;

  private:
    Script script_;
    std::function<std::uint32_t(std::uint32_t)> first_of_;
    LaunchShape shape_;
    std::vector<std::unique_ptr<BlockTrace>> blocks_;
};

/// One SM; no overheads, no differences of distance, one instruction line for all, so that what remains is what a
/// scenario is about.
inline Platform bare_platform() {
    Platform platform = fixture_platform();
    platform.gpu.sm_count = 1;
    platform.gpu.launch_overhead_cycles = 0;
    platform.gpu.completion_overhead_cycles = 0;
    platform.gpu.warp_start_interval_cycles = 0;
    platform.fetch.line_bytes = 4096;
    platform.l2.partitions = 1;
    platform.l2.far_latency_cycles = 0;
    platform.l2.slice_spread_cycles = 0;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

inline TimingResult simulate(const Platform& platform, const Script& script, std::uint32_t warps = 1,
                             std::uint32_t blocks = 1, std::function<std::uint32_t(std::uint32_t)> first_of = {}) {
    ScriptedSource source(script, blocks, warps, std::move(first_of));
    TimingGpu gpu(platform);
    auto result = gpu.simulate(source, {});
    if (!result) FAIL(result.error().message());
    CHECK(source.finished == blocks);
    return *result;
}

inline std::uint64_t cycles(const Platform& platform, const Script& script, std::uint32_t warps = 1) {
    return simulate(platform, script, warps).cycles.count;
}

/// Cycles of a block that does nothing but exit.
inline std::uint64_t empty_cycles(const Platform& platform, std::uint32_t warps = 1) {
    return cycles(platform, Script().exit(), warps);
}

/// Cycles beyond those of a block that does nothing.
inline std::uint64_t extra_cycles(const Platform& platform, const Script& script) {
    return cycles(platform, script) - empty_cycles(platform);
}

}  // namespace sassafras::sim::test
