// Which SMs the blocks of kernels find.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "core/result.hpp"
#include "cudart/kernel_room.hpp"

namespace sassafras::cudart {

namespace {

constexpr auto warps = static_cast<std::size_t>(SmPlace::warps);

double blocks_of(const auto& shares) {
    return std::accumulate(shares.begin(), shares.end(), 0.0,
                           [](double sum, const auto& share) { return sum + share.blocks; });
}

std::size_t first_part(const KernelLoad& load) {
    return load.parts[KernelLoad::lead].time > 0 ? KernelLoad::lead : KernelLoad::full;
}

}  // namespace

void KernelRoom::begin_part(const Kernel& kernel, Piece& piece, std::size_t part) {
    piece.part = part;
    piece.left = kernel.nanoseconds * kernel.load.parts[part].time;
}

bool KernelRoom::wants_places(const Kernel& kernel) const {
    if (!kernel.follow) return kernel.waiting > 0;
    // Blocks follow each other until the last of them have begun.
    return kernel.pieces.empty() ? !kernel.has_begun
                                 : kernel.pieces.front().part < KernelLoad::tail &&
                                       (!kernel.load.one_wave() ||
                                        blocks_of(kernel.pieces.front().on) < kernel.pieces.front().blocks - slack);
}

/// A kernel that found no place when it came begins some time behind the first that gets free.
bool KernelRoom::may_begin(Kernel& kernel) const {
    if (kernel.has_begun) return true;
    if (kernel.begins_in == never) {
        const Shares shares = lay(kernel, kernel.follow ? kernel.load.resident : kernel.waiting);
        if (shares.empty()) return false;
        const double others = until_others_have_begun(kernel, shares);
        kernel.begins_in = std::max(others, kernel.has_waited ? kernel.load.behind_place : 0);
    }
    return kernel.begins_in < slack;
}

double KernelRoom::until_others_have_begun(const Kernel& kernel, const Shares& shares) const {
    double until = 0;
    for (const Share& share : shares) until = std::max(until, sms_[share.sm].begun + kernel.load.behind_other - now_);
    return until;
}

/// In the order in which the kernels came: none begins while blocks of an earlier one wait.
void KernelRoom::find_places() {
    for (auto kernel = kernels_.begin(); kernel != kernels_.end(); ++kernel) {
        if (!wants_places(*kernel)) continue;
        const bool begins = may_begin(*kernel);
        if (begins && kernel->follow) {
            const double placed = kernel->pieces.empty() ? 0 : blocks_of(kernel->pieces.front().on);
            const Shares shares = lay(*kernel, kernel->load.resident - placed);
            if (!shares.empty()) {
                take(kernel->load, shares);
                grow(*kernel, shares);
            }
        } else if (begins) {
            const Shares shares = lay(*kernel, kernel->waiting);
            const double least = kernel->pieces_begun < most_pieces ? 1 : kernel->waiting;
            if (!shares.empty() && blocks_of(shares) >= least - slack) begin_pieces(*kernel, shares);
        }
        if (!kernel->has_begun && !kernel->pieces.empty()) {
            kernel->has_begun = true;
            for (const Piece& piece : kernel->pieces)
                for (const Share& share : piece.on) sms_[share.sm].begun = now_;
            changes_.push_back({kernel->id, false});
        }
        if (wants_places(*kernel)) {
            if (!kernel->has_begun && kernel->begins_in < never) ++kernel;  // has its places, and waits for others
            for (; kernel != kernels_.end(); ++kernel) kernel->has_waited = true;
            return;
        }
    }
}

/// Blocks of a kernel whose blocks follow each other.
void KernelRoom::grow(Kernel& kernel, const Shares& shares) {
    if (kernel.pieces.empty()) {
        Piece piece;
        piece.blocks = kernel.load.resident;
        begin_part(kernel, piece, first_part(kernel.load));
        kernel.pieces.push_back(std::move(piece));
    }
    Piece& piece = kernel.pieces.front();
    for (const Share& share : shares) {
        const auto there =
            std::find_if(piece.on.begin(), piece.on.end(), [&](const Share& s) { return s.sm == share.sm; });
        if (there != piece.on.end())
            there->blocks += share.blocks;
        else
            piece.on.push_back(share);
    }
    piece.placed = std::min(1.0, blocks_of(piece.on) / piece.blocks);
}

/// Blocks that go on as those of a kernel alone do: on SMs that have the same besides, at the same pace.
void KernelRoom::begin_pieces(Kernel& kernel, const Shares& shares) {
    const double blocks = blocks_of(shares);
    std::vector<std::pair<Sm, double>> groups;  // what an SM has, and how many more blocks
    const std::size_t first = kernel.pieces.size();
    const std::size_t left = most_pieces - std::min(most_pieces, kernel.pieces_begun);
    const std::size_t most = std::clamp<std::size_t>(left, 1, most_groups);
    for (const Share& share : shares) {
        const auto like = [&](const auto& group) {
            return group.second == share.blocks && group.first.taken == sms_[share.sm].taken;
        };
        auto group = static_cast<std::size_t>(std::find_if(groups.begin(), groups.end(), like) - groups.begin());
        if (group == groups.size() && group < most) {
            groups.emplace_back(sms_[share.sm], share.blocks);
            Piece piece;
            piece.share = 0;
            begin_part(kernel, piece, first_part(kernel.load));
            kernel.pieces.push_back(std::move(piece));
        }
        group = std::min(group, most - 1);
        Piece& piece = kernel.pieces[first + group];
        piece.on.push_back(share);
        piece.blocks += share.blocks;
        piece.share += share.blocks / kernel.load.blocks;
    }
    take(kernel.load, shares);
    kernel.waiting = blocks < kernel.waiting - slack ? kernel.waiting - blocks : 0;
    kernel.pieces_begun += groups.size();
}

KernelRoom::Shares KernelRoom::lay(const Kernel& kernel, double wanted) const {
    return kernel.has_waited ? fill(kernel.load, wanted) : spread(kernel.load, wanted);
}

/// How many blocks find places on an SM.
double KernelRoom::capacity(const Sm& sm, const KernelLoad& load) const {
    const double carve_out = sm.blocks <= slack ? load.carve_out : sm.carve_out;
    double blocks = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sm.taken.size(); ++i) {
        const double most = i == static_cast<std::size_t>(SmPlace::shared) ? carve_out : 1;
        if (load.block_takes[i] > 0)
            blocks = std::min(blocks, std::floor((most - sm.taken[i]) / load.block_takes[i] + slack));
    }
    return std::max(0.0, blocks);
}

/// One block in turn for each SM that has the fewest warps.
KernelRoom::Shares KernelRoom::spread(const KernelLoad& load, double wanted) const {
    using Next = std::pair<double, std::size_t>;  // warps that an SM has, the SM
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    std::vector<double> places(sms_.size());
    std::vector<double> blocks(sms_.size());
    for (std::size_t i = 0; i < sms_.size(); ++i) {
        places[i] = capacity(sms_[i], load);
        if (places[i] >= 1) next.emplace(sms_[i].taken[warps], i);
    }
    for (double left = wanted; left > slack && !next.empty(); left -= 1) {
        const std::size_t sm = next.top().second;
        next.pop();
        blocks[sm] += 1;
        if (blocks[sm] + 1 <= places[sm])
            next.emplace(sms_[sm].taken[warps] + load.block_takes[warps] * blocks[sm], sm);
    }
    Shares shares;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i] > 0) shares.push_back({i, blocks[i]});
    return shares;
}

/// As many as an SM has places for, on the emptiest first.
KernelRoom::Shares KernelRoom::fill(const KernelLoad& load, double wanted) const {
    std::vector<std::size_t> order(sms_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sms_[a].taken[warps] < sms_[b].taken[warps] - slack; });
    Shares shares;
    for (const std::size_t sm : order) {
        const double blocks = std::min(wanted, capacity(sms_[sm], load));
        if (blocks < 1) continue;
        shares.push_back({sm, blocks});
        wanted -= blocks;
        if (wanted < 1 - slack) break;
    }
    return shares;
}

void KernelRoom::take(const KernelLoad& load, const Shares& shares) {
    for (const auto& [sm, blocks] : shares) {
        if (sms_[sm].blocks <= slack) sms_[sm].carve_out = load.carve_out;
        sms_[sm].blocks += blocks;
        for (std::size_t i = 0; i < load.block_takes.size(); ++i) sms_[sm].taken[i] += blocks * load.block_takes[i];
    }
}

void KernelRoom::give_back(const KernelLoad& load, const Shares& shares) {
    for (const auto& [sm, blocks] : shares) {
        sms_[sm].blocks -= blocks;
        for (std::size_t i = 0; i < load.block_takes.size(); ++i) sms_[sm].taken[i] -= blocks * load.block_takes[i];
        if (sms_[sm].blocks <= slack) sms_[sm] = {};
    }
}

/// Of a piece's blocks, those remain that still run in its part: of SMs with as many, the first.
void KernelRoom::shrink(const KernelLoad& load, Piece& piece) {
    const LoadPart& part = load.parts[piece.part];
    if (part.sms >= 1 && part.blocks >= 1) return;
    give_back(load, piece.on);
    std::stable_sort(piece.on.begin(), piece.on.end(),
                     [](const Share& a, const Share& b) { return a.blocks > b.blocks; });
    Shares still;
    for (auto first = piece.on.begin(); first != piece.on.end();) {
        const auto last = std::find_if(first, piece.on.end(), [&](const Share& s) { return s.blocks < first->blocks; });
        const auto sms = static_cast<double>(last - first);
        const auto kept = static_cast<std::ptrdiff_t>(std::max(1.0, std::round(sms * part.sms)));
        for (auto share = first; share != first + std::min(kept, last - first); ++share)
            still.push_back({share->sm, share->blocks * part.blocks});
        first = last;
    }
    piece.on = std::move(still);
    take(load, piece.on);
}

}  // namespace sassafras::cudart
