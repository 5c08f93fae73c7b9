// Ends what the runs of a study have started, should the study itself be killed: the system ends only its children.
#pragma once

#include <sys/types.h>

#include "study/sweep/pipe_text.hpp"

namespace sassafras::study::sweep {

/// A process that waits for this one to end, and then kills the groups that it was told of and not to forget. Where
/// there can be none, nothing is guarded.
class RunGuard {
  public:
    RunGuard();
    RunGuard(const RunGuard&) = delete;
    RunGuard& operator=(const RunGuard&) = delete;
    ~RunGuard();

    void watch(pid_t group) const { tell(group); }
    /// It has ended: its number may be another's.
    void forget(pid_t group) const { tell(-group); }

  private:
    void tell(pid_t number) const;

    Descriptor told_;  ///< its end is that of this process
    pid_t guard_ = 0;
};

}  // namespace sassafras::study::sweep
