// Ctrl-C at a command whose result is worth having unfinished.
#pragma once

#include "cli/options/console.hpp"
#include "cli/options/options.hpp"

namespace sassafras::cli {

inline constexpr int status_interrupted = 130;  ///< as a shell has it of SIGINT

/// While it lives, the first SIGINT makes what is computed throw Interrupted, by the console that the options have
/// meanwhile; the second ends the process, as usual. Where the console polls already nothing changes: an interruption
/// is another's to handle.
class Interruptible {
  public:
    explicit Interruptible(MeasureOptions& options);
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
    ~Interruptible();

    /// Whether Interrupted is for this command to catch.
    [[nodiscard]] bool is_ours() const { return is_ours_; }

  private:
    MeasureOptions& options_;
    const Console* former_;
    Console console_;
    bool is_ours_;
    void (*handler_)(int) = nullptr;
};

/// After Interrupted: delivers the report of the launches that have ended, which are `device`'s, and says that it is no
/// more. Gives status_interrupted.
[[nodiscard]] Result<int> end_interrupted(const sim::Device& device, Report& report, const MeasureOptions& options);

}  // namespace sassafras::cli
