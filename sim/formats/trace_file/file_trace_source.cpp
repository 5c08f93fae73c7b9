#include "sim/formats/trace_file/file_trace_source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace sassafras::sim {

FileTraceSource::FileTraceSource(TraceFileReader reader)
    : reader_(std::move(reader)), sites_(reader_.program()), decoder_(sites_) {
    warps_per_block_ = static_cast<std::uint32_t>((shape().block.volume() + warp_size - 1) / warp_size);
    sinks_.resize(warps_per_block_);
    // The index is in the order of the file; entries_ is in the order of blocks.
    const TraceIndex& index = reader_.index();
    first_entry_.assign(shape().grid.volume() + 1, 0);
    index.for_each_entry([&](std::size_t /*frame*/, std::uint64_t block) { ++first_entry_[block + 1]; });
    for (std::size_t i = 1; i < first_entry_.size(); ++i) first_entry_[i] += first_entry_[i - 1];
    entries_.resize(index.entry_count());
    std::vector<std::uint64_t> filled(first_entry_.begin(), first_entry_.end() - 1);
    std::uint64_t number = 0;  // of the entry, in the file
    index.for_each_entry([&](std::size_t frame, std::uint64_t block) {
        const auto in_frame = static_cast<std::uint32_t>(number++ - index.frames[frame].first_entry);
        entries_[filled[block]++] = {static_cast<std::uint32_t>(frame), in_frame};
    });
}

Result<BlockTrace*> FileTraceSource::start(std::uint64_t block_index) {
    if (block_index >= shape().grid.volume())
        return Error{ErrorKind::bad_input, fmt::format("block {} of a grid of {}", block_index, shape().grid.volume()),
                     reader_.path(), "start each block of the grid once"};
    std::unique_ptr<Resident> owned;
    if (spare_.empty()) {
        owned = std::make_unique<Resident>();
    } else {
        owned = std::move(spare_.back());
        spare_.pop_back();
    }
    owned->block_index = block_index;
    owned->warps.resize(warps_per_block_);
    for (WarpTrace& warp : owned->warps) warp.clear();
    owned->next.assign(warps_per_block_, 0);
    resident_.push_back(std::move(owned));
    // Blocks start in order but run in any: reading now finds the frame that neighbours share still open.
    if (auto done = deliver(*resident_.back(), 0, 1); !done) return done.error();
    return resident_.back().get();
}

Result<void> FileTraceSource::decode(const Entry& entry, std::span<FrameDecoder::Sink> sinks) {
    const auto damaged = [&] { return reader_.damaged(entry.frame, "does not hold records of this kernel"); };
    if (!is_open_ || open_.frame != entry.frame || open_.number > entry.number) {
        is_open_ = false;
        auto content = reader_.frame(entry.frame);
        if (!content) return content.error();
        if (!decoder_.open(std::move(*content))) return damaged();
        open_ = {entry.frame, 0};
        is_open_ = true;
    }
    std::vector<FrameDecoder::Sink> nowhere;
    for (; open_.number < entry.number; ++open_.number) {
        nowhere.assign(sinks.size(), {});
        if (!decoder_.next(nowhere)) return damaged();
    }
    if (!decoder_.next(sinks)) return damaged();
    ++open_.number;
    if (open_.number == reader_.index().frames[entry.frame].entry_count && !decoder_.at_end()) return damaged();
    return {};
}

Result<void> FileTraceSource::deliver(Resident& block, std::uint64_t which, std::uint64_t instructions_ahead) {
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        const bool wants = block.next[warp] == which && block.warps[warp].buffered() < instructions_ahead;
        sinks_[warp] = {wants ? &block.warps[warp] : nullptr, false};
    }
    const std::uint64_t first = first_entry_[block.block_index];
    const std::uint64_t count = first_entry_[block.block_index + 1] - first;
    const Entry entry = entries_[first + which];
    if (auto done = decode(entry, sinks_); !done) {
        is_open_ = false;
        return done;
    }
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        if (sinks_[warp].trace == nullptr) continue;
        ++block.next[warp];
        if (sinks_[warp].exits)
            block.warps[warp].state = WarpTrace::State::exited;
        else if (block.next[warp] == count)
            return reader_.damaged(entry.frame, fmt::format("ends block {} before its warps do", block.block_index));
    }
    return {};
}

Result<void> FileTraceSource::advance(BlockTrace& trace, std::uint64_t instructions_ahead) {
    auto& block = static_cast<Resident&>(trace);
    for (;;) {
        std::uint64_t which = ~std::uint64_t{0};
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp)
            if (block.warps[warp].state == WarpTrace::State::running &&
                block.warps[warp].buffered() < instructions_ahead)
                which = std::min(which, block.next[warp]);
        if (which == ~std::uint64_t{0}) return {};
        if (auto done = deliver(block, which, instructions_ahead); !done) return done;
    }
}

void FileTraceSource::provide_clock(BlockTrace& /*block*/, std::uint32_t /*warp*/, Cycle /*now*/,
                                    std::uint64_t /*nanoseconds*/) {
    require_invariant(false, "clock for a warp of a trace");
}

void FileTraceSource::finish(BlockTrace& trace) {
    const auto found =
        std::find_if(resident_.begin(), resident_.end(), [&](const auto& block) { return block.get() == &trace; });
    require_invariant(found != resident_.end(), "finish() of a block that is not resident");
    spare_.push_back(std::move(*found));
    *found = std::move(resident_.back());
    resident_.pop_back();
}

}  // namespace sassafras::sim
