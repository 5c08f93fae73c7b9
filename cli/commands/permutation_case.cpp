#include "cli/commands/permutation_case.hpp"

#include <cstdio>
#include <span>

#include <fmt/format.h>

#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "core/array_file/array_file.hpp"
#include "core/array_file/element_order.hpp"
#include "core/number_text.hpp"
#include "core/output_place.hpp"
#include "core/staged_file.hpp"
#include "study/adversary/permutation_schedule.hpp"

namespace sassafras::cli {

namespace {

using study::adversary::PermutationSchedule;

constexpr std::uint32_t w = 32;
constexpr std::uint64_t greatest_permutation = 1U << 24U;  ///< words; far more than any shared memory has

OutputName schedule_file(const std::string& path) { return {path, "the schedule", "--output"}; }

/// Rows of round, lane, from, to.
std::string csv_row(std::size_t i, const PermutationSchedule& schedule, std::span<const std::uint32_t> permutation) {
    const std::uint32_t from = schedule.from[i];
    if (from == PermutationSchedule::idle) return {};
    return fmt::format("{},{},{},{}\n", i / w, i % w, from, permutation[from]);
}

/// Of a list for each round: the word that each lane moves, null if none.
std::string json_cell(std::size_t i, const PermutationSchedule& schedule) {
    const char* const begin = i % w != 0 ? ", " : i == 0 ? "\n[" : ",\n[";
    const char* const end = i % w == w - 1 ? "]" : "";
    if (schedule.from[i] == PermutationSchedule::idle) return fmt::format("{}null{}", begin, end);
    return fmt::format("{}{}{}", begin, schedule.from[i], end);
}

Result<void> write_schedule(const std::string& path, const PermutationSchedule& schedule,
                            std::span<const std::uint32_t> permutation) {
    const bool is_json = path.ends_with(".json");
    StagedFile staged(schedule_file(path));
    if (auto opened = staged.open(); !opened) return opened;
    const std::string begin = is_json
                                  ? fmt::format("{{\"lanes\": {}, \"words\": {}, \"rounds\": [", w, permutation.size())
                                  : std::string("round,lane,from,to\n");
    if (auto written = staged.write(begin); !written) return written;
    for (std::size_t i = 0; i < schedule.from.size(); ++i) {
        const std::string cell = is_json ? json_cell(i, schedule) : csv_row(i, schedule, permutation);
        if (auto written = staged.write(cell); !written) return written;
    }
    if (auto written = staged.write(std::string_view(is_json ? "\n]}\n" : "")); !written) return written;
    return staged.commit();
}

}  // namespace

void add_permutation_options(CLI::App& command, PermutationOptions& options) {
    command.add_option("--input", options.input, "file of whole numbers, NumPy's .npy or raw: where each word goes")
        ->required()
        ->check(not_empty("a file"));
    command.add_option("--input-type", options.input_type, "numbers of a raw file; u4 if not given")
        ->transform(one_of({"u4", "u8", "i4", "i8"}));
    command.add_option("-o,--output", options.output, "file for the schedule: JSON if it is called .json, else CSV")
        ->required()
        ->check(output_file());
}

Result<int> schedule_case(const PermutationOptions& options, const Console& console) {
    const auto reserved = reserve_output_file(schedule_file(options.output));
    if (!reserved) return reserved.error();
    if (auto checked = check_not_read(options.output, "--output", options.input); !checked) return checked.error();
    ArrayExpectation expected;
    for (const ElementTypeNames& known : element_types)
        if (known.name == options.input_type) expected.type = known.type;
    expected.greatest_count = greatest_permutation;
    auto array = read_array(options.input, expected);
    if (!array) return array.error();
    if (is_float(array->type))
        return Error{ErrorKind::bad_input,
                     fmt::format("the file holds {}, and places are whole numbers", names_of(array->type).name),
                     options.input, "save it with array.astype('<u4')"};
    if (auto narrowed = narrow_to_32_bits(*array, options.input); !narrowed) return narrowed.error();
    const auto schedule = study::adversary::schedule_permutation(array->narrow, w);
    if (!schedule) return schedule.error();
    if (const std::string fault = study::adversary::fault_of(*schedule, array->narrow); !fault.empty())
        throw InvariantViolation("a schedule with a fault: " + fault);
    if (auto written = write_schedule(options.output, *schedule, array->narrow); !written) return written.error();
    return end_with(console,
                    fmt::format("{} words in {} rounds of {} lanes; checked: in no round do two lanes read one bank, "
                                "or write one\nwrote {}\n",
                                grouped(array->narrow.size()), grouped(schedule->rounds()), w, options.output));
}

}  // namespace sassafras::cli
