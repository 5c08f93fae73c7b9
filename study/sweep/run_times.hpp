// How long runs took, beside their results and not in them: for saying how long others will.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>

namespace sassafras::study::sweep {

struct RunTime {
    std::string key;
    double seconds = 0;
    std::uint64_t peak_bytes = 0;
};

class RunTimes {
  public:
    /// A file of this process's own in the store's folder: no two write one.
    explicit RunTimes(const std::filesystem::path& store);
    /// Where it cannot be written nothing happens: no result depends on it.
    void add(const RunTime& time) const;
    /// Of all processes that had the store, the last of each run.
    [[nodiscard]] static std::unordered_map<std::string, RunTime> read(const std::filesystem::path& store);

  private:
    std::filesystem::path file_;
};

}  // namespace sassafras::study::sweep
