// The recorded cycles of real GPUs (validate/records/*/measured/cycles.csv) and their SPT instances, which the build
// puts into the program so that it has them wherever it is carried.
#pragma once

#include <span>
#include <string_view>

namespace sassafras::validate {

struct EmbeddedRecord {
    std::string_view platform;  ///< the folder's name, that of the platform which models this GPU
    std::string_view cycles;    ///< cycles.csv
    std::string_view instance;  ///< spt_instance.json; empty if there is none
};

/// In the order of their names.
[[nodiscard]] std::span<const EmbeddedRecord> embedded_records();

}  // namespace sassafras::validate
