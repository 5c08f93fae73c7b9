// sassafras: runs real GPU machine code on a modelled GPU.
#include <csignal>

#include "cli/commands/command_line.hpp"

namespace {
void go_on(int /*signal*/) {}
}  // namespace

int main(int argc, char** argv) {
    // Where `ulimit -f` ends a file, writing fails then and is reported, in place of the program's death. A handler and
    // not SIG_IGN, which a program that this one starts would inherit; what was ignored stays so.
    if (std::signal(SIGXFSZ, go_on) == SIG_IGN) std::signal(SIGXFSZ, SIG_IGN);
    return sassafras::cli::run_command_line(argc, argv);
}
