// Bank conflicts of prefix sums, on counted accesses; sizes, parameters and inputs are drawn.
#include <bit>

#include "tests/contract/workloads/checked_run.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;

namespace {

Choice draw_scan(Random& random, const std::string& variant) {
    Choice choice{"scan", variant, random.below(9000), any_of(random, info_of("scan").inputs), {}, random.next_u64()};
    if (variant == "unpadded" || variant == "padded")
        choice.parameters["b"] = std::int64_t{1} << random.below(11);
    else
        choice.parameters["blocks"] = whole(1 + random.below(12));
    if (variant == "colored") choice.parameters["colors"] = whole(1 + random.below(300));
    return choice;
}

/// Wavefronts of one block's access in Blelloch's sweeps beyond one a warp: lane l of a warp at word first + stride l.
std::uint64_t conflicts_of_stride(std::uint64_t lanes, std::uint64_t stride) {
    const std::uint64_t lanes_a_bank =
        std::min(lanes, std::max<std::uint64_t>(1, std::min<std::uint64_t>(stride, 32) * lanes / 32));
    return lanes_a_bank - 1;
}

}  // namespace

TEST_CASE("scans are right whatever is drawn") {
    const auto device = functional();
    Random random(2027);
    for (const auto& variant : info_of("scan").variants)
        for (int i = 0; i < test::draws(30); ++i) checked_run(*device, draw_scan(random, variant.name));
}

TEST_CASE("the padded, three-phase and coloured scans have no shared bank conflict on any input") {
    const auto device = functional();
    Random random(3);
    for (const char* variant : {"padded", "three-phase", "colored"}) {
        for (int i = 0; i < test::draws(30); ++i)
            CHECK(shared_conflicts(checked_run(*device, draw_scan(random, variant))) == 0);
        for (const std::string& input : info_of("scan").inputs)
            CHECK(shared_conflicts(checked_run(*device, {"scan", variant, 100003, input, {}})) == 0);
    }
    for (int log = 0; log <= 10; ++log)
        CHECK(shared_conflicts(checked_run(*device, {"scan", "padded", 5000, "random", {{"b", 1 << log}}})) == 0);
}

TEST_CASE("the unpadded scan conflicts as strides of powers of two do") {
    // One block of b threads: at distance d its pairs lie 2d words apart. The up-sweep reads left and right and writes
    // right, the down-sweep reads and writes both: seven accesses a distance.
    const auto device = functional();
    for (const std::uint64_t threads : {32U, 64U, 256U, 1024U}) {
        std::uint64_t expected = 0;
        for (std::uint64_t pairs = threads; pairs > 0; pairs /= 2) {
            const std::uint64_t stride = 2 * (threads / pairs);
            const std::uint64_t warps = (pairs + 31) / 32;
            expected += 7 * warps * conflicts_of_stride(std::min<std::uint64_t>(pairs, 32), stride);
        }
        CAPTURE(threads);
        CHECK(shared_conflicts(checked_run(
                  *device, {"scan", "unpadded", 2 * threads, "random", {{"b", whole(threads)}}})) == expected);
    }
}
