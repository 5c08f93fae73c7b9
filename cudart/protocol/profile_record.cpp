#include "cudart/protocol/profile_record.hpp"

#include <nlohmann/json.hpp>

namespace sassafras::cudart {

nlohmann::ordered_json profile_json(const sim::LaunchProfile& profile) {
    if (profile.empty()) return nullptr;
    auto intervals = nlohmann::ordered_json::array();
    for (const sim::IntervalCounts& counts : profile.intervals)
        intervals.push_back({counts.begin, counts.end, counts.instructions, counts.cycles_active, counts.warps_active,
                             counts.l2_sectors, counts.dram_bytes_read, counts.dram_bytes_write, counts.stalls});
    auto blocks = nlohmann::ordered_json::array();
    for (const sim::BlockTime& block : profile.blocks)
        blocks.push_back({block.block, block.sm, block.start, block.end});
    return {{"interval", profile.interval},
            {"intervals", std::move(intervals)},
            {"blocks", std::move(blocks)},
            {"blocks_left_out", profile.blocks_left_out}};
}

sim::LaunchProfile read_profile(const nlohmann::ordered_json& json) {
    sim::LaunchProfile profile;
    if (json.is_null()) return profile;
    profile.interval = json.at("interval").get<std::uint64_t>();
    for (const auto& row : json.at("intervals")) {
        const auto count = [&](std::size_t place) { return row.at(place).get<std::uint64_t>(); };
        profile.intervals.push_back({count(0), count(1), count(2), count(3), count(4), count(5), count(6), count(7),
                                     row.at(8).get<sim::StallCycles>()});
    }
    for (const auto& row : json.at("blocks"))
        profile.blocks.push_back({row.at(0).get<std::uint64_t>(), row.at(1).get<std::uint32_t>(),
                                  row.at(2).get<std::uint64_t>(), row.at(3).get<std::uint64_t>()});
    profile.blocks_left_out = json.at("blocks_left_out").get<std::uint64_t>();
    return profile;
}

}  // namespace sassafras::cudart
