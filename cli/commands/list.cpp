#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "cli/reports/metric_page.hpp"
#include "core/printable.hpp"
#include "sim/platform/platform_reader.hpp"
#include "validate/models/spt/known_instances.hpp"
#include "workloads/workload.hpp"

namespace sassafras::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string describe(const workloads::WorkloadInfo& info) {
    std::string text = fmt::format("  {}: {}\n", info.name, info.description);
    text += fmt::format("    --n: {}; {} if not given, at most {}\n", info.size_description, info.default_n,
                        info.greatest_n);
    std::vector<std::string> variants;
    for (const auto& variant : info.variants) {
        std::string fixed;
        for (const auto& [name, value] : variant.fixed)
            fixed += fmt::format("{}{} = {}", fixed.empty() ? " (" : ", ", name, value);
        variants.push_back(variant.name + fixed + (fixed.empty() ? "" : ")"));
    }
    text += fmt::format("    --variant: {}\n", joined(variants));
    text += fmt::format("    --input: {}\n", joined(info.inputs));
    if (!info.own_input.empty()) text += fmt::format("    --input FILE: {}\n", info.own_input);
    for (const auto& parameter : info.parameters)
        text += fmt::format(
            "    --{}: {}; {} to {}{}\n", parameter.name, parameter.description, parameter.least, parameter.greatest,
            parameter.otherwise ? fmt::format(", {} if not given", *parameter.otherwise) : std::string());
    return text;
}

}  // namespace

void add_list(CLI::App& app, Program& program) {
    CLI::App* command = app.add_subcommand(
        "list", "Show workloads with their variants, inputs and parameters, platforms, and SPT instances");
    const auto metrics = std::make_shared<bool>(false);
    command->add_flag("--metrics", *metrics, "show the metrics instead, as docs/metrics.md has them");
    command->callback([&program, metrics] {
        program.chosen = [&program, metrics]() -> Result<int> {
            if (*metrics) return end_with(*program.console, metric_page());
            std::string text = "Workloads\n";
            for (const auto& info : workloads::list()) text += describe(info);
            text += "Platforms\n";
            for (const auto& name : sim::platform_names()) text += fmt::format("  {}\n", name);
            const auto instances = validate::spt::known_instances();
            if (!instances) return instances.error();
            text += "SPT instances (--instance)\n";
            for (const auto& instance : *instances)
                text += fmt::format("  {}{}\n", instance.name,
                                    instance.description.empty() ? "" : ": " + instance.description);
            if (auto printed = program.console->print(program.console->laid_out(for_terminal(text))); !printed)
                return printed.error();
            return 0;
        };
    });
}

}  // namespace sassafras::cli
