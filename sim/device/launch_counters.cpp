#include "sim/device/launch_counters.hpp"

#include <bit>

namespace sassafras::sim {

LaunchCounters::LaunchCounters(const isa::Program& program, const Platform&)
    : program_(program), executed_change_(program.instructions.size() + 1), threads_change_(program.instructions.size() + 1) {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        first_site_.push_back(static_cast<std::uint32_t>(sites_.size()));
        const isa::Opcode opcode = program.instructions[i].opcode;
        if (isa::is_memory_access(opcode)) sites_.push_back({i, Payload::access});
        if (opcode == isa::Opcode::BAR || opcode == isa::Opcode::NANOSLEEP) sites_.push_back({i, Payload::value});
    }
}

void LaunchCounters::drain(WarpTrace& trace) {
    while (trace.has_segment()) {
        const Segment segment = trace.pop_segment();
        const auto threads = static_cast<std::uint64_t>(std::popcount(segment.mask));
        warp_instructions_ += segment.count;
        executed_change_[segment.first] += 1;
        executed_change_[segment.first + segment.count] -= 1;
        threads_change_[segment.first] += threads;
        threads_change_[segment.first + segment.count] -= threads;
        count_payloads(segment, trace);
    }
}

void LaunchCounters::count_payloads(const Segment& segment, WarpTrace& trace) {
    AccessRecord access;
    for (std::size_t site = first_site_[segment.first]; site < sites_.size() && sites_[site].instruction < segment.first + segment.count; ++site) {
        if (sites_[site].payload == Payload::value) {
            (void)trace.pop_value();
        } else {
            trace.pop_access(access);
        }
    }
}

void LaunchCounters::write_metrics(KernelResult& result) const {
    std::uint64_t threads = 0;
    std::uint64_t active = 0;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
        active += threads_change_[i];
        threads += active;
    }
    result.metrics.emplace_back("smsp__inst_executed.sum", static_cast<double>(warp_instructions_));
    result.metrics.emplace_back("smsp__thread_inst_executed.sum", static_cast<double>(threads));
}

std::vector<SourceRow> LaunchCounters::source_rows() const {
    std::vector<SourceRow> rows(program_.instructions.size());
    std::uint64_t executed = 0;
    std::uint64_t threads = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        executed += executed_change_[i];
        threads += threads_change_[i];
        rows[i].pc = i * isa::instruction_bytes;
        rows[i].sass = isa::print(program_.instructions[i], rows[i].pc);
        rows[i].inst_executed = executed;
        rows[i].thread_inst_executed = threads;
    }
    return rows;
}

}  // namespace sassafras::sim
