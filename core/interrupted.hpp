// What a callback throws to end the call that it was called from.
#pragma once

#include <exception>

namespace sassafras {

/// Somebody wants no more of what is being computed. It is nobody's fault, so it is no Error: nothing is reported, and
/// what was computed on (a device) is only good for being destroyed.
class Interrupted : public std::exception {
  public:
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace sassafras
