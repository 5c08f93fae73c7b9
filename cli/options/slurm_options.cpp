#include "cli/options/slurm_options.hpp"

#include <utility>

#include "cli/options/option_values.hpp"
#include "core/whole_file.hpp"

namespace sassafras::cli {

void add_slurm_options(CLI::App& command, SlurmCommandOptions& options) {
    study::sweep::SlurmOptions& slurm = options.job;
    command.add_option("--partition", slurm.partition, "with --engine slurm, as sbatch has it")
        ->check(not_empty("a partition"));
    command.add_option("--account", slurm.account, "with --engine slurm, as sbatch has it")
        ->check(not_empty("an account"));
    command.add_option("--time", slurm.time, "with --engine slurm, of a shard, as sbatch has it")
        ->check(not_empty("a time"));
    command.add_option("--mem", slurm.memory, "with --engine slurm, of a shard, as sbatch has it")
        ->check(not_empty("an amount of memory"));
    command.add_option("--sbatch", slurm.more, "with --engine slurm, any other option of sbatch; may be repeated")
        ->expected(1)
        ->take_all();
    command
        .add_option("--template", options.template_file,
                    "with --engine slurm, a batch script with {array}, {command}, ... in it, in place of our own")
        ->check(not_empty("a file"));
    command.add_flag("--print-template", options.prints_template, "print our own batch script, for --template");
    command.add_flag("--wait", slurm.wait, "with --engine slurm: until all of it has ended");
}

Result<study::sweep::SlurmOptions> chosen_slurm_job(const SlurmCommandOptions& options) {
    constexpr std::uint64_t most_template_bytes = 1 << 20U;
    study::sweep::SlurmOptions job = options.job;
    if (options.template_file.empty()) return job;
    auto text = read_whole_text(options.template_file, most_template_bytes);
    if (!text) return text.error();
    if (text->empty())
        return Error{ErrorKind::bad_input, "the template is empty", options.template_file,
                     "sassafras sweep run --print-template prints one to begin with"};
    job.script_template = std::move(*text);
    return job;
}

}  // namespace sassafras::cli
