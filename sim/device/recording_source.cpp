#include "sim/device/recording_source.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace sassafras::sim {

namespace {

/// Of the warp that has most, before a block's records are written: parts that are worth a frame of their own.
constexpr std::uint64_t recorded_part = 2048;

}  // namespace

RecordingSource::RecordingSource(TraceSource& origin, const std::string& file)
    : origin_(origin), sites_(origin.program()), writer_(file, sites_) {}

Result<void> RecordingSource::open(std::uint32_t sm_count) {
    return writer_.open({origin_.program().kernel, origin_.shape(), sm_count});
}

Result<BlockTrace*> RecordingSource::start(std::uint64_t block_index) {
    const Result<BlockTrace*> started = origin_.start(block_index);
    if (!started) return started;
    std::unique_ptr<Recorded> block;
    if (spare_.empty()) {
        block = std::make_unique<Recorded>();
    } else {
        block = std::move(spare_.back());
        spare_.pop_back();
    }
    block->origin = *started;
    for (BlockTrace* trace : {static_cast<BlockTrace*>(block.get()), &block->kept}) {
        trace->block_index = block_index;
        trace->warps.resize((*started)->warps.size());
        for (WarpTrace& warp : trace->warps) warp.clear();
    }
    block->owed.assign(block->warps.size(), {});
    resident_.push_back(std::move(block));
    return resident_.back().get();
}

Result<void> RecordingSource::advance(BlockTrace& trace, std::uint64_t instructions_ahead) {
    auto& block = static_cast<Recorded&>(trace);
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
        if (block.warps[i].has_turn) block.origin->warps[i].take_turn();
        block.warps[i].has_turn = false;
        if (block.warps[i].woken == 0) continue;
        block.origin->warps[i].wake(block.warps[i].woken);
        block.warps[i].woken = 0;
    }
    if (auto advanced = origin_.advance(*block.origin, instructions_ahead); !advanced) return advanced;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
        WarpTrace& from = block.origin->warps[i];
        Segment& owed = block.owed[i];
        if (owed.count != 0 && (from.has_segment() || from.state != WarpTrace::State::waiting_turn)) {
            copy_payload(owed, from, block.warps[i], block.kept.warps[i]);
            block.kept.warps[i].push_segment(owed);
            owed.count = 0;
        }
        while (from.has_segment() && block.warps[i].buffered() < instructions_ahead)
            owed = copy_records(from, block.warps[i], block.kept.warps[i]);
        block.warps[i].state = from.has_segment() ? WarpTrace::State::running : from.state;
        most = std::max(most, block.kept.warps[i].buffered());
    }
    if (most >= recorded_part) write(block);
    return {};
}

/// What is left out of it for now: its last instruction, if its payload has not come.
Segment RecordingSource::copy_records(WarpTrace& from, WarpTrace& to, WarpTrace& kept) {
    const Segment segment = from.pop_segment();
    to.push_segment(segment);
    const auto [complete, owed] = without_owed(segment, from);
    if (complete.count != 0) {
        copy_payload(complete, from, to, kept);
        kept.push_segment(complete);
    }
    return owed;
}

void RecordingSource::copy_payload(const Segment& segment, WarpTrace& from, WarpTrace& to, WarpTrace& kept) {
    for (std::uint32_t site = sites_.begin(segment); site < sites_.end(segment); ++site) {
        if (!sites_[site].is_access) {
            const std::uint64_t value = from.pop_value();
            to.push_value(value);
            kept.push_value(value);
            continue;
        }
        const std::span<const std::uint64_t> words = from.pop_access_words();
        std::copy(words.begin(), words.end(), to.push_access_words(words.size()).begin());
        std::copy(words.begin(), words.end(), kept.push_access_words(words.size()).begin());
    }
}

void RecordingSource::write(Recorded& block) {
    if (failure_) return;
    for (std::size_t i = 0; i < block.warps.size(); ++i) block.kept.warps[i].state = block.warps[i].state;
    if (auto added = writer_.add(block.kept); !added) failure_ = std::make_unique<Error>(added.error());
}

void RecordingSource::provide_clock(BlockTrace& trace, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) {
    auto& block = static_cast<Recorded&>(trace);
    writer_.count_clock_read();
    origin_.provide_clock(*block.origin, warp, now, nanoseconds);
    block.warps[warp].state = block.origin->warps[warp].state;
}

void RecordingSource::finish(BlockTrace& trace) {
    const auto found =
        std::find_if(resident_.begin(), resident_.end(), [&](const auto& block) { return block.get() == &trace; });
    require_invariant(found != resident_.end(), "finish() of a block that is not resident");
    write(**found);
    origin_.finish(*(*found)->origin);
    spare_.push_back(std::move(*found));
    *found = std::move(resident_.back());
    resident_.pop_back();
}

Result<void> RecordingSource::close(TracedLaunch& traced) {
    if (failure_) return *failure_;
    if (auto done = writer_.close(); !done) return done;
    traced.kernel = origin_.program().kernel.name;
    traced.warp_instructions = writer_.index().warp_instructions;
    traced.clock_reads = writer_.index().clock_reads;
    traced.bytes = writer_.bytes();
    traced.checksum = writer_.checksum();
    return {};
}

}  // namespace sassafras::sim
