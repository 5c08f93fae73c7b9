// A run's record as the store has it, checked: files may be damaged, or written by another program.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/result.hpp"
#include "study/sweep/run_store.hpp"

namespace sassafras::study::sweep {

/// It is whole, by its checksum, and that of the run of this key, which ended so. Of ten thousand that takes a tenth of
/// a second.
[[nodiscard]] bool is_intact(const RunStore& store, const std::string& key, RunStore::State state);
/// The same, and its "report" is an object, of a failed run perhaps null. Each of its kernels is an object; its
/// metrics, which one that is a part of a run (`is_part`) must have, are numbers, or null where one was none, but for
/// the cycles. Error bad_input, with the file, for anything else.
[[nodiscard]] Result<nlohmann::ordered_json> read_record(const RunStore& store, const std::string& key,
                                                         RunStore::State state, bool is_part);

}  // namespace sassafras::study::sweep
