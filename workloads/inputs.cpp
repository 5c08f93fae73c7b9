#include "workloads/inputs.hpp"

#include <algorithm>
#include <functional>

#include "core/random.hpp"
#include "core/result.hpp"

namespace sassafras::workloads {

std::vector<std::string> key_input_kinds() {
    return {"random", "sorted", "reverse", "equal", "few-distinct", "organ-pipe"};
}

std::vector<std::uint32_t> make_keys(std::string_view kind, std::uint64_t count, std::uint64_t seed,
                                     const HostPoll& poll) {
    Random random(seed);
    const auto draw = [](Random& from) { return from.next_u32(); };
    if (kind == "few-distinct") return choose_among_eight<std::uint32_t>(count, random, draw, poll);
    std::vector<std::uint32_t> keys(count);
    if (kind == "equal") {
        std::fill(keys.begin(), keys.end(), draw(random));
        return keys;
    }
    OccasionalPoll occasional(poll);
    for (std::uint32_t& key : keys) {
        key = draw(random);
        occasional();
    }
    if (kind == "random") return keys;
    if (kind == "reverse") {
        sort_polled(keys, poll, std::greater<>());
        return keys;
    }
    sort_polled(keys, poll);
    if (kind == "organ-pipe") return pipe_of(keys);
    require_invariant(kind == "sorted", "an input kind that was never offered");
    return keys;
}

}  // namespace sassafras::workloads
