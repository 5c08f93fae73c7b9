#include "validate/models/spt/oversubscription.hpp"

#include <algorithm>

namespace sassafras::validate::spt {

double oversubscription(const KernelProfile& profile, const Instance& instance) {
    double resident = std::min(instance.threads_per_core, profile.blocks * profile.threads_per_block / instance.cores);
    if (profile.registers_per_thread > 0)
        resident = std::min(resident, instance.register_words / (profile.registers_per_thread * instance.cores));
    if (profile.shared_words_per_block > 0)
        resident = std::min(resident, instance.shared_words * profile.threads_per_block /
                                          (profile.shared_words_per_block * instance.cores));
    return resident;
}

}  // namespace sassafras::validate::spt
