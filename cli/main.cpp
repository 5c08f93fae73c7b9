// sassafras: runs real GPU machine code on a modelled GPU.
#include "cli/commands/command_line.hpp"

int main(int argc, char** argv) { return sassafras::cli::run_command_line(argc, argv); }
