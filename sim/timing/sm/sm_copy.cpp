// Copies from global to shared memory that bypass registers (LDGSTS), and the scoreboard that counts groups of them: an
// LDGDEPBAR closes a group, and its scoreboard clears once that group and all before it are done.
#include <algorithm>

#include "sim/timing/sm/sm.hpp"

namespace sassafras::sim {

Sm::Copies& Sm::copies_of(std::uint16_t slot) {
    if (copies_.empty()) copies_.resize(warps_.size());
    Copies& copies = copies_[slot];
    if (copies.age != warps_[slot].age) copies = {.age = warps_[slot].age};
    return copies;
}

void Sm::start_copy(std::uint16_t slot, const TimingOp& op, std::uint32_t token) {
    Copies& copies = copies_of(slot);
    ++copies.groups.back().outstanding;
    AccessRecord stored;
    warps_[slot].trace->pop_access(stored);
    LoadOperation& load = loads_[token];
    load.copy_wavefronts = count_shared(slot, op, stored, SharedAccessKind::store);
    load.copy_group = copies.first + static_cast<std::uint32_t>(copies.groups.size());
}

void Sm::close_copies(std::uint16_t slot, const TimingOp& op, std::uint64_t now) {
    Copies& copies = copies_of(slot);
    if (op.write_barrier < 6) hold(warps_[slot], op.write_barrier, true);
    copies.groups.back().scoreboard = op.write_barrier;
    copies.groups.back().closed = true;
    copies.groups.emplace_back();
    retire_copies(slot, now);
}

void Sm::copy_done(const LoadOperation& load, std::uint64_t now) {
    if (!warps_[load.warp].live || warps_[load.warp].age != load.age) return;  // exited without waiting
    Copies& copies = copies_of(load.warp);
    --copies.groups[load.copy_group - 1 - copies.first].outstanding;
    retire_copies(load.warp, now);
}

void Sm::retire_copies(std::uint16_t slot, std::uint64_t now) {
    Copies& copies = copies_of(slot);
    while (copies.groups.front().closed && copies.groups.front().outstanding == 0) {
        const std::uint8_t scoreboard = copies.groups.front().scoreboard;
        if (scoreboard < 6) release_later(slot, scoreboard, now + 1, Event::Kind::release_write);
        copies.groups.erase(copies.groups.begin());
        ++copies.first;
    }
}

}  // namespace sassafras::sim
