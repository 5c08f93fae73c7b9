// Writing beyond `ulimit -f` without the signal that ends a process.
#pragma once

#include <csignal>

namespace sassafras {

/// While one lives, a write of this thread beyond the limit fails with EFBIG, and that is all: no SIGXFSZ comes of it,
/// then or later. The process may be a program of others, whose own writes end it as they would without us.
class FileLimitSignalHeld {
  public:
    FileLimitSignalHeld();
    FileLimitSignalHeld(const FileLimitSignalHeld&) = delete;
    FileLimitSignalHeld& operator=(const FileLimitSignalHeld&) = delete;
    ~FileLimitSignalHeld();

  private:
    sigset_t signal_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

}  // namespace sassafras
