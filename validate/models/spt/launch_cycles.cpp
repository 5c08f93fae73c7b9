#include "validate/models/spt/launch_cycles.hpp"

#include <fmt/format.h>

#include "sim/metrics/metric_list.hpp"
#include "validate/records/csv.hpp"

namespace sassafras::validate::spt {

namespace {
constexpr const char* remedy = "record it with the same version of the program and the same options";
}

Result<LaunchCycles> LaunchCycles::read(const std::filesystem::path& file) {
    const auto table = CsvTable::read(file);
    if (!table) return table.error();
    const auto kernel = table->column("kernel");
    if (!kernel) return kernel.error();
    const auto cycles = table->column(std::string(name_of("sm__cycles_elapsed.max"_metric)));
    if (!cycles) return cycles.error();
    LaunchCycles launches;
    launches.file_ = file.string();
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto value = table->real(row, *cycles);
        if (!value) return value.error();
        if (!(*value > 0))
            return Error{ErrorKind::bad_input, "a launch takes more than 0 cycles", table->where(row), {}};
        launches.launches_.emplace_back(table->text(row, *kernel), *value);
    }
    return launches;
}

Result<double> LaunchCycles::next(const std::string& kernel) {
    if (at_ == launches_.size())
        return Error{ErrorKind::bad_input, fmt::format("has only {} launches; the next is of {}", at_, kernel), file_,
                     remedy};
    const auto& [name, cycles] = launches_[at_];
    if (name != kernel)
        return Error{ErrorKind::bad_input, fmt::format("launch {} is of {}, not of {}", at_ + 1, name, kernel), file_,
                     remedy};
    ++at_;
    return cycles;
}

Result<void> LaunchCycles::all_taken() const {
    if (at_ == launches_.size()) return {};
    return Error{ErrorKind::bad_input, fmt::format("has {} launches; the measurements made {}", launches_.size(), at_),
                 file_, remedy};
}

}  // namespace sassafras::validate::spt
