// A trace file taken apart and put together again with right checksums: else damage would never get past them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/random.hpp"
#include "tools/campaign/mutation.hpp"

namespace sassafras::campaign {

/// The file with its header, one of its frames or its index damaged, and checksums as if it had been written so. The
/// file as it is where it is no trace.
[[nodiscard]] Bytes damage_sealed(const Bytes& file, std::span<const Bytes> others, SplitMix64& random);

/// The file's checksum, as an index has it: of its epilogue; 0 where it has none.
[[nodiscard]] std::uint64_t checksum_in(const Bytes& file);

/// The text of an index.json with a right checksum in place of its last, which is that of `sealed_index` before damage.
[[nodiscard]] Bytes seal_index(const Bytes& text);

}  // namespace sassafras::campaign
