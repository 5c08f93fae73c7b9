// What is known of a kernel, by quantity.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/diagnose/quantity.hpp"

namespace sassafras::study {

class Counters {
  public:
    void put(Quantity quantity, double value) { values_[index(quantity)] = value; }
    [[nodiscard]] std::optional<double> find(Quantity quantity) const { return values_[index(quantity)]; }
    [[nodiscard]] bool empty() const;

    /// The sum of those that are known; none if one of them is not.
    template <class... Quantities>
    [[nodiscard]] std::optional<double> sum(Quantities... quantities) const {
        std::optional<double> total = 0.0;
        ((total = total && find(quantities) ? std::optional(*total + *find(quantities)) : std::nullopt), ...);
        return total;
    }

    /// Another launch of the kernel beside those that this one has. What one of them does not know, both do not know
    /// together; means need the times of both.
    void add(const Counters& other);

  private:
    static constexpr std::size_t index(Quantity quantity) { return static_cast<std::size_t>(quantity); }
    std::array<std::optional<double>, quantity_count> values_{};
};

/// The launches of one kernel.
struct CountedKernel {
    std::string name;
    std::uint64_t launches = 0;
    Counters counters;
};

/// Adds a launch to its kernel, or begins a kernel; kernels stay in the order of their first launches.
void add_launch(std::vector<CountedKernel>& kernels, const std::string& name, const Counters& counters);

}  // namespace sassafras::study
