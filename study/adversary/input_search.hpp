// Searching for a worst or best input by measuring again and again: worst-case and best-case with --metric, for
// workloads and for a user's kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "study/adversary/hill_climb.hpp"

namespace sassafras::study::adversary {

/// How long to search, and for what.
struct SearchPlan {
    std::string metric;  ///< its sum over all launches is sought; empty: no search
    std::optional<std::uint64_t> evaluations;
    std::optional<double> minutes;
    std::string resume;  ///< file of the state; empty: none
    std::uint64_t patience = 2000;
    std::string values;  ///< LEAST..GREATEST; empty: as the input allows
};

/// What a search is over.
struct SearchSubject {
    std::string what;  ///< all that decides what a candidate costs, but for what the plan says
    Numbers start;
    ElementType type = ElementType::u32;
    ClimbRules rules;
    /// Launches all there is to measure.
    std::function<Result<void>(sim::Device&, const Numbers&)> run;
    std::vector<std::string> files;  ///< that it reads, which the search must not write over
    /// How to run what is found in a file.
    std::function<std::string(const std::string& file)> run_with;
};

/// What measures. Each candidate meets a modelled GPU as it is at first, so that what ran before it (where code was
/// loaded, say) does not count.
struct SearchDevice {
    std::unique_ptr<sim::Device> device;
    /// Another one, as `device` was before anything ran on it; empty for a real GPU.
    std::function<std::unique_ptr<sim::Device>()> make_another;
    std::string platform_hash;  ///< empty for a real GPU
};

/// Who is told how the search goes.
struct SearchObserver {
    std::function<void(const ClimbState&)> progress;  ///< after each evaluation
    std::function<void()> pause;                      ///< the search ends, or something else is to be said
    std::function<void(const std::string&)> note;     ///< what a user should know
};

struct SearchOutcome {
    std::string question;  ///< what was searched for: all that decides what comes out
    std::string metric;    ///< of which best_value is the sum
    std::uint64_t evaluations = 0;
    std::uint64_t restarts = 0;
    double best_value = 0;
    bool is_interrupted = false;  ///< before it had made the evaluations, or had taken the time, that were asked for
};

/// Runs the search and writes the best input found to `output`, unless that is empty; also where what it calls has
/// thrown Interrupted, which goes on only if nothing had been measured. Errors: bad_input if files would
/// be written over one another or over what is read, if --resume is of another question, if the metric does not exist;
/// or whatever the subject's run reports.
[[nodiscard]] Result<SearchOutcome> search_input(SearchSubject subject, SearchDevice device, std::uint64_t seed,
                                                 const SearchPlan& plan, const std::string& output,
                                                 const SearchObserver& observer);

}  // namespace sassafras::study::adversary
