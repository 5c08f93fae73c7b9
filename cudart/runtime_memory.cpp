// Memory that the modelled GPU has and this process does not: where a limit (ulimit -v) leaves too little.
#include <cerrno>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "cudart/runtime.hpp"
#include "sim/execute/affordable_space.hpp"

namespace sassafras::cudart {

namespace {

constexpr std::uint64_t bytes_per_kib = 1024;

Error no_memory_to_run() {
    const std::string limit = sim::space_limit_text();
    return {ErrorKind::bad_input, "there is too little memory to run a kernel" + (limit.empty() ? limit : ": " + limit),
            program_invocation_name, limit.empty() ? "free some memory of this machine" : "raise the limit"};
}

}  // namespace

void Runtime::note_want_of_memory(bool only_if_refused) noexcept {
    if (has_noted_want_of_memory_) return;
    const bool refused = (device_ && device_->memory().has_fallen_short()) || host_memory_.has_fallen_short();
    if (only_if_refused && !refused) return;
    has_noted_want_of_memory_ = true;
    // Nothing here takes memory, of which there may be none: a number of fifteen characters lies in its string itself.
    if (const auto limit = sim::space_limit())
        std::fprintf(stderr,
                     "sassafras: note: the program is refused memory that the modelled GPU has: %s is limited to %s "
                     "KiB by ulimit %s; raise the limit\n",
                     limit->what, grouped(limit->bytes / bytes_per_kib).c_str(), limit->option);
    else
        std::fputs(
            "sassafras: note: the program is refused memory that the modelled GPU has: this machine has none "
            "left for it\n",
            stderr);
}

bool Runtime::is_freed(const void* address, std::uint64_t size) {
    if (!settings_.check || size == 0) return false;
    const auto first = reinterpret_cast<std::uint64_t>(address);
    for (const std::uint64_t at : {first, first + (size - 1)}) {
        const auto freed = device().memory().freed(at);
        if (freed.end == 0) continue;
        failed_calls_.explain(
            fmt::format("{:#x} is inside the allocation at {:#x} of size {} bytes, which has been freed", at,
                        freed.begin, grouped(freed.end - freed.begin)));
        return true;
    }
    return false;
}

/// A kernel that this process cannot run is no fault of the program, which may not look: the run ends.
cudaError_t Runtime::launch(const LaunchCall& call) {
    try {
        return launch_now(call);
    } catch (const std::bad_alloc&) {
        end_run(no_memory_to_run());
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::resource_unavailable_try_again)
            throw;  // that is a thread which is not to be had
        end_run(no_memory_to_run());
    }
}

}  // namespace sassafras::cudart
