#include "validate/models/spt/known_instances.hpp"

#include <fmt/format.h>

#include "core/spelling.hpp"
#include "validate/records/embedded_records.hpp"

namespace sassafras::validate::spt {

Result<std::vector<Instance>> known_instances() {
    std::vector<Instance> instances = built_in_instances();
    for (const EmbeddedRecord& record : embedded_records()) {
        if (record.instance.empty()) continue;
        auto instance = parse_instance(record.instance,
                                       fmt::format("validate/records/{}/measured/spt_instance.json", record.platform));
        if (!instance) return instance.error();
        instance->name = record.platform;
        instances.push_back(std::move(instance).value());
    }
    return instances;
}

Result<Instance> known_instance(const std::string& name) {
    auto instances = known_instances();
    if (!instances) return instances.error();
    std::vector<std::string> names;
    for (Instance& instance : *instances) {
        if (instance.name == name) return std::move(instance);
        names.push_back(instance.name);
    }
    return Error{ErrorKind::bad_input, fmt::format("there is no instance \"{}\"", name), "--instance",
                 name_one_of(name, names) + ", and any .json file by its path"};
}

}  // namespace sassafras::validate::spt
