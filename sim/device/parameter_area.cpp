#include "sim/device/parameter_area.hpp"

#include <algorithm>
#include <cstring>

#include "core/spelling.hpp"

namespace sassafras::sim {

Error unknown_kernel(const isa::Cubin& cubin, const std::string& name, const std::string& origin) {
    std::vector<std::string> known;
    for (const auto& kernel : cubin.kernels) known.push_back(kernel.name);
    return {ErrorKind::bad_input, "there is no kernel " + name + " in the module", origin, name_one_of(name, known)};
}

Result<void> check_arguments(const isa::Kernel& kernel, const Arguments& arguments, const std::string& where) {
    const auto& values = arguments.values();
    const auto& parameters = kernel.parameters;
    for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
        if (values[i].size() == parameters[i].size) continue;
        return Error{ErrorKind::bad_input,
                     "argument " + std::to_string(i) + " has " + std::to_string(values[i].size()) +
                         " bytes, but parameter " + std::to_string(parameters[i].ordinal) + " at offset " +
                         std::to_string(parameters[i].offset) + " has " + std::to_string(parameters[i].size),
                     where, "give it the type that the kernel declares"};
    }
    if (values.size() < parameters.size())
        return Error{ErrorKind::bad_input,
                     "the kernel takes " + std::to_string(parameters.size()) + " arguments, " +
                         std::to_string(values.size()) + " given: parameter " +
                         std::to_string(parameters[values.size()].ordinal) + " of " +
                         std::to_string(parameters[values.size()].size) + " bytes is missing",
                     where,
                     {}};
    if (values.size() > parameters.size())
        return Error{ErrorKind::bad_input,
                     "the kernel takes " + std::to_string(parameters.size()) + " arguments, " +
                         std::to_string(values.size()) + " given",
                     where,
                     {}};
    return {};
}

Result<std::vector<std::byte>> pack_parameters(const isa::Kernel& kernel, const Arguments& arguments,
                                               const std::string& where) {
    if (auto checked = check_arguments(kernel, arguments, where); !checked) return checked.error();
    std::size_t size = kernel.parameter_bytes;
    for (const auto& parameter : kernel.parameters)
        size = std::max(size, static_cast<std::size_t>(parameter.offset) + parameter.size);
    std::vector<std::byte> area(size);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        std::memcpy(area.data() + kernel.parameters[i].offset, arguments.values()[i].data(), kernel.parameters[i].size);
    return area;
}

}  // namespace sassafras::sim
