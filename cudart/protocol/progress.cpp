#include "cudart/protocol/progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "core/number_text.hpp"

namespace sassafras::cudart {

namespace {

/// Short runs show nothing.
constexpr std::chrono::milliseconds interval{200};

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
        write("\r\033[K" + progress_text(progress));
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

std::string progress_text(const sim::LaunchProgress& progress) {
    std::string text = std::string(progress.kernel) + ": " + grouped(progress.blocks_done) + " of " +
                       grouped(progress.blocks) + (progress.blocks == 1 ? " block" : " blocks");
    if (progress.cycles) text += ", " + grouped(progress.cycles->count) + " cycles";
    return text;
}

std::function<void(const sim::LaunchProgress&)> progress_on_terminal() {
    if (isatty(STDERR_FILENO) != 1) return {};
    return [line = ProgressLine()](const sim::LaunchProgress& progress) mutable { line.show(progress); };
}

}  // namespace sassafras::cudart
