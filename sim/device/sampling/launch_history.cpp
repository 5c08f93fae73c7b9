#include "sim/device/sampling/launch_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/student.hpp"
#include "core/xxhash64.hpp"

namespace sassafras::sim {

namespace {

constexpr std::size_t least_timed = 3;
constexpr std::size_t most_without_root = 8;
/// Counts of launches that are alike differ by no more than this share.
constexpr double alike = 0.02;

/// What a launch did, without time.
std::array<double, 5> work_of(const std::vector<InstructionCounts>& counts) {
    InstructionCounts sum;
    for (const InstructionCounts& instruction : counts) sum.add(instruction);
    return {static_cast<double>(sum.inst_executed), static_cast<double>(sum.thread_inst_executed),
            static_cast<double>(sum.shared_wavefronts), static_cast<double>(sum.global_sectors),
            static_cast<double>(sum.global_lines)};
}

/// The greatest difference of a count, as a share of the greater one. A count that is nothing beside the instructions
/// decides nothing.
double distance(const std::array<double, 5>& a, const std::array<double, 5>& b) {
    double most = 0;
    const double little = 0.01 * std::max(a[0], b[0]);
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a[i] - b[i]) / std::max({a[i], b[i], little, 1.0}));
    return most;
}

}  // namespace

LaunchKind LaunchKind::of(const Launch& launch, const isa::Program& program) {
    std::vector<isa::Word128> words;
    words.reserve(program.instructions.size());
    for (const isa::Instruction& instruction : program.instructions) words.push_back(instruction.word);
    return {launch.kernel, xxhash64(std::as_bytes(std::span(words))), launch.grid, launch.block,
            launch.dynamic_shared.count};
}

std::size_t LaunchHistory::first_used(const Kind& kind) const {
    return first_is_alike_ || kind.timed.size() < 2 ? 0 : 1;
}

bool LaunchHistory::is_narrow(const Kind& kind) const {
    const std::size_t first = first_used(kind);
    const std::size_t n = kind.timed.size() - first;
    if (n < least_timed) return false;
    const auto cycles = [&](std::size_t i) {
        return static_cast<double>(kind.timed[i].cycles.count) /
               static_cast<double>(std::max<std::uint64_t>(1, kind.timed[i].warp_instructions));
    };
    double mean = 0;
    for (std::size_t i = first; i < kind.timed.size(); ++i) mean += cycles(i) / static_cast<double>(n);
    double spread = 0;
    for (std::size_t i = first; i < kind.timed.size(); ++i) spread += std::pow(cycles(i) - mean, 2);
    const double error = std::sqrt(spread / static_cast<double>(n - 1) / static_cast<double>(n));
    return student_t(n - 1) * error <= narrow_ * mean;
}

bool LaunchHistory::wants_time(const LaunchKind& kind) const {
    const auto found = kinds_.find(kind);
    if (found == kinds_.end()) return true;
    const Kind& known = found->second;
    if (known.timed.size() - first_used(known) < least_timed) return true;
    const auto most = most_without_root + static_cast<std::size_t>(std::sqrt(static_cast<double>(known.launches)));
    return known.timed.size() < most && (known.was_unlike || !is_narrow(known));
}

void LaunchHistory::add(const LaunchKind& kind, TimingResult timing) {
    Kind& known = kinds_[kind];
    timing.marks.clear();
    known.timed.push_back(std::move(timing));
    ++known.launches;
    known.was_unlike = false;
}

TimedLaunches LaunchHistory::executed(const LaunchKind& kind, const std::vector<InstructionCounts>& counts) {
    Kind& known = kinds_.at(kind);
    ++known.launches;
    const auto work = work_of(counts);
    std::vector<std::pair<double, const TimingResult*>> by_distance;
    for (std::size_t i = first_used(known); i < known.timed.size(); ++i)
        by_distance.emplace_back(distance(work, work_of(known.timed[i].instructions)), &known.timed[i]);
    std::stable_sort(by_distance.begin(), by_distance.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t like = 0;
    while (like < by_distance.size() && by_distance[like].first <= alike) ++like;
    // Of two, Student's t is 12.7. Where launches of the kind take about the same time whatever else they do, three of
    // them say it if one is like this one.
    const bool are_like = like >= least_timed || (like != 0 && is_narrow(known));
    known.was_unlike = !are_like;
    TimedLaunches found{.results = {}, .are_like = are_like, .kind = {}};
    for (const auto& [apart, result] : by_distance) found.kind.push_back(result);
    by_distance.resize(std::min(by_distance.size(), std::max(like, least_timed)));
    for (const auto& [apart, result] : by_distance) found.results.push_back(result);
    return found;
}

}  // namespace sassafras::sim
