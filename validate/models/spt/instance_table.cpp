// Table 4.2 of B. Karsin, "A performance model for GPU architectures" (University of Hawaii at Manoa, 2018).
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr double kibi = 1024;

constexpr const char* source =
    "Karsin 2018: Table 4.2 (P, M, R, L, B, L_sync), Table 4.1 (clock rate); resident threads of an SM (2048) and its "
    "cores (128 or 192) from the CUDA C programming guide. M of the Kepler machines is 64 KiB an SM, of which a "
    "kernel can have 48 KiB.";

/// The four operations of chapter 4, in its order.
std::vector<Operation> gpu_operations(double global_latency, double shared_latency, double register_latency,
                                      double barrier_latency, double global_bandwidth, double shared_bandwidth,
                                      double barrier_bandwidth) {
    constexpr double register_bandwidth = 1;  // "We use the estimate B_r = 1 for all modeling" (4.4.1)
    return {{"g", "global memory access", global_latency, global_bandwidth, true, {}, {}},
            {"s", "shared memory access", shared_latency, shared_bandwidth, true, {}, {}},
            {"r", "register operation", register_latency, register_bandwidth, true, {}, {}},
            {"y", "barrier of a block", barrier_latency, barrier_bandwidth, false, {}, {}}};
}

Instance algoparc() {
    return {"algoparc",
            "Quadro M4000 (Maxwell GM204)",
            source,
            1664,
            32,
            312 * kibi,
            832 * kibi,
            16,
            13,
            780,
            7800,
            {},
            gpu_operations(269.5, 85.84, 6, 234, 0.0301, 0.233, 0.0493)};
}

Instance gibson() {
    return {"gibson",
            "GeForce GTX 770 (Kepler GK104)",
            source,
            1536,
            32,
            128 * kibi,
            512 * kibi,
            2048.0 / 192,
            8,
            1046,
            10850,
            {},
            gpu_operations(267.6, 123.1, 10, 304, 0.0279, 0.130, 0.0364)};
}

Instance uhhpc() {
    return {"uhhpc",
            "Tesla K40m (Kepler GK110B)",
            source,
            2880,
            32,
            240 * kibi,
            960 * kibi,
            2048.0 / 192,
            15,
            745,
            8640,
            {},
            gpu_operations(291.2, 111.9, 10, 289, 0.0275, 0.131, 0.0394)};
}

}  // namespace

const std::vector<Instance>& built_in_instances() {
    static const std::vector<Instance> instances{algoparc(), gibson(), uhhpc()};
    return instances;
}

}  // namespace sassafras::validate::spt
