#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"
#include "cli/reports/kernel_name.hpp"

namespace sassafras::cli::charts {

Spec estimate_parts(const EstimateReport& report) {
    if (!report.spt) return nullptr;
    Spec values = Spec::array();
    for (const validate::spt::Term& term : report.spt->terms)
        values.push_back(
            {{"term", kernel_name(term.kernel) + ": " + term.symbol + (term.part.empty() ? "" : ", " + term.part)},
             {"cycles", term.cycles},
             {"bound by", term.bound == validate::spt::Bound::latency ? "latency" : "bandwidth"},
             {"share %", 100 * term.share}});
    values.push_back({{"term", "device synchronisation"},
                      {"cycles", report.spt->sync_cycles},
                      {"bound by", "synchronisation"},
                      {"share %", report.spt->cycles > 0 ? 100 * report.spt->sync_cycles / report.spt->cycles : 0}});
    return bars(std::move(values),
                {.name = "term", .value = "cycles", .x = "cycles", .color = "bound by", .format = ",.1~f"});
}

}  // namespace sassafras::cli::charts
