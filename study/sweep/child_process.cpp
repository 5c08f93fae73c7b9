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
#include <fstream>
#include <iterator>

#include "core/whole_file.hpp"

namespace sassafras::study::sweep {

namespace {

constexpr std::uint64_t most_report_bytes = std::uint64_t{1} << 30U;
constexpr std::streamoff most_said_bytes = std::streamoff{1} << 16U;
constexpr int no_program_status = 127;  // as a shell has it

/// Between fork and exec: nothing but system calls, as another thread may have held any lock.
[[noreturn]] void become(const char* program, char* const* arguments, const char* said, pid_t parent) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A key on the terminal interrupts the study, not its runs: those would have failed by it.
    (void)setpgid(0, 0);
    if (getppid() != parent) _exit(no_program_status);  // it died before that was asked for
    const int nothing = open("/dev/null", O_RDWR);
    const int errors = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    (void)dup2(errors < 0 ? nothing : errors, STDERR_FILENO);
    execv(program, arguments);
    _exit(no_program_status);
}

/// The end of a file: what a program says last is why it failed.
std::string end_of_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
    file.seekg(std::max<std::streamoff>(0, size - most_said_bytes));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::string& program, const std::vector<std::string>& command,
                                         const std::filesystem::path& folder, const std::string& name) {
    ChildProcess child;
    child.report_ = folder / (name + ".report");
    child.said_ = folder / (name + ".said");
    std::vector<std::string> words{program};
    words.insert(words.end(), command.begin(), command.end());
    const std::vector<std::string> output{"--json", child.report_.string()};
    words.insert(std::find(words.begin(), words.end(), "--"), output.begin(), output.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string said = child.said_.string();
    const pid_t parent = getpid();
    child.begin_ = std::chrono::steady_clock::now();
    child.id_ = fork();
    if (child.id_ == 0) become(program.c_str(), arguments.data(), said.c_str(), parent);
    if (child.id_ > 0) child.descriptor_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, child.id_, 0)));
    if (child.id_ > 0 && child.descriptor() < 0) {
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

ChildProcess::Descriptor::~Descriptor() {
    if (number >= 0) close(number);
}

RunEnd ChildProcess::end(int wait_status, std::uint64_t peak_bytes) const {
    RunEnd end;
    end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    end.peak_bytes = peak_bytes;
    if (WIFSIGNALED(wait_status))
        end.signal = WTERMSIG(wait_status);
    else
        end.status = WEXITSTATUS(wait_status);
    if (auto report = read_whole_text(report_.string(), most_report_bytes)) end.report = std::move(*report);
    end.said = end_of_text(said_);
    std::error_code ignored;
    std::filesystem::remove(report_, ignored);
    std::filesystem::remove(said_, ignored);
    return end;
}

}  // namespace sassafras::study::sweep
