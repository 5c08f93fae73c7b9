#include "cudart/unsupported.hpp"

#include "cudart/runtime.hpp"

namespace sassafras::cudart {

void unsupported(std::string_view function) { Runtime::instance().unsupported(function); }

}  // namespace sassafras::cudart
