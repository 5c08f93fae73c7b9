#include "cli/validate_claims.hpp"

namespace sassafras::cli {

Result<int> run_claims(const ClaimOptions& /*options*/, const std::vector<std::string>& /*command*/) {
    return Error{ErrorKind::not_modelled, "claims are not evaluated yet", "--claims", "leave it out"};
}

}  // namespace sassafras::cli
