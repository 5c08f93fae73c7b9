#include "cli/commands/program_run.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/program_file.hpp"
#include "cli/options/own_place.hpp"
#include "cli/options/temporary_folder.hpp"
#include "cli/reports/kernel_name.hpp"
#include "core/interrupted.hpp"
#include "core/printable.hpp"
#include "core/staged_file.hpp"
#include "core/whole_file.hpp"
#include "study/sweep/run_record.hpp"

namespace sassafras::cli {

namespace {

namespace fs = std::filesystem;

constexpr int status_cannot_start = 127;  // as a shell has it
constexpr int status_of_signal = 128;
constexpr std::chrono::milliseconds poll_interval{10};

Result<fs::path> library_folder() {
    const fs::path library = runtime_library();
    if (!library.empty()) return library.parent_path();
    return Error{ErrorKind::not_modelled, fmt::format("{} is not there: it was not built", runtime_library_name),
                 own_file().parent_path().string(), "install the CUDA toolkit (for its headers) and build again"};
}

Result<void> write_file(const std::string& path, std::string_view text) {
    return write_output_file({path, "a temporary file", "TMPDIR"}, text);
}

std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::error_code failed;
    const auto size = fs::file_size(path, failed);
    if (failed) return {};
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::string before_others(const char* variable, const std::string& value) {
    const char* old = std::getenv(variable);
    return old == nullptr || *old == '\0' ? value : value + ":" + old;
}

/// Signals that others send to `sassafras exec` and mean for the program. While it runs they are held back here, and
/// the waiting hands them on: the program ends, and there is a report.
class HeldSignals {
  public:
    /// With `poll`, which throws to end the program, nothing is held: signals are another's to handle.
    explicit HeldSignals(const std::function<void()>& poll)
        : poll_(poll), owns_group_(poll_ != nullptr && isatty(STDIN_FILENO) == 0) {
        if (poll_) return;
        std::signal(SIGCHLD, SIG_DFL);
        sigemptyset(&set_);
        for (const int signal : {SIGTERM, SIGHUP, SIGCHLD, SIGINT}) sigaddset(&set_, signal);
        sigprocmask(SIG_BLOCK, &set_, &old_);
        // The program and not its reporter is what a key on the terminal ends.
        quit_ = std::signal(SIGQUIT, SIG_IGN);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals() {
        if (poll_) return;
        std::signal(SIGQUIT, quit_);
        sigprocmask(SIG_SETMASK, &old_, nullptr);
    }
    /// In the child: as this process had them.
    void restore_in_child() const {
        // An interpreter ignores these for itself.
        for (const int ignored : {SIGPIPE, SIGXFSZ})
            if (poll_) std::signal(ignored, SIG_DFL);
        if (owns_group_) (void)setpgid(0, 0);
        if (poll_) return;
        std::signal(SIGQUIT, quit_);
        sigprocmask(SIG_SETMASK, &old_, nullptr);
    }
    /// The child's status, as waitpid has it. Throws Interrupted at the second interruption, when it has ended the
    /// child.
    [[nodiscard]] int wait(pid_t child) const {
        if (poll_) return wait_and_poll(child);
        int status = 0;
        bool is_interrupted = false;
        while (waitpid(child, &status, WNOHANG) == 0) {
            siginfo_t info{};
            const int signal = sigwaitinfo(&set_, &info);
            if (signal == SIGTERM || signal == SIGHUP) kill(child, signal);
            // A key on the terminal, which the kernel makes a signal of, has reached the program, too: what it makes of
            // that is its own.
            if (signal != SIGINT || info.si_code == SI_KERNEL) continue;
            if (!is_interrupted) kill(child, SIGINT);
            if (std::exchange(is_interrupted, true)) end_now(child);
        }
        return status;
    }

  private:
    [[nodiscard]] int wait_and_poll(pid_t child) const {
        int status = 0;
        try {
            for (; waitpid(child, &status, WNOHANG) == 0; std::this_thread::sleep_for(poll_interval)) poll_();
        } catch (...) {
            end(child);
            throw;
        }
        return status;
    }
    [[noreturn]] static void end_now(pid_t child) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        throw Interrupted();
    }
    /// Asks it to end, and ends it if it does not within a moment.
    void end(pid_t child) const {
        const pid_t whom = owns_group_ ? -child : child;
        kill(whom, SIGTERM);
        bool has_ended = false;
        for (int i = 0; i < 25 && !has_ended; ++i) {
            has_ended = waitpid(child, nullptr, WNOHANG) != 0;
            if (!has_ended) std::this_thread::sleep_for(poll_interval);
        }
        if (!has_ended || owns_group_) kill(whom, SIGKILL);
        if (!has_ended) waitpid(child, nullptr, 0);
    }

    const std::function<void()>& poll_;
    /// What the program starts can be ended with it. On a terminal it must be in the group there, to read from it; that
    /// is what the key ends.
    bool owns_group_ = false;
    sigset_t set_{};
    sigset_t old_{};
    void (*quit_)(int) = SIG_DFL;
};

/// In the child: never returns. Tells the parent through `report` why the program could not be started.
[[noreturn]] void become(const std::vector<std::string>& program, const fs::path& library, const std::string& settings,
                         bool takes_nvtx, int report) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // who ends sassafras exec means the program
    // A program may name a folder for its libraries that the loader searches first; what is preloaded comes before
    // that.
    // The loader takes spaces in that list, too, for separators.
    if (library.string().find(' ') == std::string::npos)
        setenv("LD_PRELOAD", before_others("LD_PRELOAD", (library / runtime_library_name).string()).c_str(), 1);
    setenv("LD_LIBRARY_PATH", before_others("LD_LIBRARY_PATH", library.string()).c_str(), 1);
    // Address sanitizer wants to come before all other libraries; that one of ours is loaded first does it no harm.
    setenv("ASAN_OPTIONS", before_others("ASAN_OPTIONS", "verify_asan_link_order=0").c_str(), 1);
    // Where the header-only library of ranges looks for who wants to know of them.
    if (takes_nvtx) setenv("NVTX_INJECTION64_PATH", (library / runtime_library_name).c_str(), 1);
    setenv(cudart::settings_variable, settings.c_str(), 1);
    std::vector<char*> arguments;
    arguments.reserve(program.size() + 1);
    for (const auto& argument : program) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    const int why = errno;
    (void)!write(report, &why, sizeof why);
    _exit(status_cannot_start);
}

}  // namespace

Result<ProgramRun> run_program(const std::vector<std::string>& program, cudart::ExecSettings settings,
                               const Console& console) {
    const auto library = library_folder();
    if (!library) return library.error();
    if (auto checked = check_program_file(program.front()); !checked) return checked.error();
    if (library->string().find_first_of(":;") != std::string::npos)
        return Error{
            ErrorKind::bad_input,
            "the loader of programs takes a colon or semicolon in a path for the end of it, and would not find "
            "the runtime library here",
            library->string(), "put sassafras into a folder without them"};
    const auto folder = TemporaryFolder::make();
    if (!folder) return folder.error();
    settings.records = folder->file("records");
    settings.module_folder = folder->path();
    const std::string settings_file = folder->file("settings.json");
    if (auto done = write_file(settings.records, ""); !done) return done.error();
    if (auto done = write_file(settings_file, to_json(settings)); !done) return done.error();

    int report[2] = {-1, -1};
    if (pipe2(report, O_CLOEXEC) != 0)
        return Error{ErrorKind::bad_input, fmt::format("cannot make a pipe: {}", std::strerror(errno)), {}, {}};
    std::fflush(nullptr);
    const HeldSignals signals(console.poll);
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    const int fork_error = errno;
    if (child == 0) {
        signals.restore_in_child();
        become(program, *library, settings_file, settings.nvtx, report[1]);
    }
    close(report[1]);
    int why = 0;
    const bool started = child > 0 && read(report[0], &why, sizeof why) == 0;
    close(report[0]);
    const int status = child > 0 ? signals.wait(child) : 0;
    const auto end = std::chrono::steady_clock::now();
    if (!started)
        return Error{ErrorKind::bad_input,
                     fmt::format("cannot start the program: {}", std::strerror(child < 0 ? fork_error : why)),
                     program.front(), "check its path, and that it can be executed"};

    ProgramRun run;
    run.wall_seconds = std::chrono::duration<double>(end - begin).count();
    if (WIFEXITED(status)) run.exited = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
    auto records = cudart::parse_records(read_all(settings.records), settings.records);
    if (!records) return records.error();
    run.records = std::move(*records);
    for (const cudart::ProgramConflicts& conflicts : run.records.conflicts) {
        const auto [module, is_new] = run.modules.try_emplace(conflicts.module);
        if (!is_new) continue;
        auto cubin = read_whole_file(folder->file(cudart::module_file(conflicts.module)), most_code_bytes);
        if (!cubin) return cubin.error();
        module->second = std::move(*cubin);
    }
    if (!run.records.started && run.exited) return never_called(program.front(), *run.exited);
    return run;
}

nlohmann::ordered_json describe_program(const std::vector<std::string>& program, const ProgramRun& run) {
    auto troubles = nlohmann::ordered_json::array();
    for (const auto& trouble : run.records.troubles) troubles.push_back(trouble.message);
    auto failed = nlohmann::ordered_json::array();
    for (const auto& launch : run.records.failed) {
        failed.push_back(named_kernel("kernel", launch.kernel));
        failed.back().update({{"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                              {"block", {launch.block.x, launch.block.y, launch.block.z}},
                              {"launches_before", launch.before},
                              {"error", launch.message}});
    }
    nlohmann::ordered_json json{{"name", "exec"}, {"program", program}};
    json["exit_status"] = run.exited ? nlohmann::ordered_json(*run.exited) : nullptr;
    json["signal"] = run.exited ? nullptr : nlohmann::ordered_json(run.signal);
    json["failed_launches"] = std::move(failed);
    json["errors"] = std::move(troubles);
    return json;
}

int exit_status(const std::vector<std::string>& program, const ProgramRun& run, const Console& console) {
    if (!run.exited) {
        console.note(fmt::format("sassafras: error: {}({}) [{}]\n", study::sweep::killed_program(run.signal),
                                 strsignal(run.signal), for_terminal(program.front())));
        return status_of_signal + run.signal;
    }
    if (*run.exited == 0 && !run.records.troubles.empty()) return run.records.troubles.front().exit_status;
    return *run.exited;
}

}  // namespace sassafras::cli
