#include "cli/options/console.hpp"

#include <cerrno>
#include <cstdio>

#include "core/staged_file.hpp"
#include "cudart/protocol/progress.hpp"

namespace sassafras::cli {

namespace {

Result<void> print_to_process(std::string_view text) {
    const bool printed = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (printed && std::fflush(stdout) == 0) return {};
    return cannot_write("the result", "standard output", errno, "check where it goes");
}

void note_to_process(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

std::function<void(const sim::LaunchProgress&)> Console::progress() const {
    if (shows_progress) return cudart::progress_on_terminal();
    if (!poll) return {};
    return [poll = poll](const sim::LaunchProgress&) { poll(); };
}

const Console& process_console() {
    static const Console console{
        .print = print_to_process, .note = note_to_process, .take_json = {}, .poll = {}, .shows_progress = true};
    return console;
}

}  // namespace sassafras::cli
