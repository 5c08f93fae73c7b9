#include "study/sweep/run_times.hpp"

#include <fstream>

#include <fmt/format.h>

#include "study/sweep/process_name.hpp"

namespace sassafras::study::sweep {

namespace {

constexpr const char* folder_name = "times";

}  // namespace

RunTimes::RunTimes(const std::filesystem::path& store) {
    std::error_code ignored;
    std::filesystem::create_directories(store / folder_name, ignored);
    file_ = store / folder_name / (process_name() + ".txt");
}

void RunTimes::add(const RunTime& time) const {
    std::ofstream(file_, std::ios::app) << fmt::format("{} {:.6f} {}\n", time.key, time.seconds, time.peak_bytes);
}

std::unordered_map<std::string, RunTime> RunTimes::read(const std::filesystem::path& store) {
    std::unordered_map<std::string, RunTime> times;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(store / folder_name, ignored)) {
        std::ifstream file(entry.path());
        for (RunTime time; file >> time.key >> time.seconds >> time.peak_bytes;) times[time.key] = time;
    }
    return times;
}

}  // namespace sassafras::study::sweep
