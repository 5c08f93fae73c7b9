// The thesis' heuristics for Xeon Phi, on counters of VTune. Nothing of it is simulated.
// Source: Gehrke 2015, tables 3.17 and 3.18 (events and formulas), 7.3 (thresholds and what to do), 6.19 (form).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/diagnose/counter_names.hpp"

namespace sassafras::study {

struct PhiFigure {
    std::string_view name;
    std::string_view unit;
    std::optional<double> value;      ///< none: an event is missing, or a denominator is 0
    std::optional<double> threshold;  ///< beyond which to look; none where the threshold itself is not known
    bool is_flagged = false;          ///< the value is beyond the threshold
    std::string_view direction;       ///< "greater" or "less": than the threshold is worth a look
    std::string_view advice;          ///< what the thesis says then
};

/// Whether values are those of a Xeon Phi: they have its events.
[[nodiscard]] bool is_xeon_phi(const NamedValues& values);

/// In the order of table 6.19. Beside the events of table 3.17, with underscores, values may have `threads` (224 of the
/// thesis' machine if they do not), `element_bits` (32, or 64 for double precision) and `memory_gb_per_s`, whose
/// formula the thesis does not give.
[[nodiscard]] std::vector<PhiFigure> phi_figures(const NamedValues& values);

}  // namespace sassafras::study
