#include "cudart/dealt_launches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sassafras::cudart {

sim::DealtFrom DealtLaunches::deal(const KernelLoad& places, std::span<const std::uint64_t> beside) {
    const auto sms = static_cast<std::size_t>(std::max(1.0, places.sms));
    std::vector<double> taken(sms);
    for (const std::uint64_t command : beside) {
        const auto found = dealt_.find(command);
        if (found == dealt_.end()) continue;  // a copy within the device, or a set
        for (const Run& run : found->second)
            for (std::size_t sm = run.first; sm < run.first + run.count; ++sm) taken[sm] += run.warps;
    }
    std::vector<std::size_t> order(sms);
    std::iota(order.begin(), order.end(), std::size_t{0});
    constexpr double slack = 1e-9;  // sums of shares may be off by their last digits
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::round(taken[a] / slack) < std::round(taken[b] / slack);
    });
    const double warps = places.block_takes[static_cast<std::size_t>(SmPlace::warps)];
    const double rounds = std::floor(places.resident / places.sms);
    const auto rest = static_cast<std::size_t>(places.resident - rounds * places.sms);
    std::vector<double> given(sms, rounds * warps);
    for (std::size_t i = 0; i < rest; ++i) given[order[i]] += warps;
    last_.clear();
    for (std::size_t sm = 0; sm < sms; ++sm) {
        if (given[sm] <= 0) continue;
        if (!last_.empty() && last_.back().first + last_.back().count == sm && last_.back().warps == given[sm])
            ++last_.back().count;
        else
            last_.push_back({sm, 1, given[sm]});
    }
    const bool first = order.front() < std::max(1U, first_sms_);
    if (!first) gpc_ = (gpc_ + 1) % gpcs_;
    return {gpc_, first};
}

void DealtLaunches::put(std::uint64_t command, std::uint64_t oldest) {
    dealt_.erase(dealt_.begin(), dealt_.lower_bound(oldest));
    dealt_.emplace(command, std::move(last_));
    last_.clear();
}

}  // namespace sassafras::cudart
