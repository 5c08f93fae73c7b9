// Who runs a command: a person at a terminal, or a program that wants results and errors as values.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.hpp"
#include "sim/device/model_options.hpp"

namespace sassafras::cli {

struct Console {
    /// Takes the result as text. Error bad_input if it cannot be written.
    std::function<Result<void>(std::string_view)> print;
    /// Takes what is said beside the result, and what kernels print if `take_json` is there.
    std::function<void(std::string_view)> note;
    /// Takes the result as JSON; then no text is made of it. Empty: the option --json says where it goes, if anywhere.
    std::function<void(std::string)> take_json;
    /// Called often by whatever takes long, on any thread. It may throw Interrupted. Empty: nothing interrupts but
    /// signals, which are a process's to handle.
    std::function<void()> poll;
    /// Progress is shown on standard error, if that is a terminal.
    bool shows_progress = false;
    /// How text for people is laid out where it is printed: its width, its colours. Empty: as it is.
    std::function<std::string(std::string)> lay_out = {};

    [[nodiscard]] std::string laid_out(std::string text) const { return lay_out ? lay_out(std::move(text)) : text; }
    void poll_if_asked() const {
        if (poll) poll();
    }
    /// As sim::ModelOptions has it: shows progress, or polls.
    [[nodiscard]] std::function<void(const sim::LaunchProgress&)> progress() const;
};

/// Standard output and standard error.
[[nodiscard]] const Console& process_console();

}  // namespace sassafras::cli
