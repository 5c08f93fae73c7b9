#include "workloads/inputs.hpp"

#include <algorithm>
#include <functional>

#include "core/random.hpp"
#include "core/result.hpp"

namespace sassafras::workloads {

std::vector<std::string> key_input_kinds() { return {"random", "sorted", "reverse", "equal"}; }

std::vector<std::uint32_t> make_keys(std::string_view kind, std::uint64_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint32_t> keys(count);
    if (kind == "equal") {
        std::fill(keys.begin(), keys.end(), random.next_u32());
        return keys;
    }
    for (std::uint32_t& key : keys) key = random.next_u32();
    if (kind == "sorted")
        std::sort(keys.begin(), keys.end());
    else if (kind == "reverse")
        std::sort(keys.begin(), keys.end(), std::greater<>());
    else
        require_invariant(kind == "random", "an input kind that was never offered");
    return keys;
}

}  // namespace sassafras::workloads
