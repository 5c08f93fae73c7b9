// Measurements of `micro` whose parameters are drawn; and times that follow from the platform's numbers as the SPT
// model has it: latency over what is independent while there is little of it, bandwidth when there is much.
#include "core/random.hpp"
#include "tests/contract/workloads/small_gpu.hpp"
#include "tests/contract/workloads/verified_run.hpp"
#include "tests/sanitized.hpp"
#include "workloads/micro/operations.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::WorkloadRequest;

namespace {

using Parameters = std::map<std::string, std::int64_t>;

WorkloadRequest request_of(const std::string& variant, std::uint64_t n, const Parameters& parameters) {
    WorkloadRequest request;
    request.name = "micro";
    request.variant = variant;
    request.n = n;
    request.parameters = parameters;
    return request;
}

double cycles_of(sim::Device& device, const WorkloadRequest& request) {
    double cycles = 0;
    for (const sim::KernelResult& launch : verified_run(device, request))
        cycles += launch.metric("sm__cycles_elapsed.max"_metric);
    return cycles;
}

/// Cycles of one operation of a thread, from two runs of which one has more of them.
double cycles_of_operation(sim::Device& device, const WorkloadRequest& few, const WorkloadRequest& many) {
    const auto operations = [](const WorkloadRequest& request) {
        return static_cast<double>(workloads::micro::operations(request.variant, *request.n, request.parameters));
    };
    return (cycles_of(device, many) - cycles_of(device, few)) / (operations(many) - operations(few));
}

/// Of a loop over X operations on each of 8 words.
double cycles_of_loop(sim::Device& device, const std::string& variant, std::int64_t oversubscription,
                      std::int64_t independent) {
    const auto request = [&](std::int64_t operations_each) {
        return request_of(variant, 8, {{"M_o", oversubscription}, {"M_I", independent}, {"X", operations_each}});
    };
    return cycles_of_operation(device, request(200), request(600));
}

double cycles_of_barrier(sim::Device& device, std::int64_t oversubscription) {
    const Parameters parameters{{"M_o", oversubscription}};
    return cycles_of_operation(device, request_of("barriers", 100, parameters),
                               request_of("barriers", 500, parameters));
}

double cycles_of_chase(sim::Device& device, std::int64_t level, std::int64_t footprint) {
    const Parameters parameters{{"level", level}, {"footprint", footprint}};
    return cycles_of_operation(device, request_of("chase", 1000, parameters), request_of("chase", 3000, parameters));
}

}  // namespace

TEST_CASE("measurements are right whatever is drawn") {
    const auto device = small_functional();
    Random random(2028);
    const workloads::WorkloadInfo info = info_of("micro");
    for (int i = 0; i < test::draws(150); ++i) {
        const std::string& variant = any_of(random, info.variants).name;
        WorkloadRequest request = request_of(variant, random.below(random.below(4) == 0 ? 600 : 70), {});
        request.seed = random.next_u64();
        request.input = any_of(random, info.inputs);
        Parameters& parameters = request.parameters;
        if (variant != "chase") {
            parameters["M_o"] = whole(1 + random.below(4));
            parameters["b"] = whole(1 + random.below(300));
        }
        if (variant != "chase" && variant != "barriers")
            parameters["M_I"] = std::int64_t{1} << random.below(variant == "bandwidth" ? 3 : 4);
        if (variant.starts_with("shared-loop") || variant.starts_with("register-loop"))
            parameters["X"] = whole(random.below(30));
        if (variant == "kernel-boundaries") parameters["K"] = whole(1 + random.below(12));
        if (variant == "chase" || variant == "bandwidth") parameters["level"] = whole(random.below(4));
        if (variant == "chase") parameters["stride"] = whole(8 * (1 + random.below(50)));
        if (variant == "chase") parameters["footprint"] = parameters["stride"] * whole(1 + random.below(100));
        if (variant == "bandwidth") parameters["footprint"] = whole(16 * (1 + random.below(2500)));
        verified_run(*device, request);
    }
}

TEST_CASE("latency shows where little is independent, and is shared among what is") {
    const auto usual = small_simulated();
    const auto slow = small_simulated(R"("lsu": {"shared_load_latency_cycles": 73})");  // 23, and 50
    for (const int independent : {1, 2}) {
        CAPTURE(independent);
        const double difference = cycles_of_loop(*slow, "shared-loop", 1, independent) -
                                  cycles_of_loop(*usual, "shared-loop", 1, independent);
        CHECK(difference == Approx(50.0 / independent).epsilon(0.02));
        const double of_indexed = cycles_of_loop(*slow, "shared-loop-indexed", 1, independent) -
                                  cycles_of_loop(*usual, "shared-loop-indexed", 1, independent);
        CHECK(of_indexed == Approx(50.0 / independent).epsilon(0.02));
    }
    CHECK(cycles_of_chase(*slow, 0, 4096) - cycles_of_chase(*usual, 0, 4096) == Approx(50).epsilon(0.01));
    const auto slow_l1 = small_simulated(R"("lsu": {"l1_hit_latency_cycles": 81})");  // 31, and 50
    CHECK(cycles_of_chase(*slow_l1, 1, 16384) - cycles_of_chase(*usual, 1, 16384) == Approx(50).epsilon(0.01));
    const auto slow_barrier = small_simulated(R"("sm": {"barrier_latency_cycles": 62})");  // 12, and 50
    CHECK(cycles_of_barrier(*slow_barrier, 1) - cycles_of_barrier(*usual, 1) == Approx(50).epsilon(0.02));
}

TEST_CASE("bandwidth shows where much is independent, whichever way") {
    // A block of 128 threads is a warp for each of an SM's four sub-cores.
    const auto usual = small_simulated();
    for (const auto& [oversubscription, independent] : {std::pair{16, 2}, {8, 4}}) {
        CAPTURE(oversubscription, independent);
        // One wavefront a cycle for the SM's 4 M_o warps; one FADD, and half an IMAD, for a sub-core's M_o, less what
        // the loop itself takes. How warps of different blocks come to alternate depends on when each began, and
        // moves the first by 2 to 4 %.
        CHECK(cycles_of_loop(*usual, "shared-loop", oversubscription, independent) ==
              Approx(4 * oversubscription).epsilon(0.06));
        CHECK(cycles_of_loop(*usual, "register-loop-fp32", oversubscription, independent) ==
              Approx(oversubscription).epsilon(0.1));
        CHECK(cycles_of_loop(*usual, "register-loop", oversubscription, independent) ==
              Approx(2 * oversubscription).epsilon(0.1));
    }
    const auto slow = small_simulated(R"("pipes": {"fma": {"issue_interval_cycles": 4}})");
    CHECK(cycles_of_loop(*slow, "register-loop-fp32", 16, 2) == Approx(4 * 16).epsilon(0.06));
}

TEST_CASE("every kernel boundary costs the same") {
    const auto cycles = [](sim::Device& device, std::int64_t kernels) {
        return cycles_of(device, request_of("kernel-boundaries", 16, {{"K", kernels}}));
    };
    // Refreshes would come at other times of the kernel.
    const std::string still = R"(, "dram": {"refresh_interval_cycles": 0})";
    const auto usual = small_simulated(R"("gpu": {"launch_overhead_cycles": 1500})" + still);
    const auto slow = small_simulated(R"("gpu": {"launch_overhead_cycles": 3500})" + still);
    for (const int kernels : {1, 4, 16})
        CHECK(cycles(*slow, kernels) - cycles(*usual, kernels) == Approx(2000 * kernels).epsilon(0.01));
}
