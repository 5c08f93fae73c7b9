// --check: calls of the runtime API that return an error, as memcheck reports them.
#pragma once

#include <driver_types.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/check/finding.hpp"

namespace sassafras::cudart {

class FailedCalls {
  public:
    /// `function`: its name, also with the suffix of a program whose default stream is per thread.
    void add(std::string_view function, cudaError_t error);
    /// What the next call that fails has to say beside its error.
    void explain(std::string detail) { detail_ = std::move(detail); }
    /// One a function and error, in the order in which they first failed.
    [[nodiscard]] const std::vector<sim::Finding>& findings() const { return findings_; }

  private:
    std::string detail_;
    std::vector<sim::Finding> findings_;
    std::map<std::pair<std::string, cudaError_t>, std::size_t> known_;  ///< index into findings_
};

}  // namespace sassafras::cudart
