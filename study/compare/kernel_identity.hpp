// When two names are of one kernel: profilers spell parameters and arguments of templates in their own ways.
#pragma once

#include <string>
#include <string_view>

namespace sassafras::study {

struct KernelIdentity {
    std::string whole;     ///< "voidscale<float>(constfloat*,int)", without blanks
    std::string instance;  ///< "scale<float>": without result and parameters; "(int)0" is "0" there
    std::string function;  ///< "scale", without namespaces, too

    /// `name` demangled.
    [[nodiscard]] static KernelIdentity of(std::string_view name);
    /// One of both may lack the arguments of its template, as `--kernel-name-base function` leaves them out.
    [[nodiscard]] bool is_same_kernel(const KernelIdentity& other) const;
};

}  // namespace sassafras::study
