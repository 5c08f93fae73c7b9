#include "sim/execute/concurrent/conflicts.hpp"

namespace sassafras::sim {

namespace {

bool collide(const AccessLog::Line& mine, const AccessLog* changer) {
    const AccessLog::Line* theirs = changer->find(mine.number);
    if (theirs == nullptr) return false;
    return (theirs->written & (mine.read | mine.changed())) != 0 || (theirs->reduced & (mine.read | mine.written)) != 0;
}

/// Some part other than `log`'s has changed what it accessed of a line.
bool was_changed_by_others(const AccessLog::Line& line, const AccessLog& log, std::span<const AccessLog> logs,
                           const LineOwners& owners, std::uint32_t epoch) {
    const LineOwners::Owner owner = owners.owner(line.number, epoch);
    if (!owner.changed) return false;
    if (!owner.shared) return &logs[owner.part] != &log && collide(line, &logs[owner.part]);
    for (const AccessLog& other : logs)
        if (&other != &log && collide(line, &other)) return true;
    return false;
}

}  // namespace

bool has_conflict(std::size_t part, std::span<const AccessLog> logs, const LineOwners& owners, const Regions& regions,
                  std::uint32_t epoch) {
    const AccessLog& log = logs[part];
    if (log.failed) return true;
    for (const std::uint32_t region : log.trusted())
        if (regions[region].first_changed.load(std::memory_order_relaxed) == epoch) return true;
    bool conflict = false;
    log.for_each_line([&](const AccessLog::Line& line) {
        // A part that reads what it has reduced itself needs the sum at once.
        conflict = conflict || (line.reduced & (line.read | line.written)) != 0 ||
                   was_changed_by_others(line, log, logs, owners, epoch);
    });
    return conflict;
}

}  // namespace sassafras::sim
