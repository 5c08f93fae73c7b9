// What the library writes down for who started the program: as it happens, so that a program that crashes leaves it.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "core/file_writer.hpp"
#include "core/staged_file.hpp"
#include "cudart/runtime.hpp"

namespace sassafras::cudart {

namespace {

/// Takes whole lines from the end of a file until they, and what is behind the last whole line, made up this many
/// bytes.
bool make_room(const std::string& path, std::size_t bytes) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::size_t end = text.size() > bytes ? text.rfind('\n', text.size() - bytes - 1) : std::string::npos;
    end = end == std::string::npos ? 0 : end + 1;
    return truncate(path.c_str(), static_cast<off_t>(end)) == 0;
}

}  // namespace

void Runtime::append_record(const std::string& line) {
    if (settings_.records.empty() || records_lost_) return;
    // Opened each time: a program may close every descriptor that it does not know, and reuse the number.
    const auto append = [&](const std::string& text) {
        FileWriter file = open_for_writing(settings_.records, O_APPEND);
        (void)file.write(text);
        (void)file.close();
        return file.error_number();
    };
    const int why = append(line);
    if (why == 0) return;
    // What is missing must not pass for nothing: without records, a run ends here, and the last of them give way to
    // the one that says so.
    records_lost_ = true;
    const Error error =
        cannot_write("the record of a launch", settings_.records, why,
                     why == EFBIG ? "launch fewer kernels in one run" : "let TMPDIR name another folder");
    const std::string last = trouble_line({error.message(), error.exit_status(), true});
    if (make_room(settings_.records, last.size())) (void)append(last);
    end_run(error);
}

void Runtime::record_findings() {
    if (!settings_.check) return;
    std::vector<sim::Finding> all = earlier_findings_;
    if (device_) all.insert(all.end(), device_->findings().begin(), device_->findings().end());
    all.insert(all.end(), failed_calls_.findings().begin(), failed_calls_.findings().end());
    std::string line = findings_line(getpid(), all);
    if (line == findings_ || all.empty()) return;
    append_record(line);
    findings_ = std::move(line);
}

void Runtime::forget_findings() {
    earlier_findings_.clear();
    failed_calls_ = {};
    findings_.clear();
}

void Runtime::record_traces() {
    for (const sim::TracedLaunch& launch : std::span(traced_).subspan(recorded_traces_))
        append_record(traced_line(launch));
    recorded_traces_ = traced_.size();
}

/// What happened, and once a module the code that it happened in: who reads it finds the source lines there.
void Runtime::record_conflicts(const Module& module) {
    for (sim::LaunchConflicts& launch : conflicts_) {
        const auto [recorded, is_new] = recorded_modules_.try_emplace(module.number, module.number);
        if (is_new) {
            // Processes of the program share the folder, and one may become another program.
            recorded->second += static_cast<std::uint64_t>(getpid()) << 32U;
            while (std::filesystem::exists(settings_.module_folder + "/" + module_file(recorded->second)))
                recorded->second += std::uint64_t{1} << 20U;
            const auto cubin = Registry::cubin(module, compute_capability());
            if (!cubin) end_run(cubin.error());
            const std::string path = settings_.module_folder + "/" + module_file(recorded->second);
            const std::string_view code(reinterpret_cast<const char*>(cubin->data()), cubin->size());
            if (auto written = write_output_file({path, "the program's machine code", "TMPDIR"}, code); !written)
                end_run(written.error());
        }
        append_record(conflicts_line({recorded->second, std::move(launch)}));
    }
    conflicts_.clear();
}

}  // namespace sassafras::cudart
