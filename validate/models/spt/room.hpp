// Whether a kernel has room on a machine. The printed formulas go on below that, where they have no meaning.
#pragma once

#include <string>

#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

/// What is lacking: an SM holds no block of `block_words` words of shared memory, or the GPU less than one thread a
/// core (M_o < 1), as shared memory or registers allow. Empty if nothing is.
[[nodiscard]] std::string lack_of_room(const Instance& instance, double oversubscription, double block_words);

}  // namespace sassafras::validate::spt
