// How fast kernels go on beside each other.
#include <algorithm>
#include <cmath>

#include "cudart/kernel_room.hpp"

namespace sassafras::cudart {

namespace {

/// What a unit leaves that is busy for so much of the time, it leaves where blocks begin and end: nothing between.
constexpr double always = 0.95;

constexpr auto xu = static_cast<std::size_t>(SmUnit::xu);

/// Accesses to shared memory and L1 take turns; elsewhere the warps of the kernel that came first issue first.
constexpr bool serves_in_turn(std::size_t unit) {
    return unit == static_cast<std::size_t>(SmUnit::data) || unit == static_cast<std::size_t>(SmUnit::l1);
}

/// So much of a kernel's blocks goes on as fast as all of them: what fills memory does not need them all.
double enough_blocks(const LoadPart& part) {
    return part.fills_memory() ? *std::max_element(part.of_gpu.begin(), part.of_gpu.end()) : 1;
}

/// Nothing waits for a store, so warps that only store, as much as there is room for, always have the next one: those
/// of the kernel that came first issue first (storing 132x512 of validate/records/h200/probes/fork_ends.csv: kernels
/// end one after the other).
bool only_stores(const KernelLoad& load) {
    constexpr double at_least = 2;
    const GpuBusy& busy = load.parts[KernelLoad::full].of_gpu;
    const auto in = static_cast<std::size_t>(GpuUnit::l2_in);
    const auto out = static_cast<std::size_t>(GpuUnit::l2_out);
    return load.fills_memory() && busy[in] > at_least * busy[out];
}

bool asks_for_memory(const LoadPart& part) { return *std::max_element(part.of_gpu.begin(), part.of_gpu.end()) > 0; }

/// How fast a piece goes on that would at `rate`, and adds what it takes to what has been stored.
double behind_stores(double rate, double share, const LoadPart& part, GpuBusy& stored) {
    for (std::size_t i = 0; i < part.of_gpu.size(); ++i)
        if (const double wanted = part.of_gpu[i] * share; rate * wanted > 1 - stored[i])
            rate = std::max(0.0, 1 - stored[i]) / wanted;
    for (std::size_t i = 0; i < part.of_gpu.size(); ++i) stored[i] += rate * part.of_gpu[i] * share;
    return rate;
}

/// A share of one, but for the last digits of sums.
double at_most_one(double rate) {
    constexpr double nearly = 1 - 1e-9;
    return rate >= nearly ? 1 : std::max(0.0, rate);
}

}  // namespace

/// What is asked for, and how much of it is served.
struct KernelRoom::Paces {
    std::vector<SmBusy> busy{};   ///< of each SM, by the kernels that came first
    std::vector<SmBusy> asked{};  ///< of each SM, by all
    std::vector<double>
        queue{};         ///< of each SM: nanoseconds that an access waits behind those of kernels that fill memory
    double stretch = 1;  ///< how many times as long memory takes for all that is asked for
};

/// How often an operation of XU waits for one of another kernel's, of half its time and XU's lead each. It does not
/// wait for kernels that came later but for what they have begun, and for all of those before, as in any queue with two
/// priorities and nothing taken back (Cobham 1954). `asked`: by kernels before.
double KernelRoom::waits_at_xu(const Paces& paces, const Share& share, const LoadPart& part,
                               const std::vector<SmBusy>& asked) {
    const double own = part.of_block[xu] * share.blocks;
    const double before = paces.busy[share.sm][xu];
    const double left = 1 - before - own;
    if (own <= 0 || left <= 0) return 0;  // who takes all that is left has no more to wait for
    const double later = paces.asked[share.sm][xu] - asked[share.sm][xu] - own;
    return std::clamp(later / left, 0.0, 1.0) + before / ((1 - before) * (1 - before));
}

/// Three rounds: what kernels take of an SM depends on how fast memory lets them go on, and that on what they ask for.
void KernelRoom::find_paces() {
    constexpr int rounds = 3;
    Paces paces;
    paces.asked.assign(sms_.size(), SmBusy{});
    paces.queue.assign(sms_.size(), 0);
    for (const Kernel& kernel : kernels_)
        for (const Piece& piece : kernel.pieces)
            if (kernel.load.parts[piece.part].fills_memory())
                for (const Share& share : piece.on)
                    paces.queue[share.sm] = std::max(paces.queue[share.sm], kernel.load.queue);
    for (int round = 0; round < rounds; ++round) {
        paces.busy.assign(sms_.size(), SmBusy{});
        std::vector<SmBusy> asked(sms_.size(), SmBusy{});
        GpuBusy asked_of_memory{};
        GpuBusy stored{};  // by the kernels that came first
        for (Kernel& kernel : kernels_) {
            for (Piece& piece : kernel.pieces) {
                const LoadPart& part = kernel.load.parts[piece.part];
                const bool fills = part.fills_memory();
                const bool stores = only_stores(kernel.load);
                const auto pace_on = [&](const Share& share, bool in_turn) {
                    double pace = 1;
                    for (std::size_t i = 0; i < part.of_block.size(); ++i) {
                        const double wanted = part.of_block[i] * share.blocks;
                        if (wanted <= 0) continue;
                        if (stores || !serves_in_turn(i))
                            pace = std::min(pace, (1 - paces.busy[share.sm][i]) / wanted);
                        else if (in_turn)
                            pace = std::min(pace, 1 / std::max(1.0, paces.asked[share.sm][i]));
                    }
                    pace /= 1 + kernel.load.xu_wait * part.of_block[xu] * waits_at_xu(paces, share, part, asked);
                    if (!fills && !stores) pace /= 1 + kernel.load.waits * paces.queue[share.sm];
                    return at_most_one(pace);
                };
                double slowest = 1;
                double blocks = 0;
                double at_their_pace = 0;
                for (const Share& share : piece.on) {
                    const double pace = pace_on(share, true);
                    slowest = std::min(slowest, pace);
                    blocks += share.blocks;
                    at_their_pace += share.blocks * pace;
                }
                // Blocks do not move: of one wave, those on the slowest SM end last.
                const double of_blocks = kernel.load.one_wave() ? slowest : at_their_pace / blocks;
                double rate = at_most_one(of_blocks * piece.placed / (kernel.follow ? enough_blocks(part) : 1));
                if (stores) rate = behind_stores(rate, piece.share, part, stored);
                const bool asks = asks_for_memory(part);
                piece.rate = asks ? rate / paces.stretch : rate;
                for (std::size_t i = 0; i < part.of_gpu.size(); ++i)
                    asked_of_memory[i] += rate * part.of_gpu[i] * piece.share;
                const double slowed = rate > 0 ? piece.rate / rate : 0;
                for (const Share& share : piece.on) {
                    const double alone = kernel.load.one_wave() ? slowest : pace_on(share, true);
                    const double wish = pace_on(share, false);
                    for (std::size_t i = 0; i < part.of_block.size(); ++i) {
                        const double wanted = part.of_block[i] * share.blocks;
                        asked[share.sm][i] += wanted * wish;
                        double& busy = paces.busy[share.sm][i];
                        busy += wanted * alone * slowed;
                        if (i != xu && busy >= always) busy = 1;
                    }
                }
            }
        }
        paces.asked = std::move(asked);
        paces.stretch = std::max(1.0, *std::max_element(asked_of_memory.begin(), asked_of_memory.end()));
    }
}

}  // namespace sassafras::cudart
