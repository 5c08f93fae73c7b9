#include "cudart/protocol/launch_record.hpp"

#include <nlohmann/json.hpp>

namespace sassafras::cudart {

namespace {

using Json = nlohmann::ordered_json;

Json triple(const Dim3& extents) { return Json::array({extents.x, extents.y, extents.z}); }
Dim3 triple(const Json& json) {
    return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json source_json(const sim::SourceRow& row) {
    Json stalls = Json::array();
    for (const auto& [reason, cycles] : row.stalls) stalls.push_back({reason, cycles});
    return Json::array({row.pc, row.sass, row.inst_executed, row.thread_inst_executed, row.shared_wavefronts,
                        row.shared_wavefronts_ideal, row.global_sectors, std::move(stalls)});
}

sim::SourceRow source_row(const Json& json) {
    sim::SourceRow row;
    row.pc = json.at(0).get<std::uint64_t>();
    row.sass = json.at(1).get<std::string>();
    row.inst_executed = json.at(2).get<std::uint64_t>();
    row.thread_inst_executed = json.at(3).get<std::uint64_t>();
    row.shared_wavefronts = json.at(4).get<std::uint64_t>();
    row.shared_wavefronts_ideal = json.at(5).get<std::uint64_t>();
    row.global_sectors = json.at(6).get<std::uint64_t>();
    for (const auto& stall : json.at(7))
        row.stalls.emplace_back(stall.at(0).get<std::string>(), stall.at(1).get<std::uint64_t>());
    return row;
}

sim::KernelResult kernel_result(const Json& json) {
    sim::KernelResult result;
    result.name = json.at("name").get<std::string>();
    result.grid = triple(json.at("grid"));
    result.block = triple(json.at("block"));
    result.registers_per_thread = json.at("registers").get<std::uint32_t>();
    result.static_shared = Bytes{json.at("static_shared").get<std::uint64_t>()};
    result.dynamic_shared = Bytes{json.at("dynamic_shared").get<std::uint64_t>()};
    for (const auto& metric : json.at("metrics"))
        result.metrics.emplace_back(metric.at(0).get<std::string>(), metric.at(1).get<double>());
    for (const auto& row : json.at("source")) result.source.push_back(source_row(row));
    return result;
}

}  // namespace

std::string start_line() { return line(Json{{"start", true}}); }

std::string launch_line(const sim::KernelResult& result, bool with_source) {
    Json metrics = Json::array();
    for (const auto& [name, value] : result.metrics) metrics.push_back({name, value});
    Json source = Json::array();
    if (with_source)
        for (const auto& row : result.source) source.push_back(source_json(row));
    return line(Json{{"launch",
                      {{"name", result.name},
                       {"grid", triple(result.grid)},
                       {"block", triple(result.block)},
                       {"registers", result.registers_per_thread},
                       {"static_shared", result.static_shared.count},
                       {"dynamic_shared", result.dynamic_shared.count},
                       {"metrics", std::move(metrics)},
                       {"source", std::move(source)}}}});
}

std::string trouble_line(const Trouble& trouble) {
    return line(Json{{"trouble", {{"message", trouble.message}, {"status", trouble.exit_status}}}});
}

Result<ExecRecords> parse_records(const std::string& text, const std::string& origin) {
    ExecRecords records;
    std::size_t begin = 0;
    for (std::size_t number = 1;; ++number) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string::npos) return records;
        try {
            const auto json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                          text.begin() + static_cast<std::ptrdiff_t>(end));
            records.started = true;
            if (json.contains("launch")) records.kernels.push_back(kernel_result(json["launch"]));
            if (json.contains("trouble"))
                records.troubles.push_back(
                    {json["trouble"].at("message").get<std::string>(), json["trouble"].at("status").get<int>()});
        } catch (const nlohmann::json::exception& error) {
            return Error{ErrorKind::bad_input, std::string("a record of the program is damaged: ") + error.what(),
                         origin + ", line " + std::to_string(number),
                         "the program may have written over the simulator's memory; look at its own output"};
        }
        begin = end + 1;
    }
}

}  // namespace sassafras::cudart
