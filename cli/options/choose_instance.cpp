#include "cli/options/choose_instance.hpp"

#include "core/whole_file.hpp"
#include "validate/models/spt/known_instances.hpp"

namespace sassafras::cli {

Result<validate::spt::Instance> choose_instance(const std::string& name) {
    auto known = validate::spt::known_instance(name);
    if (known || !means_file(name)) return known;
    const auto text = read_whole_text(name, most_json_bytes);
    if (!text) return text.error();
    return validate::spt::parse_instance(*text, name);
}

}  // namespace sassafras::cli
