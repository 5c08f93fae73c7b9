// Where SMs lie, and which of them get the blocks of a small grid.
#include <catch2/catch.hpp>

#include <set>
#include <vector>

#include "sim/timing/memory/sm_placement.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {
Platform eight_gpcs() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 132;
    platform.gpu.gpc_sms = 16;
    return platform;
}
}  // namespace

TEST_CASE("neighbouring SMs are of one GPC, and all partitions have as many GPCs") {
    Platform platform = eight_gpcs();
    const SmPlacement h200(platform);
    CHECK(h200.gpcs() == 8);
    std::vector<int> sms(8);
    for (std::uint32_t sm = 0; sm < 132; ++sm) {
        ++sms[h200.gpc(sm)];
        CHECK(h200.partition(sm) == h200.gpc(sm) % 2);
        if (sm > 0) CHECK(h200.gpc(sm) - h200.gpc(sm - 1) <= 1);
    }
    for (const int count : sms) CHECK((count == 16 || count == 17));
    platform.gpu.sm_count = 16;  // one GPC would fill up, but there are two partitions
    CHECK(SmPlacement(platform).gpcs() == 2);
    platform.l2.partitions = 1;
    platform.gpu.sm_count = 1;
    CHECK(SmPlacement(platform).gpcs() == 1);
}

TEST_CASE("of fewer blocks than SMs every GPC gets as many") {
    Platform platform = eight_gpcs();
    platform.gpu.first_sms = 8;
    const auto of_gpcs = [&](std::uint64_t blocks) {
        std::vector<int> sms(8);
        const SmPlacement placed(platform, blocks);
        std::set<std::uint32_t> places;
        for (std::uint32_t sm = 0; sm < blocks; ++sm) {
            ++sms[placed.gpc(sm)];
            places.insert(placed.place(sm));
            CHECK(placed.partition(sm) == placed.gpc(sm) % 2);
        }
        CHECK(places.size() == blocks);
        return sms;
    };
    // validate/records/h200/probes/dealt_blocks.txt, where the first GPC is the one of the SMs that come first.
    using Sms = std::vector<int>;
    CHECK(of_gpcs(1) == Sms{1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(of_gpcs(8) == Sms{8, 0, 0, 0, 0, 0, 0, 0});
    CHECK(of_gpcs(9) == Sms{9, 0, 0, 0, 0, 0, 0, 0});
    CHECK(of_gpcs(12) == Sms{9, 1, 1, 1, 0, 0, 0, 0});
    CHECK(of_gpcs(32) == Sms{11, 3, 3, 3, 3, 3, 3, 3});
    CHECK(of_gpcs(33) == Sms{12, 3, 3, 3, 3, 3, 3, 3});
    CHECK(of_gpcs(131) == Sms{17, 16, 17, 16, 17, 16, 17, 15});
    // Blocks that follow one another are of one GPC; those of the first GPC that do not come first are last.
    const SmPlacement placed(platform, 33);
    for (std::uint32_t sm = 0; sm < 33; ++sm) CHECK(placed.gpc(sm) == (sm < 8 || sm >= 29 ? 0 : 1 + (sm - 8) / 3));
    platform.gpu.first_sms = 0;
    CHECK(of_gpcs(9) == Sms{2, 1, 1, 1, 1, 1, 1, 1});
    // All SMs, or SMs that are GPCs of their own: in their order.
    CHECK(SmPlacement(platform, 132).place(77) == 77);
    platform.gpu.gpc_sms = 1;
    CHECK(SmPlacement(platform, 60).place(59) == 59);
}

// validate/records/h200/probes/small_blocks.csv.zst, 33 blocks: by block, the GPC behind those of the first SMs.
TEST_CASE("launches beside others are dealt from another GPC on, and without the SMs that others have") {
    Platform platform = eight_gpcs();
    platform.gpu.first_sms = 8;
    const auto gpcs_of = [&](std::uint64_t blocks, const DealtFrom& from) {
        const SmPlacement placed(platform, blocks, from);
        std::set<std::uint32_t> places;
        std::vector<std::uint32_t> gpcs;
        for (std::uint32_t sm = 0; sm < blocks; ++sm) {
            places.insert(placed.place(sm));
            if (gpcs.empty() || gpcs.back() != placed.gpc(sm)) gpcs.push_back(placed.gpc(sm));
        }
        CHECK(places.size() == blocks);
        return gpcs;
    };
    using Gpcs = std::vector<std::uint32_t>;
    CHECK(gpcs_of(33, {}) == Gpcs{0, 1, 2, 3, 4, 5, 6, 7, 0});
    CHECK(gpcs_of(33, {.gpc = 2}) == Gpcs{0, 3, 4, 5, 6, 7, 0, 1, 2});
    CHECK(gpcs_of(33, {.gpc = 3, .first_sms = false}) == Gpcs{4, 5, 6, 7, 0, 1, 2, 3});
    // The first SMs of GPC 0 get nothing while there are others.
    const SmPlacement without(platform, 124, {.gpc = 0, .first_sms = false});
    for (std::uint32_t sm = 0; sm < 124; ++sm) CHECK(without.place(sm) >= 8);
    const SmPlacement nearly_all(platform, 130, {.gpc = 7, .first_sms = false});
    for (std::uint32_t sm = 0; sm < 130; ++sm) CHECK((nearly_all.place(sm) < 8) == (sm >= 124));
    CHECK(SmPlacement(platform, 132, {.gpc = 3, .first_sms = false}).place(77) == 77);
}
