#include "study/sweep/run_guard.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <limits>

namespace sassafras::study::sweep {

namespace {

constexpr std::size_t most_groups = 8192;  // more than --jobs allows

/// After fork: nothing but system calls, as another thread may have held any lock.
[[noreturn]] void guard(int told) {
    (void)setsid();  // a key on the terminal, or what ends a group, ends the study and not this
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) (void)std::signal(signal, SIG_IGN);
    // Locks of files hold while any process has them open.
    constexpr int kept = 0;
    (void)dup2(told, kept);
    (void)close_range(kept + 1, std::numeric_limits<unsigned>::max(), 0);
    std::array<pid_t, most_groups> groups{};
    std::size_t count = 0;
    for (;;) {
        pid_t number = 0;
        const ssize_t got = read(kept, &number, sizeof number);
        if (got < 0 && errno == EINTR) continue;
        if (got != sizeof number) break;
        if (number == 0) _exit(0);
        if (number > 0 && count != groups.size()) groups[count++] = number;
        for (std::size_t i = 0; number < 0 && i < count; ++i)
            if (groups[i] == -number) groups[i--] = groups[--count];
    }
    for (std::size_t i = 0; i < count; ++i) (void)kill(-groups[i], SIGKILL);
    _exit(0);
}

}  // namespace

RunGuard::RunGuard() {
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    Descriptor heard(ends[0]);
    told_ = Descriptor(ends[1]);
    guard_ = fork();
    if (guard_ == 0) guard(heard.number);
}

RunGuard::~RunGuard() {
    tell(0);  // its end alone would not do: a copy of the descriptor may be another's
    told_ = Descriptor();
    if (guard_ > 0) waitpid(guard_, nullptr, 0);
}

void RunGuard::tell(pid_t number) const {
    // Whole or not at all; a guard that somebody has killed is no reason to end.
    if (guard_ > 0) (void)send(told_.number, &number, sizeof number, MSG_NOSIGNAL);
}

}  // namespace sassafras::study::sweep
