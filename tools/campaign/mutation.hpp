// Damage to files, by chance and by what readers are likely to trust: lengths, counts, types of values.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/random.hpp"

namespace sassafras::campaign {

using Bytes = std::string;

/// Below `bound`, which is not 0.
[[nodiscard]] inline std::uint64_t below(SplitMix64& random, std::uint64_t bound) { return random.next() % bound; }

/// One to eight of: bits flipped, bytes set, numbers of 2, 4 and 8 bytes replaced, stretches copied, removed, put in,
/// the end cut off, a stretch of one of `others`.
void damage_bytes(Bytes& bytes, std::span<const Bytes> others, SplitMix64& random);

/// Numbers replaced, lines removed, doubled, exchanged, or damage to bytes.
void damage_text(Bytes& text, std::span<const Bytes> others, SplitMix64& random);

/// Values replaced, exchanged or removed where the text is JSON; now and then damage as to text.
void damage_json(Bytes& text, std::span<const Bytes> others, SplitMix64& random);

}  // namespace sassafras::campaign
