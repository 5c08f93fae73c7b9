// What is being computed for Python, so that the interpreter's end finds it and ends it.
#pragma once

#include <atomic>

#include <sys/types.h>

namespace sassafras::python {

/// Known from when it is made until has_ended().
class RunningWork {
  public:
    RunningWork();
    RunningWork(const RunningWork&) = delete;
    RunningWork& operator=(const RunningWork&) = delete;
    ~RunningWork() { has_ended(); }

    void end() { wanted_to_end_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool is_wanted_to_end() const { return wanted_to_end_.load(std::memory_order_relaxed); }
    /// It touches nothing more that exit() would take away.
    void has_ended();

  private:
    friend void end_running_work();
    std::atomic<bool> wanted_to_end_{false};
    pid_t process_;  ///< a child that was forked has none of its parent's threads
};

/// To be called at the interpreter's end, without its lock, by the thread that ends it: ends all work and waits for it.
void end_running_work();
/// The interpreter ends, and another thread than this ends it: nobody shall begin anything any more.
[[nodiscard]] bool is_ended_by_another_thread();

}  // namespace sassafras::python
