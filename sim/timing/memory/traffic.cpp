#include "sim/timing/memory/traffic.hpp"

#include <cmath>

namespace sassafras::sim {

namespace {

std::uint64_t times(std::uint64_t count, double factor) {
    return factor == 1 ? count : static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
}

}  // namespace

void L1Traffic::add(const L1Traffic& other, double factor) {
    wavefronts += times(other.wavefronts, factor);
    line_requests += times(other.line_requests, factor);
    store_cycles += times(other.store_cycles, factor);
}

void L2Accesses::add(const L2Accesses& other, double factor) {
    requests += times(other.requests, factor);
    sectors += times(other.sectors, factor);
}

void L2Traffic::add(const L2Traffic& other, double factor) {
    reads.add(other.reads, factor);
    writes.add(other.writes, factor);
    reductions.add(other.reductions, factor);
    atomics.add(other.atomics, factor);
    read_misses += times(other.read_misses, factor);
    brought += times(other.brought, factor);
    masked += times(other.masked, factor);
    lines += times(other.lines, factor);
}

}  // namespace sassafras::sim
