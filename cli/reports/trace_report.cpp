#include "cli/reports/trace_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/reports/kernel_name.hpp"
#include "cli/reports/result_text.hpp"
#include "core/json_text.hpp"
#include "core/number_text.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"

namespace sassafras::cli {

namespace {

using Json = nlohmann::ordered_json;

double per_instruction(std::uint64_t bytes, std::uint64_t instructions) {
    return instructions == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(instructions);
}

Result<TraceDetails> inspect_file(const std::string& path, const sim::TracedLaunch& launch) {
    auto reader = sim::TraceFileReader::open(path);
    if (!reader) return reader.error();
    if (reader->checksum() != launch.checksum)
        return Error{ErrorKind::bad_input, "this is not the trace that the folder's index names", path,
                     "the file was exchanged; capture it again"};
    TraceDetails details{reader->header().shape.grid, reader->header().shape.block,
                         reader->program().instructions.size(), reader->index().accesses,
                         reader->index().frames.size()};
    for (std::size_t frame = 0; frame < details.frames; ++frame)
        if (auto content = reader->frame(frame); !content) return content.error();
    return details;
}

/// The end of a program, by what describe_program says of it; what cannot be read is left out.
std::string end_of_program(const Json& workload) {
    const auto number = [&](const char* key) -> std::optional<std::int64_t> {
        const auto found = workload.find(key);
        if (found == workload.end() || !found->is_number_integer()) return std::nullopt;
        return found->get<std::int64_t>();
    };
    if (const auto status = number("exit_status")) return fmt::format("the program ended with status {}", *status);
    if (const auto signal = number("signal")) return fmt::format("the program was ended by signal {}", *signal);
    return "of a program";
}

std::string origin_text(const sim::TraceFolder& folder) {
    if (folder.is_imported()) return "made from a trace of Accel-Sim";
    if (folder.workload.is_object() && folder.workload.contains("program")) return end_of_program(folder.workload);
    return folder.verified.value_or(false) ? "captured with a right result" : "captured with a WRONG result";
}

}  // namespace

Result<TraceSummary> inspect(sim::TraceFolder folder) {
    TraceSummary summary;
    for (const sim::TracedLaunch& launch : folder.launches) {
        auto details = inspect_file(folder.path_of(launch), launch);
        if (!details) return details.error();
        summary.details.push_back(*details);
    }
    summary.folder = std::move(folder);
    return summary;
}

std::string to_json(const TraceSummary& summary) {
    Json launches = Json::array();
    std::uint64_t instructions = 0;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < summary.folder.launches.size(); ++i) {
        const sim::TracedLaunch& launch = summary.folder.launches[i];
        Json json{{"file", launch.file}};
        json.update(named_kernel("kernel", launch.kernel));
        json["warp_instructions"] = launch.warp_instructions;
        json["clock_reads"] = launch.clock_reads;
        json["bytes"] = launch.bytes;
        json["bytes_per_warp_instruction"] = per_instruction(launch.bytes, launch.warp_instructions);
        if (i < summary.details.size()) {
            const TraceDetails& details = summary.details[i];
            json["grid"] = {details.grid.x, details.grid.y, details.grid.z};
            json["block"] = {details.block.x, details.block.y, details.block.z};
            json["instructions"] = details.instructions;
            json["accesses"] = details.accesses;
            json["frames"] = details.frames;
        }
        launches.push_back(std::move(json));
        instructions += launch.warp_instructions;
        bytes += launch.bytes;
    }
    Json json{{"folder", summary.folder.path},
              {"workload", summary.folder.workload},
              {"verified", summary.folder.verified ? Json(*summary.folder.verified) : Json(nullptr)},
              {"cannot_tell", summary.folder.cannot_tell},
              {"launches", std::move(launches)},
              {"total",
               {{"warp_instructions", instructions},
                {"bytes", bytes},
                {"bytes_per_warp_instruction", per_instruction(bytes, instructions)}}}};
    return result_text("trace", std::move(json));
}

std::string to_table(const TraceSummary& summary) {
    const sim::TraceFolder& folder = summary.folder;
    std::string text = fmt::format("{}: {}\n{}\n", folder.path, json_line(folder.workload), origin_text(folder));
    std::size_t width = 6;
    for (const sim::TracedLaunch& launch : folder.launches) width = std::max(width, kernel_name(launch.kernel).size());
    text += fmt::format("\n{:<{}}  {:>17}  {:>12}  {:>16}  {:>12}\n", "kernel", width, "warp-instructions", "bytes",
                        "bytes/warp-inst", "clock reads");
    std::uint64_t instructions = 0;
    std::uint64_t bytes = 0;
    const auto row = [&](const std::string& name, std::uint64_t executed, std::uint64_t size, std::uint64_t clocks) {
        text += fmt::format("{:<{}}  {:>17}  {:>12}  {:>16.3f}  {:>12}\n", name, width, grouped(executed),
                            grouped(size), per_instruction(size, executed), grouped(clocks));
    };
    std::uint64_t clock_reads = 0;
    for (const sim::TracedLaunch& launch : folder.launches) {
        row(kernel_name(launch.kernel), launch.warp_instructions, launch.bytes, launch.clock_reads);
        instructions += launch.warp_instructions;
        bytes += launch.bytes;
        clock_reads += launch.clock_reads;
    }
    row("total", instructions, bytes, clock_reads);
    if (folder.is_imported()) {
        text += "\nWhat such a trace cannot tell:\n";
        for (const std::string& sentence : folder.cannot_tell) text += "  " + sentence + "\n";
    }
    if (!summary.details.empty()) text += "every byte is as it was written\n";
    return text;
}

}  // namespace sassafras::cli
