// A run of this program in a process of its own: what it breaks, it breaks alone.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "study/sweep/pipe_text.hpp"
#include "study/sweep/run_record.hpp"

namespace sassafras::study::sweep {

class ChildProcess {
  public:
    /// Starts `program` with `command` and --json, in `directory` (empty: in the current one). What it computes and
    /// says comes by pipes, so that a disk that is full is no failure of the run. It dies with this process. Error
    /// check_failed if there can be no more processes.
    [[nodiscard]] static Result<ChildProcess> start(const std::string& program, const std::vector<std::string>& command,
                                                    const std::string& directory);

    [[nodiscard]] pid_t id() const { return id_; }
    /// Since it was started.
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    /// What poll() is to wait for: that it has ended, or that there is something to read().
    void add_to(std::vector<pollfd>& polled) const;
    /// It waits to write until this is called.
    void read();
    /// Its end, when wait4() has given these.
    [[nodiscard]] RunEnd end(int wait_status, std::uint64_t peak_bytes);

  private:
    ChildProcess();

    pid_t id_ = 0;
    Descriptor ended_;  ///< a pidfd
    PipeText report_;
    PipeText said_;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace sassafras::study::sweep
