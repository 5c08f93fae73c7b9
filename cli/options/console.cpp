#include "cli/options/console.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "cli/options/terminal_text.hpp"
#include "core/staged_file.hpp"
#include "cudart/protocol/progress.hpp"

namespace sassafras::cli {

namespace {

Result<void> print_to_process(std::string_view text) {
    const bool printed = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (printed && std::fflush(stdout) == 0) return {};
    return cannot_write("the result", "standard output", errno, "check where it goes");
}

void note_to_process(std::string_view note) {
    const std::string text = takes_colour(STDERR_FILENO) ? coloured_note(note) : std::string(note);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

std::string lay_out_for_terminal(std::string text) {
    if (const std::size_t columns = printed_width()) text = fitted(text, columns);
    return takes_colour(STDOUT_FILENO) ? coloured(text) : text;
}

}  // namespace

std::function<void(const sim::LaunchProgress&)> Console::progress() const {
    auto shown = shows_progress ? cudart::progress_on_terminal() : nullptr;
    if (!poll) return shown;
    return [poll = poll, shown = std::move(shown)](const sim::LaunchProgress& progress) {
        if (shown) shown(progress);
        poll();
    };
}

const Console& process_console() {
    static const Console console{.print = print_to_process,
                                 .note = note_to_process,
                                 .take_json = {},
                                 .poll = {},
                                 .shows_progress = true,
                                 .lay_out = lay_out_for_terminal};
    return console;
}

}  // namespace sassafras::cli
