// Parts that records of several kinds have.
#pragma once

#include <stdexcept>

#include <nlohmann/json_fwd.hpp>

#include "core/types.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::cudart {

/// A record that is JSON, and says what no program writes.
class DamagedRecord : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

[[nodiscard]] nlohmann::ordered_json extents_json(const Dim3& extents);
[[nodiscard]] Dim3 read_extents(const nlohmann::ordered_json& json);

/// An instruction as its words and its architecture, from which it is decoded again.
[[nodiscard]] nlohmann::ordered_json instruction_json(const isa::Instruction& instruction);
/// Throws DamagedRecord if there is no such instruction.
[[nodiscard]] isa::Instruction read_instruction(const nlohmann::ordered_json& json);

}  // namespace sassafras::cudart
