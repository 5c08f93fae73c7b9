#include "study/diagnose/counters.hpp"

#include <algorithm>

namespace sassafras::study {

bool Counters::empty() const {
    return std::none_of(values_.begin(), values_.end(), [](const auto& value) { return value.has_value(); });
}

void Counters::add(const Counters& other) {
    const std::optional<double> own_time = find(Quantity::time);
    const std::optional<double> other_time = other.find(Quantity::time);
    for (const QuantityRow& row : quantity_rows) {
        std::optional<double>& value = values_[index(row.quantity)];
        const std::optional<double> added = other.find(row.quantity);
        if (!value || !added) {
            value.reset();
        } else if (row.together == Together::sum) {
            *value += *added;
        } else if (!own_time || !other_time || *own_time + *other_time <= 0) {
            value.reset();
        } else {
            value = (*value * *own_time + *added * *other_time) / (*own_time + *other_time);
        }
    }
}

void add_launch(std::vector<CountedKernel>& kernels, const std::string& name, const Counters& counters) {
    const auto kernel =
        std::find_if(kernels.begin(), kernels.end(), [&](const CountedKernel& known) { return known.name == name; });
    if (kernel == kernels.end()) {
        kernels.push_back({name, 1, counters});
        return;
    }
    kernel->counters.add(counters);
    ++kernel->launches;
}

}  // namespace sassafras::study
