#include "cli/options/choose_instance.hpp"

#include <filesystem>

#include "cli/options/options.hpp"
#include "validate/models/spt/known_instances.hpp"

namespace sassafras::cli {

Result<validate::spt::Instance> choose_instance(const std::string& name) {
    auto known = validate::spt::known_instance(name);
    std::error_code ignored;
    if (known || (name.find('/') == std::string::npos && !std::filesystem::exists(name, ignored))) return known;
    const auto bytes = read_file(name);
    if (!bytes) return bytes.error();
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return validate::spt::parse_instance(text, name);
}

}  // namespace sassafras::cli
