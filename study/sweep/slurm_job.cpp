#include "study/sweep/slurm_job.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "study/sweep/program_output.hpp"

namespace sassafras::study::sweep {

namespace {

/// For a POSIX shell.
std::string quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

std::string batch_script(const SlurmOptions& options) {
    std::string script = "#!/bin/sh\n#SBATCH --job-name=sassafras\n#SBATCH --requeue\n#SBATCH --open-mode=append\n";
    const auto line = [&](std::string_view option, std::string_view value) {
        if (!value.empty()) script += fmt::format("#SBATCH --{}={}\n", option, value);
    };
    line("array", fmt::format("0-{}", options.shards - 1));
    line("ntasks", "1");
    line("cpus-per-task", fmt::format("{}", options.jobs));
    line("account", options.account);
    line("partition", options.partition);
    line("time", options.time);
    script +=
        fmt::format("exec {} sweep run {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs {}{}\n", quoted(options.program),
                    quoted(options.study), options.shards, options.jobs, options.again ? " --retry-failed" : "");
    return script;
}

Result<std::string> submit(const SlurmOptions& options) {
    const std::filesystem::path log = std::filesystem::path(options.study) / "log";
    std::error_code ignored;
    std::filesystem::create_directories(log, ignored);
    std::vector<std::string> words{"sbatch", "--parsable", "--output=" + (log / "%A-%a.txt").string()};
    if (options.wait) words.emplace_back("--wait");
    words.insert(words.end(), options.more.begin(), options.more.end());
    auto output =
        output_of(words, batch_script(options), "run this where Slurm's sbatch is, or choose another --engine");
    if (!output) return output.error();
    std::string job = output->text.substr(0, output->text.find_first_of(";\n"));  // number;cluster
    if (job.empty())
        return Error{ErrorKind::bad_input, fmt::format("sbatch ended with status {}", output->status), "sbatch",
                     "see what it said above; --partition, --account and --time go to it, and --sbatch any other"};
    if (options.wait && output->status != 0)
        return Error{ErrorKind::check_failed, "elements of the job have failed", "job " + job,
                     "see their output in " + log.string() + ", then run this again: it goes on where they ended"};
    return job;
}

}  // namespace sassafras::study::sweep
