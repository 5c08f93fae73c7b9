// What the library writes down for who started the program: as it happens, so that a program that crashes leaves it.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "cudart/runtime.hpp"

namespace sassafras::cudart {

void Runtime::append_record(const std::string& line) {
    if (settings_.records.empty() || records_lost_) return;
    // Opened each time: a program may close every descriptor that it does not know, and reuse the number.
    const int file = open(settings_.records.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    std::size_t written = 0;
    while (file >= 0 && written < line.size()) {
        const ssize_t step = write(file, line.data() + written, line.size() - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        written += static_cast<std::size_t>(step);
    }
    const int why = errno;
    if (file >= 0) close(file);
    if (written == line.size()) return;
    // What is missing must not pass for nothing: without records, a run ends here.
    records_lost_ = true;
    end_run({ErrorKind::bad_input, fmt::format("a launch cannot be recorded: {}", std::strerror(why)),
             settings_.records, "make room where TMPDIR points to"});
}

void Runtime::record_findings() {
    if (!settings_.check) return;
    std::vector<sim::Finding> all = earlier_findings_;
    if (device_) all.insert(all.end(), device_->findings().begin(), device_->findings().end());
    all.insert(all.end(), failed_calls_.findings().begin(), failed_calls_.findings().end());
    std::string line = findings_line(all);
    if (line == findings_ || all.empty()) return;
    append_record(line);
    findings_ = std::move(line);
}

void Runtime::record_traces() {
    for (const sim::TracedLaunch& launch : std::span(traced_).subspan(recorded_traces_))
        append_record(traced_line(launch));
    recorded_traces_ = traced_.size();
}

/// What happened, and once a module the code that it happened in: who reads it finds the source lines there.
void Runtime::record_conflicts(const Module& module) {
    for (sim::LaunchConflicts& launch : conflicts_) {
        if (recorded_modules_.insert(module.number).second) {
            const auto cubin = Registry::cubin(module, compute_capability());
            if (!cubin) end_run(cubin.error());
            const std::string path = settings_.module_folder + "/" + module_file(module.number);
            std::ofstream file(path, std::ios::binary);
            file.write(reinterpret_cast<const char*>(cubin->data()), static_cast<std::streamsize>(cubin->size()));
            file.close();
            if (!file)
                end_run({ErrorKind::bad_input, "the program's machine code cannot be written down", path,
                         "make room where TMPDIR points to"});
        }
        append_record(conflicts_line({module.number, std::move(launch)}));
    }
    conflicts_.clear();
}

}  // namespace sassafras::cudart
