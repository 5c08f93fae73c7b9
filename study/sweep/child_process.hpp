// A run of this program in a process of its own: what it breaks, it breaks alone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "study/sweep/run_record.hpp"

namespace sassafras::study::sweep {

class ChildProcess {
  public:
    /// Starts `program` with `command` and --json; its files are `folder`/`name`.*. It dies with this process. Error
    /// check_failed if there can be no more processes.
    [[nodiscard]] static Result<ChildProcess> start(const std::string& program, const std::vector<std::string>& command,
                                                    const std::filesystem::path& folder, const std::string& name);

    [[nodiscard]] pid_t id() const { return id_; }
    /// For poll(): can be read when it has ended.
    [[nodiscard]] int descriptor() const { return descriptor_.number; }
    /// Its end, when wait4() has given these; its files go.
    [[nodiscard]] RunEnd end(int wait_status, std::uint64_t peak_bytes) const;

  private:
    struct Descriptor {
        int number = -1;

        explicit Descriptor(int opened = -1) : number(opened) {}
        Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
        Descriptor& operator=(Descriptor&& other) noexcept {
            std::swap(number, other.number);
            return *this;
        }
        ~Descriptor();
    };

    pid_t id_ = 0;
    Descriptor descriptor_;  ///< a pidfd
    std::filesystem::path report_;
    std::filesystem::path said_;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace sassafras::study::sweep
