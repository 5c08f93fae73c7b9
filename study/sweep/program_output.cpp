#include "study/sweep/program_output.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

namespace sassafras::study::sweep {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string content_of(std::FILE* file) {
    std::rewind(file);
    std::string text;
    std::array<char, 4096> part{};
    for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), file)) != 0;)
        text.append(part.data(), size);
    return text;
}

constexpr std::chrono::milliseconds between_polls{20};
constexpr int polls_until_killed = 250;

void end_program(pid_t id) {
    kill(id, SIGTERM);
    for (int i = 0; i < polls_until_killed; ++i) {
        if (waitpid(id, nullptr, WNOHANG) != 0) return;
        std::this_thread::sleep_for(between_polls);
    }
    kill(id, SIGKILL);
    waitpid(id, nullptr, 0);
}

/// Its status, as waitpid has it.
int wait_for_end(pid_t id, const std::function<void()>& poll) {
    int status = 0;
    if (!poll) {
        while (waitpid(id, &status, 0) < 0 && errno == EINTR) {}
        return status;
    }
    try {
        for (; waitpid(id, &status, WNOHANG) == 0; std::this_thread::sleep_for(between_polls)) poll();
    } catch (...) {
        end_program(id);
        throw;
    }
    return status;
}

}  // namespace

Result<ProgramOutput> output_of(const std::vector<std::string>& words, const std::string& input,
                                const std::string& remedy, const std::function<void()>& poll) {
    // Files without names, so that nobody waits for a pipe that is full.
    const File in(std::tmpfile());
    const File out(std::tmpfile());
    if (!in || !out || std::fwrite(input.data(), 1, input.size(), in.get()) != input.size())
        return Error{ErrorKind::bad_input, std::string("no temporary file can be made: ") + std::strerror(errno),
                     words.front(), "make room in the folder for temporary files"};
    std::rewind(in.get());
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
    pid_t id = 0;
    const int failure = posix_spawnp(&id, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return Error{ErrorKind::bad_input, std::string("the program cannot be started: ") + std::strerror(failure),
                     words.front(), remedy};
    const int status = wait_for_end(id, poll);
    constexpr int killed = 128;  // as a shell has it
    return ProgramOutput{WIFSIGNALED(status) ? killed + WTERMSIG(status) : WEXITSTATUS(status), content_of(out.get())};
}

}  // namespace sassafras::study::sweep
