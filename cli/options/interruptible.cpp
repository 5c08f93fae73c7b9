#include "cli/options/interruptible.hpp"

#include <csignal>

#include <fmt/format.h>

#include "core/interrupted.hpp"

namespace sassafras::cli {

namespace {

/// A handler of signals is given nothing else that it could tell anybody.
volatile std::sig_atomic_t interrupts = 0;

void note_interrupt(int /*signal*/) {
    interrupts = 1;
    (void)std::signal(SIGINT, SIG_DFL);  // who asks again does not want to wait
}

}  // namespace

Interruptible::Interruptible(MeasureOptions& options)
    : options_(options), former_(options.console), console_(*options.console), is_ours_(!options.console->poll) {
    if (!is_ours_) return;
    handler_ = std::signal(SIGINT, note_interrupt);
    if (handler_ == SIG_IGN) (void)std::signal(SIGINT, SIG_IGN);  // as of what a shell runs in the background
    interrupts = 0;
    console_.poll = [] {
        if (interrupts != 0) throw Interrupted();
    };
    options_.console = &console_;
}

Interruptible::~Interruptible() {
    if (!is_ours_) return;
    (void)std::signal(SIGINT, handler_);
    options_.console = former_;
}

Result<int> end_interrupted(const sim::Device& device, Report& report, const MeasureOptions& options) {
    take_results(device, report, options);
    const std::size_t ended = report.kernels.size();
    options.console->note(
        ended == 0 ? std::string("sassafras: error: interrupted before a launch had ended\n")
                   : fmt::format("sassafras: error: interrupted; the report is of the {} launch{} that had ended\n",
                                 ended, ended == 1 ? "" : "es"));
    if (ended == 0) return status_interrupted;
    report.stopped_early = true;
    report.workload["interrupted"] = true;
    set_aside_full_set(report, options);
    if (auto delivered = deliver(report, options); !delivered) return delivered.error();
    if (auto written = deliver_latex(report, options); !written) return written.error();
    return status_interrupted;
}

}  // namespace sassafras::cli
