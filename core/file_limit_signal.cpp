#include "core/file_limit_signal.hpp"

#include <cerrno>
#include <ctime>

namespace sassafras {

FileLimitSignalHeld::FileLimitSignalHeld() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    sigset_t pending{};
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

FileLimitSignalHeld::~FileLimitSignalHeld() {
    const int error = errno;
    const timespec at_once{};
    // The kernel sends it to the thread that writes, where it waits now. One that waited before is not ours to take.
    if (!was_pending_)
        while (sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
}

}  // namespace sassafras
