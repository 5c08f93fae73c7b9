// Accesses by space: generic ones cost what their lanes reach, local memory is the warp's own, copies to shared memory
// and memory barriers are waited for.
#include "scenario.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/trace/address_windows.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

// As nvdisasm 13.0 prints them; control codes are replaced.
constexpr isa::Word128 ld{0x0000000404057980, 0x0c101900};       ///< LD.E R5, desc[UR4][R4.64]
constexpr isa::Word128 st{0x0000000702007985, 0x0c101904};       ///< ST.E desc[UR4][R2.64], R7
constexpr isa::Word128 atom{0x000000070202798a, 0x081ee1c4};     ///< ATOM.E.ADD.STRONG.GPU PT, R2, desc[UR4][R2.64], R7
constexpr isa::Word128 atoms{0x000000070202738c, 0x00000000};    ///< ATOMS.ADD R2, [R2], R7
constexpr isa::Word128 ldl{0x0000000015037983, 0x00100800};      ///< LDL R3, [R21]
constexpr isa::Word128 stl_128{0x0000000401007387, 0x00100c00};  ///< STL.128 [R1], R4
constexpr isa::Word128 ldgsts{0x0000000002077fae, 0x0b901c46};   ///< LDGSTS.E.BYPASS.128 [R7], desc[UR6][R2.64]
constexpr isa::Word128 ldgdepbar{0x00000000000079af, 0x00000000};   ///< LDGDEPBAR
constexpr isa::Word128 depbar_0{0x000080000000791a, 0x00000000};    ///< DEPBAR.LE SB0, 0x0
constexpr isa::Word128 membar_gpu{0x0000000000007992, 0x00002000};  ///< MEMBAR.SC.GPU
constexpr isa::Word128 membar_cta{0x0000000000007992, 0x00000000};  ///< MEMBAR.SC.CTA

constexpr isa::ControlCode result_at_0{.stall = 1, .write_barrier = 0};
constexpr std::uint64_t somewhere = 1 << 20;

std::uint64_t cycles_of(const Platform& platform, Script script) { return extra_cycles(platform, script.exit(1)); }

Payload lanes_in(const std::function<std::uint64_t(std::uint64_t)>& address_of) {
    return [=](WarpTrace& trace, std::uint32_t) {
        std::array<std::uint64_t, warp_size> address{};
        for (std::uint64_t lane = 0; lane < warp_size; ++lane) address[lane] = address_of(lane);
        trace.push_access(full_mask, address.data());
    };
}

}  // namespace

TEST_CASE("lanes of a generic access are told apart by the windows") {
    AccessRecord access;
    access.mask = 0x0000ffff;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        access.address[lane] = lane % 4 == 0   ? shared_window + 4 * lane
                               : lane % 4 == 1 ? local_window + window_bytes - 4
                               : lane % 4 == 2 ? local_window + window_bytes  // just past it
                                               : shared_window - 1;
    const LanesBySpace lanes = lanes_by_space(MemorySpace::generic, access);
    CHECK(lanes.shared == 0x1111);
    CHECK(lanes.local == 0x2222);
    CHECK(lanes.global == 0xcccc);
    CHECK(lanes_by_space(MemorySpace::global, access).global == access.mask);
    CHECK(lanes_by_space(MemorySpace::shared, access).shared == access.mask);
    CHECK(lanes_by_space(MemorySpace::local, access).local == access.mask);
}

TEST_CASE("generic accesses to shared memory cost what LDS and ATOMS do, conflicts included") {
    const Platform platform = bare_platform();
    for (const std::uint64_t stride : {0U, 4U, 8U, 32U, 128U}) {
        CAPTURE(stride);
        const Script generic = Script().add(ld, result_at_0, 1, lanes_at(shared_window + 0x400, stride));
        const Script shared = Script().add(lds, result_at_0, 1, lanes_at(0x400, stride));
        CHECK(cycles_of(platform, generic) == cycles_of(platform, shared));
        const TimingResult result = simulate(platform, Script(generic).exit(1));
        const TimingResult expected = simulate(platform, Script(shared).exit(1));
        CHECK(result.instructions[0].shared_wavefronts == expected.instructions[0].shared_wavefronts);
        CHECK(result.instructions[0].global_sectors == 0);
        CHECK(result.events["lts__t_sectors_op_read.sum"_metric] == 0);
        CHECK(result.events["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric] == 0);
    }
    CHECK(cycles_of(platform, Script().add(atom, result_at_0, 1, lanes_at(shared_window + 0x400, 8))) ==
          cycles_of(platform, Script().add(atoms, result_at_0, 1, lanes_at(0x400, 8))));
}

TEST_CASE("a generic load of several spaces waits for the slowest and counts each") {
    const Platform platform = bare_platform();
    const auto mixed = lanes_in(
        [](std::uint64_t lane) { return lane % 2 == 0 ? shared_window + 0x400 + 128 * lane : somewhere + 128 * lane; });
    const auto alone = lanes_at(somewhere + 128, 256, 0x0000ffff);
    const std::uint64_t global_part = cycles_of(platform, Script().add(ldg, result_at_0, 1, alone));
    const std::uint64_t both = cycles_of(platform, Script().add(ld, result_at_0, 1, mixed));
    CHECK(both >= global_part);
    CHECK(both <= global_part + 2 * 16);  // 16 wavefronts of shared memory go first
    const TimingResult result = simulate(platform, Script().add(ld, result_at_0, 1, mixed).exit(1));
    CHECK(result.instructions[0].shared_wavefronts == 16);
    CHECK(result.instructions[0].global_sectors == 16);
    CHECK(result.events["lts__t_sectors_op_read.sum"_metric] == 16);
    const TimingResult stored = simulate(platform, Script().add(st, {.stall = 1}, 1, mixed).exit());
    CHECK(stored.instructions[0].shared_wavefronts == 16);
    CHECK(stored.events["lts__t_sectors_op_write.sum"_metric] == 16);
}

TEST_CASE("local memory belongs to its warp, side by side for the lanes, and stays in L1") {
    const Platform platform = bare_platform();
    const auto own = lanes_at(0x1000, 0);  // every lane the same address of its own
    const Script fresh = Script().add(ldl, result_at_0, 1, own);
    CHECK(simulate(platform, Script(fresh).exit(1)).events["lts__t_sectors_op_read.sum"_metric] ==
          4);  // 32 words in one line
    CHECK(simulate(platform, Script(fresh).exit(1), 4).events["lts__t_sectors_op_read.sum"_metric] == 16);
    CHECK(simulate(platform, Script(fresh).exit(1)).instructions[0].global_sectors == 0);
    // What was stored is there: four words a lane, no traffic, an L1 hit.
    const Script stored = Script().add(stl_128, {.stall = 8}, 1, own).add(ldl, result_at_0, 1, own);
    const TimingResult result = simulate(platform, Script(stored).exit(1));
    CHECK(result.events["lts__t_sectors_op_read.sum"_metric] == 0);
    CHECK(result.events["lts__t_sectors_op_write.sum"_metric] == 0);
    CHECK(cycles_of(platform, stored) <= 16 + platform.lsu.l1_hit_latency_cycles);
    // Through a generic address it is the same memory.
    const Script through =
        Script().add(stl_128, {.stall = 8}, 1, own).add(ld, result_at_0, 1, lanes_at(local_window + 0x1000, 0));
    CHECK(simulate(platform, Script(through).exit(1)).events["lts__t_sectors_op_read.sum"_metric] == 0);
    CHECK(cycles_of(platform, through) == cycles_of(platform, stored));
}

TEST_CASE("local lines that L1 has no room for go to L2") {
    Platform platform = bare_platform();
    platform.sm.unified_l1_bytes = 240 * 1024;
    platform.sm.shared_carve_outs_bytes = {232 * 1024};
    platform.sm.shared_bytes = 232 * 1024;  // 64 lines of L1
    Script script;
    for (std::uint64_t word = 0; word < 256; ++word) script.add(stl_128, {.stall = 8}, 1, lanes_at(16 * word, 0));
    const TimingResult result = simulate(platform, script.exit());
    CHECK(result.events["lts__t_sectors_op_write.sum"_metric] >= 4 * (4 * 256 - 64));
    CHECK(result.events["lts__t_sectors_op_write.sum"_metric] < 4 * 4 * 256);
}

TEST_CASE("local stores that pass L1 leave the SM at its port's rate, and L1 has what they wrote") {
    Platform platform = bare_platform();
    platform.lsu.local_stores = LocalStores::write_through;
    platform.lsu.store_bytes_per_cycle = 32;
    const auto own = lanes_at(0x1000, 0);
    const Script stored = Script().add(stl_128, {.stall = 8}, 1, own).add(ldl, result_at_0, 1, own);
    const TimingResult result = simulate(platform, Script(stored).exit(1));
    CHECK(result.events["lts__t_sectors_op_read.sum"_metric] == 0);
    CHECK(result.events["lts__t_sectors_op_write.sum"_metric] == 16);
    CHECK(result.events["l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"_metric] == 4);
    CHECK(result.events["l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum"_metric] == 0);
    // A store of a word a lane is 128 bytes, four cycles of the port; only behind all places of the path does it wait.
    platform.lsu.outstanding_stores = 1024;
    constexpr std::uint64_t stores = 4096;
    Script many;
    for (std::uint64_t i = 0; i < stores / 4; ++i) many.add(stl_128, {.stall = 1}, 1, own);
    const std::uint64_t through = simulate(platform, Script(many).exit()).cycles.count;
    CHECK(through >= 4 * (stores - platform.lsu.outstanding_stores));
    CHECK(through < 4 * stores + 2000);
    platform.lsu.local_stores = LocalStores::write_back;
    // What the registers take: two cycles for the address, and two for each of four.
    CHECK(simulate(platform, Script(many).exit()).cycles.count < 10 * stores / 4 + 2000);
}

TEST_CASE("copies to shared memory are waited for by group") {
    const Platform platform = bare_platform();
    const auto copy_to = [](std::uint64_t to, std::uint64_t stride) {
        return [=](WarpTrace& trace, std::uint32_t warp) {
            lanes_at(somewhere, 16)(trace, warp);
            lanes_at(to, stride)(trace, warp);
        };
    };
    const Script copy = Script().add(ldgsts, {.stall = 1}, 1, copy_to(0x400, 16));
    Script waits = copy;
    waits.add(ldgdepbar, result_at_0).add(depbar_0, {.stall = 4});
    const std::uint64_t waited = extra_cycles(platform, Script(waits).exit());
    CHECK(waited >= platform.l2.hit_latency_cycles + platform.dram.latency_cycles);
    CHECK(extra_cycles(platform, Script(copy).exit()) < 30);
    CHECK(extra_cycles(platform, Script().add(ldgdepbar, result_at_0).add(depbar_0, {.stall = 4}).exit()) < 30);
    const TimingResult result = simulate(platform, Script(waits).exit());
    CHECK(result.instructions[0].global_sectors == 16);
    CHECK(result.instructions[0].shared_wavefronts == 4);  // 512 bytes
    // Conflicts where it stores: 16 bytes a lane, all in the same four banks.
    Script conflicts = Script().add(ldgsts, {.stall = 1}, 1, copy_to(0x400, 128));
    conflicts.add(ldgdepbar, result_at_0).add(depbar_0, {.stall = 4});
    CHECK(simulate(platform, Script(conflicts).exit()).instructions[0].shared_wavefronts == 32);
    CHECK(extra_cycles(platform, Script(conflicts).exit()) >= waited + 28);
    // The second group, which takes 128 wavefronts more, is still open when the first is waited for.
    Script two = Script().add(ldgsts, {.stall = 1}, 1, copy_to(0x400, 16)).add(ldgdepbar, result_at_0);
    two.add(ldgsts, {.stall = 1}, 4, copy_to(0x800, 128)).add(depbar_0, {.stall = 4});
    CHECK(extra_cycles(platform, Script(two).exit()) <= waited + 40);
    Script closed = Script().add(ldgsts, {.stall = 1}, 1, copy_to(0x400, 16)).add(ldgdepbar, result_at_0);
    closed.add(ldgsts, {.stall = 1}, 4, copy_to(0x800, 128)).add(ldgdepbar, result_at_0).add(depbar_0, {.stall = 4});
    CHECK(extra_cycles(platform, closed.exit()) >= waited + 100);
}

TEST_CASE("MEMBAR of the GPU waits until L2 has the warp's stores") {
    Platform platform = bare_platform();
    platform.lsu.membar_latency_cycles = 20;
    const isa::ControlCode next{.stall = 2};
    const Script store = Script().add(stg, next, 1, lanes_at(somewhere, 4));
    Script fenced = store;
    fenced.add(membar_gpu, next);
    const std::uint64_t alone = extra_cycles(platform, Script().add(membar_gpu, next).exit());
    CHECK(alone >= platform.lsu.membar_latency_cycles);
    CHECK(alone <= platform.lsu.membar_latency_cycles + 4);
    const std::uint64_t waited = extra_cycles(platform, Script(fenced).exit());
    const std::uint64_t round_trip = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    CHECK(waited >= round_trip + platform.lsu.membar_latency_cycles);
    CHECK(waited <= round_trip + platform.lsu.membar_latency_cycles + 20);
    // More stores take longer, a longer latency too; a block's barrier waits for nothing.
    Script scattered = Script().add(stg, next, 4, lanes_at(somewhere, 128));
    CHECK(extra_cycles(platform, scattered.add(membar_gpu, next).exit()) > waited + 30);
    platform.lsu.membar_latency_cycles = 120;
    CHECK(extra_cycles(platform, Script(fenced).exit()) == waited + 100);
    Script of_block = store;
    const std::uint64_t unfenced = extra_cycles(platform, Script(store).exit());  // the launch waits for its stores
    CHECK(extra_cycles(platform, of_block.add(membar_cta, next).exit()) <= unfenced + 4);
    std::uint64_t stalled = 0;
    for (const auto& row : simulate(platform, Script(fenced).exit()).stalls)
        stalled += row[static_cast<std::size_t>(Stall::membar)];
    CHECK(stalled >= round_trip);
}

TEST_CASE("one warp's MEMBAR does not wait for another's stores") {
    const Platform platform = bare_platform();
    const isa::ControlCode next{.stall = 2};
    Script script = Script().add(stg, next, 32, lanes_at(somewhere, 128));
    const std::uint32_t fence = script.size();
    script.add(membar_gpu, next).exit();
    // Warp 1 starts at the fence.
    const TimingResult result =
        simulate(platform, script, 2, 1, [=](std::uint32_t warp) { return warp == 0 ? 0 : fence; });
    const TimingResult alone = simulate(platform, script, 1);
    const auto stalls = [](const TimingResult& of) {
        std::uint64_t sum = 0;
        for (const auto& row : of.stalls) sum += row[static_cast<std::size_t>(Stall::membar)];
        return sum;
    };
    CHECK(stalls(result) <= stalls(alone) + platform.lsu.membar_latency_cycles + 8);
}
