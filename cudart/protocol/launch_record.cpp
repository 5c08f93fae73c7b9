#include "cudart/protocol/launch_record.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "cudart/protocol/profile_record.hpp"
#include "cudart/protocol/record_parts.hpp"

namespace sassafras::cudart {

namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& json) { return json_line(json) + "\n"; }

/// Stalls by reason.
Json source_json(const sim::SourceRow& row) {
    return Json::array({row.pc, instruction_json(row.instruction), row.inst_executed, row.thread_inst_executed,
                        row.shared_wavefronts, row.shared_wavefronts_ideal, row.global_sectors, row.stalls,
                        row.global_bytes, row.local_sectors, row.location});
}

sim::SourceRow source_row(const Json& json) {
    sim::SourceRow row;
    row.pc = json.at(0).get<std::uint64_t>();
    row.instruction = read_instruction(json.at(1));
    row.inst_executed = json.at(2).get<std::uint64_t>();
    row.thread_inst_executed = json.at(3).get<std::uint64_t>();
    row.shared_wavefronts = json.at(4).get<std::uint64_t>();
    row.shared_wavefronts_ideal = json.at(5).get<std::uint64_t>();
    row.global_sectors = json.at(6).get<std::uint64_t>();
    row.stalls = json.at(7).get<sim::StallCycles>();
    row.global_bytes = json.at(8).get<std::uint64_t>();
    row.local_sectors = json.at(9).get<std::uint64_t>();
    row.location = json.at(10).get<std::string>();
    return row;
}

/// null where all was timed.
Json sampling_json(const std::optional<sim::Sampling>& sampling) {
    if (!sampling) return nullptr;
    Json intervals = Json::array();
    for (const auto& [metric, low, high] : sampling->intervals) intervals.push_back({name_of(metric), low, high});
    return Json{{"timed_blocks", sampling->timed_blocks},
                {"timed_launches", sampling->timed_launches},
                {"intervals", std::move(intervals)}};
}

sim::MetricId read_metric(const Json& json) {
    const auto name = json.get<std::string>();
    const auto id = sim::find_metric(name);
    if (!id) throw DamagedRecord("there is no metric " + name);
    return *id;
}

std::optional<sim::Sampling> read_sampling(const Json& json) {
    if (json.is_null()) return std::nullopt;
    sim::Sampling sampling;
    sampling.timed_blocks = json.at("timed_blocks").get<std::uint64_t>();
    sampling.timed_launches = json.at("timed_launches").get<std::uint64_t>();
    for (const auto& interval : json.at("intervals"))
        sampling.intervals.push_back(
            {read_metric(interval.at(0)), interval.at(1).get<double>(), interval.at(2).get<double>()});
    return sampling;
}

sim::KernelResult kernel_result(const Json& json) {
    sim::KernelResult result;
    result.name = json.at("name").get<std::string>();
    result.grid = read_extents(json.at("grid"));
    result.block = read_extents(json.at("block"));
    result.registers_per_thread = json.at("registers").get<std::uint32_t>();
    result.most_registers_per_thread = json.at("most_registers").get<std::uint32_t>();
    result.static_shared = Bytes{json.at("static_shared").get<std::uint64_t>()};
    result.dynamic_shared = Bytes{json.at("dynamic_shared").get<std::uint64_t>()};
    for (const auto& metric : json.at("metrics"))
        result.metrics.put(read_metric(metric.at(0)), metric.at(1).get<double>());
    result.sampling = read_sampling(json.at("sampling"));
    result.left_out = json.at("left_out").get<bool>();
    result.stream = json.at("stream").get<std::uint64_t>();
    result.profile = read_profile(json.at("profile"));
    for (const auto& row : json.at("source")) result.source.push_back(source_row(row));
    return result;
}

sim::TracedLaunch traced_launch(const Json& json) {
    sim::TracedLaunch launch;
    launch.file = json.at("file").get<std::string>();
    launch.kernel = json.at("kernel").get<std::string>();
    launch.warp_instructions = json.at("warp_instructions").get<std::uint64_t>();
    launch.clock_reads = json.at("clock_reads").get<std::uint64_t>();
    launch.bytes = json.at("bytes").get<std::uint64_t>();
    launch.checksum = json.at("checksum").get<std::uint64_t>();
    launch.dealt_from.gpc = json.at("first_gpc").get<std::uint32_t>();
    launch.dealt_from.first_sms = json.at("first_sms").get<bool>();
    return launch;
}

Json place_json(const sim::FindingPlace& place) {
    return Json{{"action", place.action},
                {"pc", place.pc},
                {"sass", place.sass},
                {"file", place.file},
                {"line", place.line},
                {"called_at", place.called_at},
                {"thread", extents_json(place.thread)},
                {"block", extents_json(place.block)}};
}

sim::FindingPlace finding_place(const Json& json) {
    sim::FindingPlace place;
    place.action = json.at("action").get<std::string>();
    place.pc = json.at("pc").get<std::uint64_t>();
    place.sass = json.at("sass").get<std::string>();
    place.file = json.at("file").get<std::string>();
    place.line = json.at("line").get<std::uint32_t>();
    place.called_at = json.at("called_at").get<std::vector<std::string>>();
    place.thread = read_extents(json.at("thread"));
    place.block = read_extents(json.at("block"));
    return place;
}

sim::Finding finding_of(const Json& json) {
    sim::Finding finding;
    finding.tool = static_cast<sim::FindingTool>(json.at("tool").get<int>());
    finding.is_warning = json.at("is_warning").get<bool>();
    finding.kernel = json.at("kernel").get<std::string>();
    finding.what = json.at("what").get<std::string>();
    finding.details = json.at("details").get<std::vector<std::string>>();
    for (const auto& place : json.at("places")) finding.places.push_back(finding_place(place));
    finding.count = json.at("count").get<std::uint64_t>();
    return finding;
}

}  // namespace

std::string start_line(int process) { return line(Json{{"start", process}}); }

std::string launch_line(const sim::KernelResult& result, bool with_source, int process) {
    Json metrics = Json::array();
    if (!result.left_out)
        for (const auto& [metric, value] : result.metrics.all()) metrics.push_back({name_of(metric), value});
    Json source = Json::array();
    if (with_source && !result.left_out)
        for (const auto& row : result.source) source.push_back(source_json(row));
    return line(Json{{"launch",
                      {{"name", result.name},
                       {"grid", extents_json(result.grid)},
                       {"block", extents_json(result.block)},
                       {"registers", result.registers_per_thread},
                       {"most_registers", result.most_registers_per_thread},
                       {"static_shared", result.static_shared.count},
                       {"dynamic_shared", result.dynamic_shared.count},
                       {"metrics", std::move(metrics)},
                       {"sampling", sampling_json(result.sampling)},
                       {"left_out", result.left_out},
                       {"stream", result.stream},
                       {"profile", profile_json(result.profile)},
                       {"source", std::move(source)}}},
                     {"process", process}});
}

std::string failed_line(const FailedLaunch& launch) {
    return line(Json{{"failed",
                      {{"name", launch.kernel},
                       {"grid", extents_json(launch.grid)},
                       {"block", extents_json(launch.block)},
                       {"message", launch.message}}}});
}

std::string trouble_line(const Trouble& trouble) {
    return line(
        Json{{"trouble",
              {{"message", trouble.message}, {"status", trouble.exit_status}, {"cut_short", trouble.cut_short}}}});
}

std::string traced_line(const sim::TracedLaunch& launch) {
    return line(Json{{"traced",
                      {{"file", launch.file},
                       {"kernel", launch.kernel},
                       {"warp_instructions", launch.warp_instructions},
                       {"clock_reads", launch.clock_reads},
                       {"bytes", launch.bytes},
                       {"checksum", launch.checksum},
                       {"first_gpc", launch.dealt_from.gpc},
                       {"first_sms", launch.dealt_from.first_sms}}}});
}

std::string conflicts_line(const ProgramConflicts& conflicts) {
    return line(Json{{"conflicts", conflicts_json(conflicts)}});
}

std::string findings_line(int process, const std::vector<sim::Finding>& findings) {
    Json all = Json::array();
    for (const sim::Finding& finding : findings) {
        Json places = Json::array();
        for (const auto& place : finding.places) places.push_back(place_json(place));
        all.push_back(Json{{"tool", static_cast<int>(finding.tool)},
                           {"is_warning", finding.is_warning},
                           {"kernel", finding.kernel},
                           {"what", finding.what},
                           {"details", finding.details},
                           {"places", std::move(places)},
                           {"count", finding.count}});
    }
    return line(Json{{"findings", std::move(all)}, {"process", process}});
}

Result<ExecRecords> parse_records(const std::string& text, const std::string& origin) {
    ExecRecords records;
    const auto damaged = [&](const std::exception& error, std::size_t number) {
        return Error{ErrorKind::bad_input, std::string("a record of the program is damaged: ") + error.what(),
                     origin + ", line " + std::to_string(number),
                     "the program may have written over the simulator's memory; look at its own output"};
    };
    std::vector<std::vector<sim::Finding>> found;         // in the order in which programs first found something
    std::map<int, std::size_t> last_of;                   // process -> index into found
    std::map<int, std::size_t> number_of;                 // of those that are on the timeline, in their order
    std::map<int, std::vector<std::size_t>> launches_of;  // process -> indices into its records' kernels
    std::size_t processes = 0;
    const auto add_time = [&](TimelineEntry entry, int process) {
        const auto [number, is_new] = number_of.try_emplace(process, processes);
        processes += is_new ? 1 : 0;
        entry.process = number->second;
        if (entry.kind == TimelineEntry::Kind::kernel) {
            const std::vector<std::size_t>& launches = launches_of[process];
            if (entry.number >= launches.size()) throw DamagedRecord("a launch that has a time has no record");
            entry.number = launches[entry.number];
        }
        records.timeline.push_back(std::move(entry));
    };
    std::size_t begin = 0;
    for (std::size_t number = 1;; ++number) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string::npos) break;
        try {
            const Json json = own_json(std::string_view(text).substr(begin, end - begin));
            records.started = true;
            if (json.contains("launch")) {
                records.kernels.push_back(kernel_result(json["launch"]));
                launches_of[json.at("process").get<int>()].push_back(records.kernels.size() - 1);
            }
            if (json.contains("timeline"))
                for (TimelineEntry& entry : read_timeline(json))
                    add_time(std::move(entry), json.at("process").get<int>());
            if (json.contains("failed")) {
                const Json& failed = json["failed"];
                records.failed.push_back({failed.at("name").get<std::string>(), read_extents(failed.at("grid")),
                                          read_extents(failed.at("block")), failed.at("message").get<std::string>(),
                                          records.kernels.size()});
            }
            if (json.contains("conflicts")) records.conflicts.push_back(read_conflicts(json["conflicts"]));
            if (json.contains("start")) {
                last_of.erase(json["start"].get<int>());
                number_of.erase(json["start"].get<int>());
                launches_of.erase(json["start"].get<int>());
            }
            if (json.contains("findings")) {
                const auto [at, is_new] = last_of.try_emplace(json.at("process").get<int>(), found.size());
                if (is_new) found.emplace_back();
                found[at->second].clear();
                for (const auto& finding : json["findings"]) found[at->second].push_back(finding_of(finding));
            }
            if (json.contains("traced")) records.traced.push_back(traced_launch(json["traced"]));
            if (json.contains("trouble")) {
                const Json& trouble = json["trouble"];
                records.troubles.push_back({trouble.at("message").get<std::string>(), trouble.at("status").get<int>(),
                                            trouble.at("cut_short").get<bool>()});
            }
        } catch (const nlohmann::json::exception& error) {
            return damaged(error, number);
        } catch (const DamagedRecord& error) {
            return damaged(error, number);
        }
        begin = end + 1;
    }
    // They were written when they had ended.
    std::stable_sort(records.timeline.begin(), records.timeline.end(), [](const auto& a, const auto& b) {
        return std::tie(a.process, a.call) < std::tie(b.process, b.call);
    });
    for (const auto& findings : found)
        records.findings.insert(records.findings.end(), findings.begin(), findings.end());
    return records;
}

}  // namespace sassafras::cudart
