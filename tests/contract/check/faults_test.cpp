// Each kind of planted fault is found and named on both modelled devices, and the clean kernels are clean.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/unit/check/checked_launch.hpp"

namespace {

using namespace sassafras;
using sim::FindingTool;

struct Planted {
    test::CheckedCase launch;
    FindingTool tool;
    std::string what;  ///< how the report begins, behind the severity; empty: nothing is found
    std::string source;
};

const std::vector<Planted>& planted() {
    static const std::vector<Planted> list{
        {{"memory", "global_write_past_end", 1, 64, 0, 1024},
         FindingTool::memcheck,
         "Invalid __global__ write of size 4 bytes",
         "memory.cu:5"},
        {{"memory", "global_vector_past_end", 1, 64, 0, 1000},
         FindingTool::memcheck,
         "Invalid __global__ read of size 16 bytes",
         "memory.cu:18"},
        {{"memory", "global_atomic_past_end", 1, 64, 0, 1024},
         FindingTool::memcheck,
         "Invalid __global__ atomic of size 4 bytes",
         "device_atomic_functions.hpp:107"},
        {{"initialised", "never_written", 1, 64, 0, 64},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size 4 bytes",
         "initialised.cu:11"},
        {{"initialised", "never_written_dynamic", 1, 64, 256, 0},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size 4 bytes",
         "initialised.cu:16"},
        {{"initialised", "never_written_byte", 1, 64, 0, 1},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size 1 bytes",
         "initialised.cu:23"},
        {{"initialised", "never_written_part", 1, 64, 0, 1},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size 16 bytes",
         "initialised.cu:36"},
        {{"initialised", "never_written_atomic", 1, 64, 0, 0},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size 4 bytes",
         "device_atomic_functions.hpp:107"},
        {{"initialised", "unset_steers_a_branch", 1, 64, 0, 64},
         FindingTool::initcheck,
         "Uninitialized",
         "initialised.cu:61"},
        {{"initialised", "unset_is_an_address", 1, 64, 0, 64},
         FindingTool::initcheck,
         "Uninitialized",
         "initialised.cu:70"},
        {{"initialised", "unset_is_voted_on", 1, 64, 0, 64},
         FindingTool::initcheck,
         "Uninitialized",
         "initialised.cu:77"},
        {{"initialised", "unset_is_shuffled", 1, 64, 0, 64},
         FindingTool::initcheck,
         "Uninitialized",
         "initialised.cu:85"},
        {{"initialised", "clean_written_by_others"}, FindingTool::initcheck, "", ""},
        {{"initialised", "clean_thrown_away", 1, 64, 0, 64}, FindingTool::initcheck, "", ""},
        {{"initialised", "clean_compared_away", 1, 64, 0, 64}, FindingTool::initcheck, "", ""},
        {{"initialised", "clean_never_used", 1, 64, 0, 64}, FindingTool::initcheck, "", ""},
        {{"races", "half_synchronised"}, FindingTool::racecheck, "Potential RAW hazard", "races.cu:80"},
        {{"races", "clean_lock"}, FindingTool::racecheck, "", ""},
        {{"barriers", "first_warp_only"},
         FindingTool::synccheck,
         "Barrier error detected. Divergent thread(s) in block.",
         "barriers.cu:13"},
        {{"barriers", "different_trip_counts"},
         FindingTool::synccheck,
         "Barrier error detected. Divergent thread(s) in block.",
         "barriers.cu:67"},
        {{"barriers", "named_barrier_too_few"},
         FindingTool::synccheck,
         "Barrier error detected. Divergent thread(s) in block.",
         "barriers.cu:72"},
        {{"barriers", "two_barriers_in_a_warp"},
         FindingTool::synccheck,
         "Barrier error detected. Divergent thread(s) in warp.",
         ""},
        {{"barriers", "lanes_exit_before", 1, 64, 0, 48}, FindingTool::synccheck, "", ""},
        {{"global_races", "blocks_write_one_word", 4},
         FindingTool::racecheck,
         "Potential WAW hazard detected at __global__",
         "global_races.cu:10"},
        {{"global_races", "block_reads_another", 4}, FindingTool::racecheck, "Potential ", ""},
        {{"global_races", "warps_without_barrier"}, FindingTool::racecheck, "Potential ", ""},
        {{"global_races", "lost_update"}, FindingTool::racecheck, "Potential ", "global_races.cu:23"},
        {{"global_races", "read_during_atomics"}, FindingTool::racecheck, "Potential ", ""},
        {{"global_races", "last_block_without_fence", 4},
         FindingTool::racecheck,
         "Potential RAW hazard detected at __global__",
         "global_races.cu:33"},
        {{"global_races", "clean_own_elements", 4}, FindingTool::racecheck, "", ""},
        {{"global_races", "clean_atomics_only", 4}, FindingTool::racecheck, "", ""},
        {{"global_races", "clean_last_block", 4}, FindingTool::racecheck, "", ""},
        {{"global_races", "clean_grid_barrier", 4}, FindingTool::racecheck, "", ""},
        {{"global_races", "clean_spin_lock", 4, 64, 0, 5}, FindingTool::racecheck, "", ""},
        {{"global_races", "clean_chained_scan", 4}, FindingTool::racecheck, "", ""},
        {{"global_races", "clean_work_queue", 4, 64, 0, 9}, FindingTool::racecheck, "", ""},
        {{"memory_order", "clean_barrier_in_memory"}, FindingTool::racecheck, "", ""},
        {{"memory_order", "arrives_without_waiting"}, FindingTool::racecheck, "hazard detected at __shared__", ""},
        {{"memory_order", "clean_copy_to_barrier"}, FindingTool::racecheck, "", ""},
        {{"memory_order", "copy_to_barrier_not_waited_for"},
         FindingTool::racecheck,
         "Potential RAW hazard detected (invalid memcpy_async synchronization)",
         ""},
        {{"memory_order", "clean_scan_in_place", 4}, FindingTool::racecheck, "", ""},
        {{"initialised", "unset_in_a_loop", 1, 64, 0, 64},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size 4 bytes",
         "initialised.cu:122"},
        {{"initialised", "never_written_member"},
         FindingTool::initcheck,
         "Uninitialized __shared__ memory read of size ",
         "initialised.cu:134"},
        {{"heap", "heap_write_past_end"},
         FindingTool::memcheck,
         "Invalid __global__ write of size 4 bytes",
         "heap.cu:16"},
        {{"heap", "heap_read_before"}, FindingTool::memcheck, "Invalid __global__ read of size 4 bytes", "heap.cu:22"},
        {{"heap", "heap_use_after_free"},
         FindingTool::memcheck,
         "Invalid __global__ read of size 4 bytes",
         "heap.cu:29"},
        {{"heap", "heap_use_after_free_and_malloc"},
         FindingTool::memcheck,
         "Invalid __global__ read of size 4 bytes",
         "heap.cu:39"},
        {{"heap", "heap_double_free"},
         FindingTool::memcheck,
         "Malloc/Free Error encountered : Device-side double free",
         "heap.cu:46"},
        {{"heap", "heap_free_of_a_buffer"},
         FindingTool::memcheck,
         "Malloc/Free Error encountered : Invalid pointer to free",
         "heap.cu:49"},
        {{"heap", "variable_past_end"},
         FindingTool::memcheck,
         "Invalid __global__ write of size 4 bytes",
         "heap.cu:51"},
        {{"heap", "variable_read_before"},
         FindingTool::memcheck,
         "Invalid __global__ read of size 4 bytes",
         "heap.cu:53"},
        {{"heap", "variable_in_padding"},
         FindingTool::memcheck,
         "Invalid __global__ read of size 1 bytes",
         "heap.cu:55"},
        {{"heap", "traps"}, FindingTool::memcheck, "Trap", "heap.cu:58"},
        {{"heap", "asserts"}, FindingTool::memcheck, "Assertion failed", "heap.cu:61"},
        {{"constants", "constant_past_end", 1, 64, 0, 40},
         FindingTool::memcheck,
         "Invalid __constant__ read of size 4 bytes",
         "constants.cu:9"},
        {{"constants", "constant_misaligned", 1, 64, 0, 1},
         FindingTool::memcheck,
         "Invalid __constant__ read of size 4 bytes",
         "constants.cu:15"},
        {{"phases", "init_without_barrier"}, FindingTool::synccheck, "Barrier error detected. Missing init.", ""},
        {{"phases", "arrives_again_without_waiting"},
         FindingTool::synccheck,
         "Barrier error detected. Missing wait.",
         ""},
        {{"phases", "one_warp_does_not_wait"}, FindingTool::synccheck, "Barrier error detected. Missing wait.", ""},
        {{"phases", "init_again_without_barrier"}, FindingTool::racecheck, "hazard detected at __shared__", ""},
        {{"grid", "missing_grid_sync", 4, 64, 0, 0, true},
         FindingTool::racecheck,
         "Potential RAW hazard detected at __global__",
         ""},
        {{"grid", "no_grid_sync", 4, 64, 0, 0, true}, FindingTool::racecheck, "Potential ", ""},
        {{"grid", "block_meets_in_place_of_the_grid", 4, 64, 0, 0, true},
         FindingTool::racecheck,
         "Potential ",
         "grid.cu:33"},
        {{"memory_order", "scan_in_place_too_early", 4}, FindingTool::racecheck, "hazard detected at __global__", ""},
    };
    return list;
}

}  // namespace

TEST_CASE("planted faults are found and named on both modelled devices") {
    for (const bool simulated : {false, true}) {
        for (const Planted& fault : planted()) {
            CAPTURE(fault.launch.kernel, simulated);
            const auto launched = test::launch_checked(fault.launch, simulated);
            INFO(sim::sanitizer_report(launched.findings()));
            if (fault.what.empty()) {
                CHECK(launched.findings().empty());
                CHECK_FALSE(launched.error.has_value());
                continue;
            }
            const bool found =
                std::any_of(launched.findings().begin(), launched.findings().end(), [&](const sim::Finding& finding) {
                    const sim::FindingPlace& place = finding.places.at(0);
                    return finding.tool == fault.tool && finding.what.find(fault.what) != std::string::npos &&
                           finding.kernel == fault.launch.kernel && !place.sass.empty() && finding.count > 0 &&
                           (fault.source.empty() || place.file + ":" + std::to_string(place.line) == fault.source);
                });
            CHECK(found);
        }
    }
}

TEST_CASE("a report reads as compute-sanitizer's does") {
    const auto launched = test::launch_checked({"memory", "global_read_before", 2, 64, 0, 0});
    REQUIRE(launched.error.has_value());
    REQUIRE(launched.findings().size() == 1);
    // The H200's report (tests/golden/check), with the simulator's addresses and our line of SASS.
    const std::vector<std::string> wanted{
        "Invalid __global__ read of size 4 bytes",
        "    at global_read_before+0xd0 in memory.cu:10",
        "        LDG.E R3, desc[UR4][R2.64]",
        "    by thread (37,0,0) in block (1,0,0)",
        "    Access to 0x7efffffffffc is out of bounds",
        "    and is 4 bytes before the nearest allocation at 0x7f0000000000 of size 4,096 bytes"};
    auto lines = sim::report_lines(launched.findings()[0]);
    REQUIRE(lines.size() == wanted.size());
    CHECK(lines[2].starts_with("        LDG"));
    lines[2] = wanted[2];
    CHECK(lines == wanted);
}

TEST_CASE("faults in the heap and in variables say where they lie, as compute-sanitizer does") {
    const auto details = [](const char* kernel) {
        const auto launched = test::launch_checked({"heap", kernel});
        REQUIRE(launched.findings().size() == 1);
        REQUIRE(launched.findings()[0].details.size() >= 2);
        return launched.findings()[0].details;
    };
    // Of an H200 (compute-sanitizer 2025.3.1): "and is located in the device heap", and of a variable of 32 bytes
    // "and is 1 bytes after the nearest allocation at 0x... of size 32 bytes".
    CHECK(details("heap_write_past_end")[1] == "and is located in the device heap");
    CHECK(details("heap_write_past_end").size() == 2);
    const std::string variable = details("variable_past_end")[1];
    CHECK(variable.starts_with("and is 1 bytes after the nearest allocation at 0x"));
    CHECK(variable.ends_with(" of size 32 bytes"));
}

TEST_CASE("what was freed in the device heap is named with its block") {
    // Of malloc(40) the word at 4 is read behind free(): the block begins 4 bytes before the address that is named.
    for (const char* kernel : {"heap_use_after_free", "heap_use_after_free_and_malloc"}) {
        CAPTURE(kernel);
        const auto launched = test::launch_checked({"heap", kernel});
        REQUIRE(launched.findings().size() == 1);
        const auto& details = launched.findings()[0].details;
        REQUIRE(details.size() == 3);
        const auto address = std::stoull(details[0].substr(std::string("Access to ").size()), nullptr, 16);
        CHECK(details[1] == "and is located in the device heap");
        CHECK(details[2] ==
              fmt::format("inside the block at {:#x} of size 40 bytes, which has been freed", address - 4));
        REQUIRE(launched.error.has_value());
        CHECK(launched.error->remedy == "the memory there has been freed");
    }
}

TEST_CASE("faults of constant memory name their place and count their threads") {
    struct Case {
        const char* kernel;
        std::int32_t n;
        std::uint32_t thread;  ///< the first that goes wrong
        std::uint64_t count;   ///< of its warp
        const char* detail;
    };
    // Of a table of 64 words, word n and on; or, of one word a byte further each thread, those that are not aligned.
    for (const Case& wrong : {Case{"constant_past_end", 40, 24, 8, "Access to 0x100 is out of bounds"},
                              Case{"constant_uniform_past_end", 64, 0, 32, "Access to 0x100 is out of bounds"},
                              Case{"constant_misaligned", 1, 1, 24, "Access to 0x1 is misaligned"}}) {
        CAPTURE(wrong.kernel);
        const auto launched = test::launch_checked({"constants", wrong.kernel, 1, 64, 0, wrong.n});
        REQUIRE(launched.error.has_value());
        REQUIRE(launched.findings().size() == 1);
        const sim::Finding& finding = launched.findings()[0];
        CHECK(finding.count == wrong.count);
        CHECK(finding.places.at(0).thread.x == wrong.thread);
        CHECK(finding.places.at(0).sass.find("LDC") != std::string::npos);
        CHECK(finding.details == std::vector<std::string>{wrong.detail});
    }
}

TEST_CASE("threads are counted once each") {
    for (const std::uint32_t block : {32U, 64U}) {
        const auto launched = test::launch_checked({"initialised", "unset_in_a_loop", 1, block, 0, 64});
        REQUIRE(launched.findings().size() == 1);
        CHECK(launched.findings()[0].count == block);
    }
}

TEST_CASE("a freed buffer is not taken for the next one at its address") {
    const auto platform = sim::load_platform("h200");
    REQUIRE(platform.ok());
    sim::ModelOptions options;
    options.check = true;
    const auto device = sim::make_functional_device((*platform).platform, options);
    const std::string path = test::checked_cubin("memory");
    const auto module = device->load_module(test::bytes_of(path), path);
    REQUIRE(module.ok());
    const auto freed = device->allocate(Bytes{4096});
    REQUIRE(freed.ok());
    REQUIRE(device->free(*freed).ok());
    const auto other = device->allocate(Bytes{4096});
    REQUIRE(other.ok());
    sim::Launch launch;
    launch.module = *module;
    launch.kernel = "memory_clean";
    launch.grid = {1, 1, 1};
    launch.block = {64, 1, 1};
    launch.arguments.add(freed->value).add(other->value).add(0);
    CHECK_FALSE(device->launch(launch).ok());
    REQUIRE(device->findings().size() == 1);
    const sim::Finding& finding = device->findings()[0];
    CHECK(finding.what == "Invalid __global__ read of size 4 bytes");
    REQUIRE(finding.details.size() == 2);
    CHECK(finding.details[1].find("of size 4,096 bytes, which has been freed") != std::string::npos);
}

TEST_CASE("without --check memory is mapped in an H200's pages") {
    // validate/records/h200/probes/mapped.txt: loads before the first allocation and behind small ones succeed there.
    CHECK_FALSE(test::launch_checked({"memory", "global_read_before", 2}, false, false).error.has_value());
    CHECK_FALSE(
        test::launch_checked({"memory", "global_vector_past_end", 1, 64, 0, 1000}, true, false).error.has_value());
    CHECK_FALSE(
        test::launch_checked({"memory", "global_write_past_end", 1, 64, 0, 1024}, false, false).error.has_value());
    // 4 bytes times 2^20 are two pages.
    const auto far = test::launch_checked({"memory", "global_write_past_end", 1, 64, 0, 1 << 20}, false, false);
    REQUIRE(far.error.has_value());
    CHECK(far.error->what.find("is out of bounds") != std::string::npos);
    CHECK(test::launch_checked({"memory", "null_read", 1, 64, 0, 4}, false, false).error.has_value());
}

TEST_CASE("without --check nothing is looked for") {
    const auto launched = test::launch_checked({"races", "read_after_write"}, false, false);
    CHECK(launched.findings().empty());
}
