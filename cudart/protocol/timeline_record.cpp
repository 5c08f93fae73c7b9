#include "cudart/protocol/timeline_record.hpp"

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "cudart/protocol/record_parts.hpp"

namespace sassafras::cudart {

nlohmann::ordered_json timeline_json(const TimelineEntry& entry) {
    return nlohmann::ordered_json::array(
        {static_cast<int>(entry.kind), entry.begin, entry.end, entry.thread, entry.track, entry.name, entry.number});
}

TimelineEntry read_timeline(const nlohmann::ordered_json& json) {
    const auto kind = json.at(0).get<int>();
    if (kind < 0 || kind > static_cast<int>(TimelineEntry::Kind::mark))
        throw DamagedRecord("nothing of this kind happens in time");
    TimelineEntry entry;
    entry.kind = static_cast<TimelineEntry::Kind>(kind);
    entry.begin = json.at(1).get<double>();
    entry.end = json.at(2).get<double>();
    if (!(entry.begin <= entry.end)) throw DamagedRecord("it ends before it begins");
    entry.thread = json.at(3).get<std::uint64_t>();
    entry.track = json.at(4).get<std::string>();
    entry.name = json.at(5).get<std::string>();
    entry.number = json.at(6).get<std::uint64_t>();
    return entry;
}

std::string timeline_line(int process, const std::vector<TimelineEntry>& entries) {
    auto all = nlohmann::ordered_json::array();
    for (const TimelineEntry& entry : entries) all.push_back(timeline_json(entry));
    return json_line({{"timeline", std::move(all)}, {"process", process}}) + "\n";
}

}  // namespace sassafras::cudart
