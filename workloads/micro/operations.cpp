#include "workloads/micro/operations.hpp"

#include "core/result.hpp"

namespace sassafras::workloads::micro {

std::uint64_t operations(std::string_view variant, std::uint64_t n,
                         const std::map<std::string, std::int64_t>& parameters) {
    const auto value = [&](const char* name) { return static_cast<std::uint64_t>(parameters.at(name)); };
    if (variant == "global-copy" || variant == "kernel-boundaries") return 2 * n;
    if (variant == "shared-loop" || variant == "shared-loop-indexed") return n * value("X");
    if (variant == "register-loop" || variant == "register-loop-fp32") return n * value("M_I") * value("X");
    require_invariant(variant == "barriers" || variant == "chase" || variant == "bandwidth",
                      "a measurement that was never offered");
    return n;
}

std::uint64_t kernels(std::string_view variant, const std::map<std::string, std::int64_t>& parameters) {
    return variant == "kernel-boundaries" ? static_cast<std::uint64_t>(parameters.at("K")) : 1;
}

}  // namespace sassafras::workloads::micro
