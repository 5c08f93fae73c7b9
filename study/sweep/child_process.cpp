#include "study/sweep/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace sassafras::study::sweep {

namespace {

constexpr std::size_t most_report_bytes = std::size_t{1} << 30U;
constexpr std::size_t most_said_bytes = std::size_t{1} << 16U;  // what a program says last is why it failed
constexpr int no_program_status = 127;                          // as a shell has it
constexpr int report_descriptor = 3;
constexpr const char* report_path = "/dev/fd/3";

/// Between fork and exec: nothing but system calls, as another thread may have held any lock. `report` and `said` are
/// none of the descriptors that they become.
[[noreturn]] void become(const char* program, char* const* arguments, const char* directory, int report, int said,
                         pid_t parent) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A key on the terminal interrupts the study, not its runs: those would have failed by it.
    (void)setpgid(0, 0);
    if (getppid() != parent) _exit(no_program_status);  // it died before that was asked for
    const int nothing = open("/dev/null", O_RDWR);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    (void)dup2(said, STDERR_FILENO);
    (void)dup2(report, report_descriptor);
    if (nothing > report_descriptor) (void)close(nothing);
    if (*directory == '\0' || chdir(directory) == 0) execv(program, arguments);
    _exit(no_program_status);
}

}  // namespace

ChildProcess::ChildProcess() : report_(most_report_bytes, false), said_(most_said_bytes, true) {}

Result<ChildProcess> ChildProcess::start(const std::string& program, const std::vector<std::string>& command,
                                         const std::string& directory) {
    ChildProcess child;
    const auto report = child.report_.open();
    if (!report) return report.error();
    const auto said = child.said_.open();
    if (!said) return said.error();
    std::vector<std::string> words{program};
    words.insert(words.end(), command.begin(), command.end());
    const std::vector<std::string> output{"--json", report_path};
    words.insert(std::find(words.begin(), words.end(), "--"), output.begin(), output.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    child.begin_ = std::chrono::steady_clock::now();
    child.id_ = fork();
    if (child.id_ == 0)
        become(program.c_str(), arguments.data(), directory.c_str(), report->number, said->number, parent);
    if (child.id_ > 0) (void)setpgid(child.id_, child.id_);  // whichever of both is first
    if (child.id_ > 0) child.ended_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, child.id_, 0)));
    if (child.id_ > 0 && child.ended_.number < 0) {
        const int why = errno;
        kill(child.id_, SIGKILL);
        waitpid(child.id_, nullptr, 0);
        return Error{ErrorKind::check_failed, std::string("a process cannot be waited for: ") + std::strerror(why),
                     "pidfd_open", "Linux 5.3 or later has it; of open files there may be too few: ulimit -n"};
    }
    if (child.id_ < 0)
        return Error{ErrorKind::check_failed, std::string("no process can be started: ") + std::strerror(errno),
                     program, "run fewer at a time: --jobs"};
    return child;
}

void ChildProcess::add_to(std::vector<pollfd>& polled) const {
    for (const int descriptor : {ended_.number, report_.descriptor(), said_.descriptor()})
        polled.push_back({descriptor, POLLIN, 0});
}

void ChildProcess::read() {
    report_.read();
    said_.read();
}

RunEnd ChildProcess::end(int wait_status, std::uint64_t peak_bytes) {
    read();
    RunEnd end;
    end.seconds = seconds();
    end.peak_bytes = peak_bytes;
    if (WIFSIGNALED(wait_status))
        end.signal = WTERMSIG(wait_status);
    else
        end.status = WEXITSTATUS(wait_status);
    end.report = report_.take();
    end.said = said_.take();
    return end;
}

}  // namespace sassafras::study::sweep
