// What a study's table says at a glance, before it is text or a drawing: its Pareto front, and what each parameter
// does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "study/pareto/elasticity.hpp"
#include "study/sweep/study_folder.hpp"
#include "study/sweep/table.hpp"

namespace sassafras::cli {

/// NaN where there is no number.
[[nodiscard]] double number_at(const study::sweep::Table& table, const study::sweep::Table::Column& column,
                               std::size_t row);

/// Rows that count for what is said of all: what a run that failed measured before is no result.
struct CountedRows {
    std::vector<std::size_t> rows;   ///< done, and with a number wherever one is asked for
    std::size_t not_done = 0;        ///< left out
    std::size_t repeated = 0;        ///< left out: the result of another row, as they differ in what has no effect
    std::size_t without_number = 0;  ///< left out, though they are done
};

struct StudyFront {
    using Columns = std::vector<const study::sweep::Table::Column*>;
    /// Runs that did the same work.
    struct Group {
        std::string work;               ///< what it was; empty if all did the same
        std::vector<std::size_t> rows;  ///< those that count
        std::vector<std::size_t>
            front;              ///< rows that no other of them beats, by the first goal; of equal ones the first
        std::size_t equal = 0;  ///< rows that have the goals of one of these, and are not there for that
    };
    std::vector<std::string> goals;  ///< as they were asked for
    Columns goal_columns;
    Columns shown;  ///< goals, then what tells the work, then the study's parameters
    std::vector<Group> groups;
    CountedRows counted;
};

/// The runs that no other beats in `best` and all of `costs`, each as small as can be: for each combination of what is
/// in the columns `by` apart. If `by` is empty, and the study varies numbers of the GPU, those are its options: designs
/// are compared that did the same work. Error bad_input: no such column, or no numbers in it.
[[nodiscard]] Result<StudyFront> study_front(const study::sweep::StudyFolder& study, const study::sweep::Table& table,
                                             const std::string& best, const std::vector<std::string>& costs,
                                             const std::vector<std::string>& by);

struct StudySensitivity {
    /// A parameter of several values that has no exponent.
    struct LeftOut {
        std::string name;
        std::string why;
    };
    std::string column;
    study::Fit fit;
    CountedRows counted;
    std::vector<LeftOut> left_out;
};

/// By how many per cent `result` changes where a parameter changes by one; the parameters are those of the study that
/// are numbers above 0. Runs that differ in another parameter are compared apart, unless it is the seed: those are
/// repetitions. Errors: bad_input as study::fit_elasticities.
[[nodiscard]] Result<StudySensitivity> study_sensitivity(const study::sweep::StudyFolder& study,
                                                         const study::sweep::Table& table, const std::string& result);

}  // namespace sassafras::cli
