#include "sim/what_if/stall_counts.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "isa/program/targets.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint32_t longest_stall = 15;  // the field has four bits

using File = isa::RegisterSpan::File;

std::uint32_t own_stall(const isa::Instruction& instruction) {
    return std::max<std::uint32_t>(1, instruction.control.stall);
}

bool is_predicate(File file) { return file == File::predicate || file == File::uniform_predicate; }

/// Its stall count is not, or not only, about its result: one of a unit that takes its time, or of another path.
bool keeps_stall(const isa::Instruction& instruction) {
    return instruction.latency != isa::LatencyClass::fixed || isa::ends_block(instruction.opcode);
}

std::span<const isa::RegisterSpan> reads_of(const isa::RegisterUse& use) {
    return std::span(use.reads).first(use.read_count);
}
std::span<const isa::RegisterSpan> writes_of(const isa::RegisterUse& use) {
    return std::span(use.writes).first(use.write_count);
}

/// The new cycles of one basic block, counted from its first.
class BlockSchedule {
  public:
    BlockSchedule(const isa::Program& program, const std::vector<bool>& is_gone,
                  std::span<const std::uint16_t> latencies, std::vector<std::uint8_t>& counts)
        : program_(program), is_gone_(is_gone), latencies_(latencies), counts_(counts) {}

    void set(std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = first; i < first + count; ++i) {
            if (is_gone_[i])
                pass_on(program_.instructions[i]);
            else
                place(i);
            was_ += own_stall(program_.instructions[i]);
        }
        if (!last_) return;
        std::uint32_t end = free_;
        for (const auto& [name, result] : results_) end = std::max(end, result.ready_at(was_));
        close(end);
    }

  private:
    /// What a register gets that is not there at once.
    struct Result {
        std::uint32_t was = 0;      ///< when its instruction issued, before
        std::uint32_t is = 0;       ///< and now
        std::uint32_t latency = 0;  ///< of its producer
        bool is_passed_on = false;  ///< by an instruction that is gone, which took longer

        [[nodiscard]] std::uint32_t ready_at(std::uint32_t reader_was) const {
            return is + (is_passed_on ? latency : std::min(latency, reader_was - was));
        }
    };

    template <class Visit>
    static void for_each_register(std::span<const isa::RegisterSpan> spans, const Visit& visit) {
        for (const isa::RegisterSpan& span : spans)
            for (std::uint32_t r = 0; r < span.count; ++r)
                visit(static_cast<std::uint32_t>(span.file) << 16U | (span.first + r), span.file);
    }

    void place(std::uint32_t i) {
        const isa::Instruction& instruction = program_.instructions[i];
        const isa::RegisterUse use = isa::register_use(instruction);
        std::uint32_t is = free_;
        const auto await = [&](std::uint32_t name, File /*file*/) {
            if (const auto found = results_.find(name); found != results_.end())
                is = std::max(is, found->second.ready_at(was_));
        };
        for_each_register(reads_of(use), await);
        for_each_register(writes_of(use), await);
        if (last_) close(is);
        last_ = i;
        last_is_ = is;
        free_ = is + (keeps_stall(instruction) ? own_stall(instruction) : 1);
        const bool is_fixed = instruction.latency == isa::LatencyClass::fixed;
        for_each_register(writes_of(use), [&](std::uint32_t name, File file) {
            // Which of a predicate's readers wait how long no pipe's latency says.
            const std::uint32_t latency = is_predicate(file) ? longest_stall : latencies_[i];
            if (is_fixed)
                results_[name] = {was_, is, latency, false};
            else
                results_.erase(name);  // a scoreboard tells
        });
    }

    void pass_on(const isa::Instruction& gone) {
        const isa::RegisterUse use = isa::register_use(gone);
        std::optional<Result> latest;
        if (!isa::is_memory_access(gone.opcode))
            for_each_register(reads_of(use), [&](std::uint32_t name, File /*file*/) {
                const auto found = results_.find(name);
                if (found == results_.end()) return;
                if (!latest || found->second.is + found->second.latency > latest->is + latest->latency)
                    latest = found->second;
            });
        for_each_register(writes_of(use), [&](std::uint32_t name, File /*file*/) {
            if (latest)
                results_[name] = {latest->was, latest->is, latest->latency, true};
            else
                results_.erase(name);
        });
    }

    /// The next one issues at `next`.
    void close(std::uint32_t next) {
        counts_[*last_] = static_cast<std::uint8_t>(std::min(next - last_is_, longest_stall));
    }

    const isa::Program& program_;
    const std::vector<bool>& is_gone_;
    std::span<const std::uint16_t> latencies_;
    std::vector<std::uint8_t>& counts_;
    std::unordered_map<std::uint32_t, Result> results_;
    std::optional<std::uint32_t> last_;  ///< the instruction before, of those that stay
    std::uint32_t last_is_ = 0;          ///< its cycle
    std::uint32_t free_ = 0;             ///< the first cycle in which another may issue
    std::uint32_t was_ = 0;              ///< cycle of the instruction at hand, before
};

}  // namespace

std::vector<std::uint8_t> stall_counts(const isa::Program& program, const std::vector<bool>& is_gone,
                                       std::span<const std::uint16_t> latencies) {
    std::vector<std::uint8_t> counts;
    counts.reserve(program.instructions.size());
    for (std::size_t i = 0; i < program.instructions.size(); ++i)
        counts.push_back(is_gone[i] ? std::uint8_t{0} : program.instructions[i].control.stall);
    for (const isa::BasicBlock& block : program.blocks) {
        const auto begin = is_gone.begin() + block.first;
        if (std::find(begin, begin + block.count, true) == begin + block.count) continue;
        BlockSchedule(program, is_gone, latencies, counts).set(block.first, block.count);
    }
    return counts;
}

}  // namespace sassafras::sim
