#include "core/result.hpp"

namespace sassafras {

Error::Error() = default;
Error::Error(ErrorKind kind, std::string_view what, std::string_view where, std::string_view remedy, FaultKind fault)
    : kind(kind), what(what), where(where), remedy(remedy), fault(fault) {}
Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

std::string Error::message() const {
    std::string text = what;
    if (!where.empty()) text += " [" + where + "]";
    if (!remedy.empty()) text += "; " + remedy;
    return text;
}

void violate_invariant(const char* what) { throw InvariantViolation(what); }

}  // namespace sassafras
