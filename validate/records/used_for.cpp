#include "validate/records/used_for.hpp"

namespace sassafras::validate {

std::string_view used_for_name(UsedFor used_for) { return used_for == UsedFor::model ? "model" : "unseen"; }

Result<UsedFor> parse_used_for(std::string_view text, const std::string& where) {
    for (const UsedFor used_for : {UsedFor::model, UsedFor::unseen})
        if (text == used_for_name(used_for)) return used_for;
    return Error{ErrorKind::bad_input, "a run is used for model or unseen, not '" + std::string(text) + "'", where,
                 "write the file with scripts/import-hardware"};
}

}  // namespace sassafras::validate
