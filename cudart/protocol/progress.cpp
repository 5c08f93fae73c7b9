#include "cudart/protocol/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <string_view>

#include "core/demangle.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"

namespace sassafras::cudart {

namespace {

/// Short runs show nothing.
constexpr std::chrono::milliseconds interval{200};

/// The last column stays free: a line that fills it makes some terminals begin another.
std::size_t terminal_columns() {
    constexpr std::size_t usual = 80;
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return (known ? size.ws_col : usual) - 1;
}

class ProgressLine {
  public:
    void show(const sim::LaunchProgress& progress) {
        if (progress.ended) {
            if (shown_) write("\r\033[K");
            shown_ = false;
            return;
        }
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < interval) return;
        last_ = now;
        shown_ = true;
        write("\r\033[K" + progress_text(progress, terminal_columns()));
    }

  private:
    static void write(const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
    }

    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    bool shown_ = false;
};

}  // namespace

std::string progress_text(const sim::LaunchProgress& progress, std::size_t columns) {
    std::string counts = grouped(progress.blocks_done) + " of " + grouped(progress.blocks) +
                         (progress.blocks == 1 ? " block" : " blocks");
    if (progress.cycles) counts += ", " + grouped(progress.cycles->count) + " cycles";
    constexpr std::string_view between = ": ";
    constexpr std::string_view cut = "...";
    const std::size_t taken = counts.size() + between.size();
    if (columns < taken + cut.size() + 1) return counts.substr(0, columns);
    const std::size_t room = columns - taken;
    std::string name = printable(demangled(std::string(progress.kernel)), std::numeric_limits<std::size_t>::max());
    if (name.size() > room) name.replace(room - cut.size(), std::string::npos, cut);
    return name + std::string(between) + counts;
}

std::function<void(const sim::LaunchProgress&)> progress_on_terminal() {
    if (isatty(STDERR_FILENO) != 1) return {};
    return [line = ProgressLine()](const sim::LaunchProgress& progress) mutable { line.show(progress); };
}

}  // namespace sassafras::cudart
