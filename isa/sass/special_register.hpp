// Special registers (S2R, S2UR, CS2R): numbers and names.
#pragma once

#include <cstdint>
#include <string>

namespace sassafras::isa {

std::string special_register_name(std::uint64_t number);

}  // namespace sassafras::isa
