// Memory that the modelled GPU has and this process does not: where a limit (ulimit -v) leaves too little.
#include <cerrno>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "cudart/runtime.hpp"
#include "sim/execute/affordable_space.hpp"

namespace sassafras::cudart {

namespace {

constexpr std::uint64_t bytes_per_kib = 1024;

Error no_memory_to_run() {
    const auto limit = sim::address_space_limit();
    return {ErrorKind::bad_input,
            limit ? fmt::format("there is too little memory to run a kernel: the address space of this process is "
                                "limited to {} KiB (ulimit -v)",
                                *limit / bytes_per_kib)
                  : std::string("there is too little memory to run a kernel"),
            program_invocation_name, limit ? "raise the limit" : "free some memory of this machine"};
}

}  // namespace

void Runtime::note_want_of_memory(bool only_if_refused) noexcept {
    if (has_noted_want_of_memory_) return;
    const bool refused = (device_ && device_->memory().has_fallen_short()) || host_memory_.has_fallen_short();
    if (only_if_refused && !refused) return;
    has_noted_want_of_memory_ = true;
    // Nothing here takes memory: there may be none.
    if (const auto limit = sim::address_space_limit())
        std::fprintf(stderr,
                     "sassafras: note: the program is refused memory that the modelled GPU has: the address space of "
                     "this process is limited to %llu KiB (ulimit -v); raise the limit\n",
                     static_cast<unsigned long long>(*limit / bytes_per_kib));
    else
        std::fputs(
            "sassafras: note: the program is refused memory that the modelled GPU has: this machine has none "
            "left for it\n",
            stderr);
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
