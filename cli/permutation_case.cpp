#include "cli/permutation_case.hpp"

#include <cstdio>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "core/staged_file.hpp"
#include "workloads/adversary/permutation_schedule.hpp"
#include "workloads/array_file/array_file.hpp"

namespace sassafras::cli {

namespace {

using workloads::adversary::PermutationSchedule;

constexpr std::uint32_t w = 32;

/// Rows of round, lane, from, to.
void write_csv(std::ofstream& file, const PermutationSchedule& schedule, std::span<const std::uint32_t> permutation) {
    file << "round,lane,from,to\n";
    for (std::size_t i = 0; i < schedule.from.size(); ++i)
        if (const std::uint32_t from = schedule.from[i]; from != PermutationSchedule::idle)
            file << fmt::format("{},{},{},{}\n", i / w, i % w, from, permutation[from]);
}

/// "rounds": for each round the word that each lane moves, null if none.
void write_json(std::ofstream& file, const PermutationSchedule& schedule, std::span<const std::uint32_t> permutation) {
    file << fmt::format("{{\"lanes\": {}, \"words\": {}, \"rounds\": [", w, permutation.size());
    for (std::size_t i = 0; i < schedule.from.size(); ++i) {
        file << (i % w != 0 ? ", " : i == 0 ? "\n[" : ",\n[");
        if (schedule.from[i] == PermutationSchedule::idle)
            file << "null";
        else
            file << schedule.from[i];
        if (i % w == w - 1) file << ']';
    }
    file << "\n]}\n";
}

Result<void> write_schedule(const std::string& path, const PermutationSchedule& schedule,
                            std::span<const std::uint32_t> permutation) {
    const StagedFile staged(path);
    std::ofstream file(staged.place(), std::ios::binary | std::ios::trunc);
    if (path.ends_with(".json"))
        write_json(file, schedule, permutation);
    else
        write_csv(file, schedule, permutation);
    file.close();
    if (file && staged.commit()) return {};
    staged.discard();
    return Error{ErrorKind::bad_input, "cannot write the schedule", path, "check its folder, permissions and space"};
}

}  // namespace

Result<int> schedule_case(const WorkloadOptions& options, const std::string& output) {
    if (!options.variant.empty() || options.n || !options.parameters.empty() || !options.input_type.empty() ||
        options.input.empty())
        return Error{ErrorKind::bad_input, "a permutation is given by --input FILE alone", "permutation",
                     "name a file of 32-bit numbers: where each word goes"};
    workloads::ArrayExpectation expected;
    expected.type = workloads::ElementType::u32;
    auto array = workloads::read_array(options.input, expected);
    if (!array) return array.error();
    const auto schedule = workloads::adversary::schedule_permutation(array->narrow, w);
    if (!schedule) return schedule.error();
    if (const std::string fault = workloads::adversary::fault_of(*schedule, array->narrow); !fault.empty())
        throw InvariantViolation("a schedule with a fault: " + fault);
    if (auto written = write_schedule(output, *schedule, array->narrow); !written) return written.error();
    fmt::print(
        "{} words in {} rounds of {} lanes; checked: in no round do two lanes read one bank, or write one\nwrote {}\n",
        grouped(array->narrow.size()), grouped(schedule->rounds()), w, output);
    return 0;
}

}  // namespace sassafras::cli
