// The commands of the command line, in this process.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "cli/commands/command_line.hpp"
#include "python/module/errors.hpp"
#include "python/module/interruptible.hpp"
#include "python/module/parts.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;

/// What a command said, and how it ended. Kernels may print on any thread.
struct Said {
    Result<int> ended = 0;
    std::mutex mutex;
    std::string text;
    std::string notes;
    std::string json;
};

py::tuple run_command(const std::vector<std::string>& words) {
    const auto said = std::make_shared<Said>();
    run_on_a_thread([said, words](const Poll& poll) {
        cli::Console console;
        console.print = [&](std::string_view text) {
            said->text += text;
            return Result<void>();
        };
        console.note = [&](std::string_view text) {
            const std::lock_guard lock(said->mutex);
            said->notes += text;
        };
        console.take_json = [&](std::string json) { said->json = std::move(json); };
        console.poll = poll;
        said->ended = cli::run_command(words, console);
    });
    if (!said->ended) raise(said->ended.error(), said->json, said->notes);
    return py::make_tuple(*said->ended, said->json, text_of(said->text), text_of(said->notes));
}

}  // namespace

void add_commands(py::module_& module) {
    module.def("run_command", &run_command, py::arg("words"));
    py::module_::import("atexit").attr("register")(py::cpp_function(&end_work_with_interpreter));
}

}  // namespace sassafras::python
