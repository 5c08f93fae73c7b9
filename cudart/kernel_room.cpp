#include "cudart/kernel_room.hpp"

#include <algorithm>
#include <cmath>

#include "core/result.hpp"

namespace sassafras::cudart {

namespace {

/// Nanoseconds: less than this of a piece is nothing.
constexpr double shortest = 1e-3;

}  // namespace

void KernelRoom::add(std::uint64_t kernel, double nanoseconds, const KernelLoad& load) {
    if (sms_.empty()) sms_.resize(static_cast<std::size_t>(std::max(1.0, load.sms)));
    const bool follow = !load.one_wave() || load.fills_memory();
    kernels_.push_back({kernel, nanoseconds, load, follow, follow ? load.resident : load.blocks});
    is_settled_ = false;
}

/// What has ended gives way, what waits takes its place, and all find their paces.
void KernelRoom::settle() {
    if (is_settled_) return;
    is_settled_ = true;
    for (Kernel& kernel : kernels_) {
        for (Piece& piece : kernel.pieces) {
            while (piece.left < shortest && piece.part < kernel.load.parts.size()) {
                if (piece.part + 1 == kernel.load.parts.size()) {
                    ++piece.part;
                    break;
                }
                begin_part(kernel, piece, piece.part + 1);
                if (piece.left >= shortest) shrink(kernel.load, piece);
            }
            if (piece.part == kernel.load.parts.size()) give_back(kernel.load, std::exchange(piece.on, {}));
        }
        std::erase_if(kernel.pieces, [&](const Piece& piece) { return piece.part == kernel.load.parts.size(); });
        if (kernel.has_begun && kernel.pieces.empty() && !wants_places(kernel)) changes_.push_back({kernel.id, true});
    }
    std::erase_if(kernels_, [&](const Kernel& kernel) {
        return kernel.has_begun && kernel.pieces.empty() && !wants_places(kernel);
    });
    find_places();
    find_paces();
}

double KernelRoom::until_change() {
    settle();
    if (!changes_.empty()) return 0;
    double until = never;
    for (const Kernel& kernel : kernels_) {
        if (!kernel.has_begun) until = std::min(until, kernel.begins_in);
        for (const Piece& piece : kernel.pieces)
            if (piece.rate > 0) until = std::min(until, piece.left / piece.rate);
    }
    require_invariant(until < never || kernels_.empty(), "no kernel on the GPU goes on");
    return until;
}

void KernelRoom::pass(double nanoseconds) {
    now_ += nanoseconds;
    for (Kernel& kernel : kernels_) {
        if (!kernel.has_begun && kernel.begins_in < never) {
            kernel.begins_in -= nanoseconds;
            if (kernel.begins_in < shortest) {
                kernel.begins_in = 0;
                is_settled_ = false;
            }
        }
        for (Piece& piece : kernel.pieces) {
            piece.left -= nanoseconds * piece.rate;
            if (piece.left < shortest) is_settled_ = false;
        }
    }
}

}  // namespace sassafras::cudart
