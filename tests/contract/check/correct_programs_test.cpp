// --check says nothing of right programs: every kernel of tests/fixtures/check whose name begins with clean_.
#include <catch2/catch.hpp>

#include <map>
#include <string>

#include "isa/cubin/cubin.hpp"
#include "tests/unit/check/checked_launch.hpp"

namespace {

using namespace sassafras;

/// What they need beside one block of 64 threads.
test::CheckedCase case_of(const std::string& cubin, const std::string& kernel) {
    static const std::map<std::string, std::int32_t> numbers{
        {"clean_thrown_away", 64}, {"clean_compared_away", 64}, {"clean_never_used", 64}, {"clean_spin_lock", 5},
        {"clean_work_queue", 9},   {"clean_reduction", 5},      {"clean_barriers", 3}};
    test::CheckedCase wanted{cubin, kernel};
    if (const auto found = numbers.find(kernel); found != numbers.end()) wanted.n = found->second;
    wanted.cooperative = cubin == "grid";
    if (cubin == "grid" || cubin == "global_races" || kernel == "clean_scan_in_place") wanted.grid = 4;
    return wanted;
}

}  // namespace

TEST_CASE("more than 60 right programs are clean on both modelled devices") {
    std::size_t programs = 0;
    for (const std::string cubin : {"memory", "races", "initialised", "barriers", "global_races", "memory_order",
                                    "heap", "phases", "grid", "clean", "constants"}) {
        const std::string path = test::checked_cubin(cubin);
        const auto read = isa::read_cubin(test::bytes_of(path), path);
        REQUIRE(read.ok());
        for (const isa::Kernel& kernel : read->kernels) {
            if (!kernel.name.starts_with("clean_")) continue;
            ++programs;
            for (const bool simulated : {false, true}) {
                CAPTURE(cubin, kernel.name, simulated);
                const auto launched = test::launch_checked(case_of(cubin, kernel.name), simulated);
                INFO((launched.error ? launched.error->message() : ""));
                INFO(sim::sanitizer_report(launched.findings()));
                CHECK(launched.findings().empty());
                CHECK_FALSE(launched.error.has_value());
            }
        }
    }
    CHECK(programs > 60);
}
