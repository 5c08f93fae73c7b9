// Another program, run to its end: what it printed, and how it ended.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::sweep {

struct ProgramOutput {
    int status = 0;    ///< its exit status; 128 and the signal that killed it
    std::string text;  ///< on standard output
};

/// Looked for in PATH, without a shell; `input` is its standard input, standard error is this program's. Error
/// bad_input if there is no such program, with `remedy`. `poll`, if it is there, is called often; where it throws, the
/// program is ended: asked to (SIGTERM), and killed if it has not after some seconds.
[[nodiscard]] Result<ProgramOutput> output_of(const std::vector<std::string>& words, const std::string& input,
                                              const std::string& remedy, const std::function<void()>& poll);

}  // namespace sassafras::study::sweep
