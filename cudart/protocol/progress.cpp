#include "cudart/protocol/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"

namespace sassafras::cudart {

namespace {

using Clock = std::chrono::steady_clock;

/// Short runs show nothing.
constexpr std::chrono::milliseconds interval{200};
constexpr std::size_t usual_columns = 80;

/// Of the terminal, but for the last column: some terminals begin a new line behind it.
std::size_t columns_of_terminal() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
    return (known ? size.ws_col : usual_columns) - 1;
}

/// "first...last" in `most` characters.
std::string without_middle(const std::string& text, std::size_t most) {
    constexpr std::size_t dots = 3;
    if (text.size() <= most) return text;
    if (most <= dots) return text.substr(0, most);
    const std::size_t front = (most - dots + 1) / 2;
    return text.substr(0, front) + "..." + text.substr(text.size() - (most - dots - front));
}

/// "43 s", "5 min", "2 h".
std::string duration_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 2 * hour) return fmt::format("{:.0f} min", std::round(seconds / minute));
    return fmt::format("{:.0f} h", std::round(seconds / hour));
}

class ProgressLine {
  public:
    void show(const sim::LaunchProgress& progress) {
        const auto now = Clock::now();
        if (progress.ended) {
            if (shown_) write("\r\033[K");
            shown_ = false;
            running_ = false;
            return;
        }
        if (!running_) begin_ = now;
        running_ = true;
        if (now - last_ < interval) return;
        last_ = now;
        shown_ = true;
        const double seconds = std::chrono::duration<double>(now - begin_).count();
        write("\r\033[K" + progress_text(progress, seconds, columns_of_terminal()));
    }

  private:
    static void write(const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
    }

    Clock::time_point last_ = Clock::now();
    Clock::time_point begin_;
    bool running_ = false;
    bool shown_ = false;
};

}  // namespace

std::string progress_text(const sim::LaunchProgress& progress, double seconds, std::size_t columns) {
    std::string text = ": " + grouped(progress.blocks_done) + " of " + grouped(progress.blocks) +
                       (progress.blocks == 1 ? " block" : " blocks");
    constexpr std::size_t least_name = 12;
    const std::string name =
        printable(demangled(std::string(progress.kernel)), std::numeric_limits<std::size_t>::max());
    const auto add = [&](const std::string& part) {  // whole or not at all, and nothing behind what was left out
        const bool fits = std::min(name.size(), least_name) + text.size() + part.size() <= columns;
        if (fits) text += part;
        return fits;
    };
    const auto add_count = [&](std::uint64_t count, const char* unit) {
        constexpr double shortest = 0.1;
        if (!add(", " + grouped(count) + unit) || seconds < shortest) return;
        add(", " + grouped(static_cast<std::uint64_t>(static_cast<double>(count) / seconds)) + " a second");
    };
    if (progress.blocks_done != 0 && progress.blocks_done < progress.blocks) {
        const auto done = static_cast<double>(progress.blocks_done);
        const auto all = static_cast<double>(progress.blocks);
        constexpr double shortest = 1;  // the first blocks say little of the others
        add(fmt::format(" ({:.0f} %)", std::floor(100 * done / all)));
        if (seconds >= shortest) add(", " + duration_text(seconds * (all - done) / done) + " left");
    }
    if (progress.cycles)
        add_count(progress.cycles->count, " cycles");
    else if (progress.instructions)
        add_count(*progress.instructions, " instructions");
    const std::size_t room = columns > text.size() ? columns - text.size() : 0;
    return (without_middle(name, std::max(room, std::min(columns, least_name))) + text).substr(0, columns);
}

std::function<void(const sim::LaunchProgress&)> progress_on_terminal() {
    if (isatty(STDERR_FILENO) != 1) return {};
    // Copies of the function are of one line.
    return [line = std::make_shared<ProgressLine>()](const sim::LaunchProgress& progress) { line->show(progress); };
}

}  // namespace sassafras::cudart
