#include "study/sweep/slurm_job.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

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

using Values = std::map<std::string, std::string, std::less<>>;

Error bad_template(std::string_view what, std::string_view remedy) {
    return {ErrorKind::bad_input, what, "--template", remedy};
}

bool is_name(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

/// ${x} is the shell's, {{x}} is {x}. Nothing of a line of #SBATCH with a value that is empty.
Result<std::string> filled_line(std::string_view line, const Values& values, std::set<std::string, std::less<>>& used) {
    std::string filled;
    bool lacks = false;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t close = line[at] == '{' ? line.find('}', at) : std::string_view::npos;
        const std::string_view inner =
            close == std::string_view::npos ? std::string_view() : line.substr(at + 1, close - at - 1);
        if (inner.starts_with('{') && is_name(inner.substr(1)) && line.substr(close).starts_with("}}")) {
            filled += fmt::format("{}}}", inner);
            at = close + 2;
        } else if (is_name(inner) && (at == 0 || line[at - 1] != '$')) {
            const auto value = values.find(inner);
            if (value == values.end())
                return bad_template(
                    fmt::format("there is no {{{}}}", inner),
                    fmt::format("choose one of {{array}}, {{cpus}}, {{mem}}, {{account}}, {{partition}}, "
                                "{{time}}, {{shards}}, {{command}}; {{{{{}}}}} stands for itself",
                                inner));
            used.insert(value->first);
            lacks = lacks || value->second.empty();
            filled += value->second;
            at = close + 1;
        } else {
            filled += line[at++];
        }
    }
    return lacks && line.starts_with("#SBATCH") ? std::string() : filled;
}

}  // namespace

std::string_view default_template() {
    return R"(#!/bin/sh
#SBATCH --job-name=sassafras
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --array={array}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cpus}
#SBATCH --mem={mem}
#SBATCH --account={account}
#SBATCH --partition={partition}
#SBATCH --time={time}
exec {command}
)";
}

Result<std::string> batch_script(const SlurmOptions& options) {
    const std::string_view form =
        options.script_template.empty() ? default_template() : std::string_view(options.script_template);
    const std::string command =
        fmt::format("{} sweep run {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs {}{}{}", quoted(options.program),
                    quoted(options.study), options.shards, options.jobs, options.again ? " --retry-failed" : "",
                    options.timeout == 0 ? "" : fmt::format(" --timeout {}", options.timeout));
    const Values values{{"array", fmt::format("0-{}", options.shards - 1)},
                        {"cpus", fmt::format("{}", options.jobs)},
                        {"mem", options.memory},
                        {"account", options.account},
                        {"partition", options.partition},
                        {"time", options.time},
                        {"shards", fmt::format("{}", options.shards)},
                        {"command", command}};
    std::set<std::string, std::less<>> used;
    std::string script;
    for (std::size_t begin = 0; begin < form.size();) {
        const std::size_t end = std::min(form.find('\n', begin), form.size() - 1) + 1;
        const std::string_view line = form.substr(begin, end - begin);
        auto filled = filled_line(line, values, used);
        if (!filled) return filled.error();
        script += *filled;
        begin = end;
    }
    for (const char* name : {"array", "command"})
        if (!used.contains(name))
            return bad_template(fmt::format("nothing in it says {{{}}}", name),
                                "sassafras sweep run --print-template prints one to begin with");
    return script;
}

Result<std::string> submit(const SlurmOptions& options, const std::function<void()>& poll) {
    const auto script = batch_script(options);
    if (!script) return script.error();
    const std::filesystem::path log = std::filesystem::path(options.study) / "log";
    std::error_code ignored;
    std::filesystem::create_directories(log, ignored);
    std::vector<std::string> words{"sbatch", "--parsable", "--output=" + (log / "%A-%a.txt").string()};
    if (options.wait) words.emplace_back("--wait");
    words.insert(words.end(), options.more.begin(), options.more.end());
    auto output = output_of(words, *script, "run this where Slurm's sbatch is, or choose another --engine", poll);
    if (!output) return output.error();
    std::string job = output->text.substr(0, output->text.find_first_of(";\n"));  // number;cluster
    if (job.empty())
        return Error{
            ErrorKind::bad_input, fmt::format("sbatch ended with status {}", output->status), "sbatch",
            "see what it said above; --partition, --account, --time and --mem go to it, and --sbatch any other"};
    if (options.wait && output->status != 0)
        return Error{ErrorKind::check_failed, "elements of the job have failed", "job " + job,
                     "see their output in " + log.string() + ", then run this again: it goes on where they ended"};
    return job;
}

}  // namespace sassafras::study::sweep
