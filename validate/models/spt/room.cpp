#include "validate/models/spt/room.hpp"

#include <fmt/format.h>

namespace sassafras::validate::spt {

std::string lack_of_room(const Instance& instance, double oversubscription, double block_words) {
    const double an_sm = instance.shared_words / instance.multiprocessors;
    if (block_words > an_sm)
        return fmt::format("a block needs {:.0f} words of shared memory, an SM of {} has {:.0f}", block_words,
                           instance.name, an_sm);
    if (oversubscription < 1)
        return fmt::format("{} holds {:.3g} threads a core, less than one (M_o < 1)", instance.name, oversubscription);
    return {};
}

}  // namespace sassafras::validate::spt
