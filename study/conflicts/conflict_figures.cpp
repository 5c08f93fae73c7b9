#include "study/conflicts/conflict_figures.hpp"

#include <algorithm>

namespace sassafras::study {
namespace {

sim::WavefrontChances chances_of_both(const sim::WavefrontChances& some, const sim::WavefrontChances& more) {
    sim::WavefrontChances both{};
    for (std::size_t a = 0; a < some.size(); ++a)
        for (std::size_t b = 0; a + b < both.size(); ++b) both[a + b] += some[a] * more[b];
    return both;
}

}  // namespace

ConflictFigures& ConflictFigures::operator+=(const ConflictFigures& other) {
    requests += other.requests;
    lanes += other.lanes;
    wavefronts += other.wavefronts;
    wavefronts_ideal += other.wavefronts_ideal;
    for (std::size_t i = 0; i < degree.size(); ++i) {
        degree[i] += other.degree[i];
        random_degree[i] += other.random_degree[i];
        bound_degree[i] += other.bound_degree[i];
    }
    random_bank_words += other.random_bank_words;
    random += other.random;
    random_words += other.random_words;
    bound += other.bound;
    return *this;
}

const ConflictExpectations::Expected& ConflictExpectations::of(const Service& service, sim::GroupShape shape) {
    const auto [found, is_new] = expected_.try_emplace({service, shape});
    if (is_new) found->second = compute(service, shape);
    return found->second;
}

/// The groups are served one after the other, each for itself: sums of wavefronts, products of chances.
ConflictExpectations::Expected ConflictExpectations::compute(const Service& service, sim::GroupShape shape) {
    const auto& random = table(service.slots, 0);
    const auto& random_words = table(service.slots, service.rows);
    Expected expected;
    expected.chances[0] = 1;
    for (std::uint32_t lanes = 1; lanes <= static_cast<std::uint32_t>(service.lanes_a_group); ++lanes) {
        const std::uint32_t groups = shape.groups_of(lanes, service.lanes_a_group);
        if (groups == 0) continue;
        expected.random += groups * random[lanes];
        expected.random_words += groups * random_words[lanes];
        expected.bound += groups * (service.rows == 0 ? lanes : std::min<std::uint64_t>(lanes, service.rows));
        const sim::WavefrontChances of_group = sim::wavefront_chances(lanes, service.slots);
        for (std::uint32_t group = 0; group < groups; ++group)
            expected.chances = chances_of_both(expected.chances, of_group);
    }
    return expected;
}

const sim::ExpectedByLanes& ConflictExpectations::table(std::uint32_t slots, std::uint64_t words) {
    const auto [found, is_new] = tables_.try_emplace({slots, words});
    if (is_new) found->second = sim::expected_by_lanes(slots, words);
    return found->second;
}

ConflictFigures ConflictExpectations::figures_of(const sim::ConflictCounts& counts,
                                                 const sim::InstructionConflicts& instruction,
                                                 const sim::LaunchConflicts& launch) {
    ConflictFigures figures;
    figures.requests = counts.requests;
    figures.lanes = counts.lanes;
    figures.wavefronts = counts.wavefronts;
    figures.wavefronts_ideal = counts.wavefronts_ideal;
    figures.degree = counts.degree;
    const sim::SharedGroups groups = sim::shared_groups(instruction.width, launch.geometry);
    const std::uint64_t row_bytes = std::uint64_t{launch.geometry.banks} * launch.geometry.bank_bytes;
    const std::uint64_t rows = std::max<std::uint64_t>(1, (launch.shared.count + row_bytes - 1) / row_bytes);
    const bool shares = instruction.kind != sim::SharedAccessKind::atomic;
    const Service service{groups.lanes, groups.slots, shares ? rows : 0};
    for (const auto& [shape, requests] : counts.shapes.entries()) {
        const Expected& expected = of(service, shape);
        const auto many = static_cast<double>(requests);
        figures.random += many * expected.random;
        figures.random_words += many * expected.random_words;
        figures.bound += requests * expected.bound;
        figures.bound_degree[expected.bound] += many;
        for (std::size_t k = 0; k < expected.chances.size(); ++k)
            figures.random_degree[k] += many * expected.chances[k];
    }
    const std::uint32_t words_a_lane = std::max<std::uint32_t>(1, instruction.width / launch.geometry.bank_bytes);
    figures.random_bank_words = static_cast<double>(counts.lanes * words_a_lane) / launch.geometry.banks;
    return figures;
}

}  // namespace sassafras::study
