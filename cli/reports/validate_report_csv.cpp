#include <optional>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/validate_report.hpp"

namespace sassafras::cli {

namespace {

using validate::Comparison;
using validate::ModelEstimate;

std::string number_or_empty(std::optional<double> value) { return value ? number_text(*value) : std::string(); }

class Lines {
  public:
    Lines(const validate::PlatformComparison& platform, const Comparison& run)
        : names_{platform.platform, run.run.workload, run.run.variant, std::to_string(run.run.n),
                 std::to_string(run.launches)},
          run_(run) {}

    [[nodiscard]] std::string model(const ModelEstimate& model) const {
        std::optional<double> g;
        std::optional<double> s;
        std::optional<double> r;
        std::optional<double> y;
        if (model.parts) {
            g = model.parts->g;
            s = model.parts->s;
            r = model.parts->r;
            y = model.parts->y;
        }
        std::optional<double> sync;
        if (model.parts) sync = *model.cycles - *model.kernel_cycles;
        return line(model.model, model.cycles, model.kernel_cycles,
                    {number_or_empty(g), number_or_empty(s), number_or_empty(r), number_or_empty(y),
                     number_or_empty(sync), "", model.misjudged ? model.misjudged->symbol : "",
                     model.misjudged ? number_text(model.misjudged->difference()) : ""},
                    model.reason);
    }
    [[nodiscard]] std::string simulated() const {
        if (!run_.attribution)
            return line("simulated", run_.simulated, run_.simulated, {"", "", "", "", "", "", "", ""}, run_.failure);
        const auto& parts = *run_.attribution;
        return line("simulated", run_.simulated, run_.simulated,
                    {number_text(parts.g), number_text(parts.s), number_text(parts.r), number_text(parts.y),
                     number_text(parts.launch), number_text(parts.other), "", ""},
                    "");
    }
    [[nodiscard]] std::string measured() const {
        std::optional<double> cycles;
        if (run_.measured) cycles = run_.measured->cycles;
        return line("measured", cycles, cycles, {"", "", "", "", "", "", "", ""}, cycles ? "" : "not measured");
    }

  private:
    [[nodiscard]] std::string line(const std::string& what, std::optional<double> cycles,
                                   std::optional<double> kernel_cycles, const std::vector<std::string>& parts,
                                   const std::string& reason) const {
        std::vector<std::string> fields = names_;
        const auto reference = run_.reference();
        fields.insert(fields.end(), {what, number_or_empty(cycles), number_or_empty(kernel_cycles)});
        const bool itself = what == "measured" || (what == "simulated" && !run_.measured);
        fields.push_back(cycles && reference && !itself ? number_text(validate::error_percent(*cycles, *reference))
                                                        : std::string());
        fields.push_back(run_.reference_name());
        fields.insert(fields.end(), parts.begin(), parts.end());
        fields.push_back(reason);
        return csv_line(fields);
    }

    std::vector<std::string> names_;
    const Comparison& run_;
};

}  // namespace

std::string to_csv(const ValidateReport& report) {
    std::string text = csv_line({"platform", "workload", "variant", "n", "launches", "model", "cycles",
                                 "cycles_without_sync", "error_percent", "reference", "g", "s", "r", "y", "sync",
                                 "other", "misjudged", "misjudged_cycles", "reason"});
    for (const validate::PlatformComparison& platform : report.platforms)
        for (const Comparison& run : platform.runs) {
            const Lines lines(platform, run);
            for (const ModelEstimate& model : run.models) text += lines.model(model);
            text += lines.simulated() + lines.measured();
        }
    return text;
}

}  // namespace sassafras::cli
