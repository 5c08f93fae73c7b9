#include "cudart/protocol/record_parts.hpp"

#include <nlohmann/json.hpp>

namespace sassafras::cudart {

nlohmann::ordered_json extents_json(const Dim3& extents) {
    return nlohmann::ordered_json::array({extents.x, extents.y, extents.z});
}

Dim3 read_extents(const nlohmann::ordered_json& json) {
    return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

nlohmann::ordered_json instruction_json(const isa::Instruction& instruction) {
    return nlohmann::ordered_json::array(
        {instruction.word.low, instruction.word.high, static_cast<int>(instruction.architecture)});
}

isa::Instruction read_instruction(const nlohmann::ordered_json& json) {
    const auto architecture = json.at(2).get<std::size_t>();
    if (architecture >= isa::architecture_count) throw DamagedRecord("there is no such architecture");
    const auto instruction = isa::decode({json.at(0).get<std::uint64_t>(), json.at(1).get<std::uint64_t>()},
                                         static_cast<isa::Architecture>(architecture));
    if (!instruction) throw DamagedRecord(instruction.error().what);
    return *instruction;
}

}  // namespace sassafras::cudart
