#include "isa/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/demangle.hpp"
#include "isa/program/post_dominators.hpp"
#include "isa/program/targets.hpp"

namespace sassafras::isa {
namespace {

bool is_the_librarys(const LocalFunction& function) { return function.name.compare(0, 12, "$__internal_") == 0; }

/// Ways from block to block. Calls of any function and returns to any caller multiply, so that a small damaged file
/// could else fill the memory; large programs have some hundred indirect calls of some hundred functions.
constexpr std::size_t most_ways = std::size_t{1} << 21U;

class Builder {
  public:
    explicit Builder(const Kernel& kernel) : kernel_(kernel) { program_.kernel = kernel; }

    Result<Program> build() {
        for (auto step : {&Builder::decode_all, &Builder::check_kernel, &Builder::find_leaders})
            if (auto done = (this->*step)(); !done) return done.error();
        cut_blocks();
        if (auto done = connect_blocks(); !done) return done.error();
        return std::move(program_);
    }

  private:
    Result<void> decode_all();
    Result<void> check_kernel();
    Result<void> find_leaders();
    Result<void> mark_target(std::uint64_t target, std::uint32_t index);
    void cut_blocks();
    Result<void> find_return_points();
    Result<void> connect_blocks();
    [[nodiscard]] Error too_many_ways() const;
    void append_blocks(std::vector<std::uint32_t>& list, const std::vector<std::uint64_t>& pcs) const;
    [[nodiscard]] std::vector<std::uint64_t> targets(std::uint32_t index) const;
    [[nodiscard]] std::uint64_t function_of(std::uint64_t pc) const { return *std::prev(entries_.upper_bound(pc)); }
    [[nodiscard]] std::uint32_t block_at(std::uint64_t pc) const { return program_.block_of[pc / instruction_bytes]; }
    [[nodiscard]] std::string place(std::uint64_t pc) const {
        return fmt::format("kernel {}, pc {:#x}", demangled(kernel_.name), pc);
    }
    [[nodiscard]] std::string place(std::uint64_t pc, const Instruction& instruction) const {
        return fmt::format("{}, {}, word {:#018x}{:016x}", place(pc), mnemonic(instruction.opcode),
                           instruction.word.high, instruction.word.low);
    }

    const Kernel& kernel_;
    Program program_;
    std::vector<bool> leader_;            ///< by instruction; one more for the end
    std::set<std::uint64_t> entries_{0};  ///< of functions: the kernel, its local functions, targets of CALL
    std::map<std::uint64_t, std::set<std::uint64_t>> return_points_;  ///< by function entry: the pcs after calls of it
};

Result<void> Builder::decode_all() {
    program_.instructions.reserve(kernel_.code.size());
    for (std::size_t i = 0; i < kernel_.code.size(); ++i) {
        auto instruction = decode(kernel_.code[i], kernel_.architecture);
        if (!instruction) {
            Error error = instruction.error();
            error.where = place(i * instruction_bytes) + (error.where.empty() ? "" : ", " + error.where);
            return error;
        }
        program_.instructions.push_back(*instruction);
    }
    return {};
}

/// What .nv.info says of the code must hold of the code: else reader, decoder or file is wrong.
Result<void> Builder::check_kernel() {
    if (kernel_.code.empty())
        return Error{ErrorKind::bad_input, "the kernel has no code", fmt::format("kernel {}", demangled(kernel_.name)),
                     "compile it again"};
    if (!kernel_.unresolved_calls.empty())
        return Error{
            ErrorKind::not_modelled,
            fmt::format("it calls {}, which the cubin does not define", kernel_.unresolved_calls.front().function),
            fmt::format("kernel {}", demangled(kernel_.name)),
            "of the CUDA driver's functions only printf, malloc, free and assert are modelled; remove the call"};
    const auto mismatch = [&](std::uint64_t pc, const char* expected) {
        const std::size_t index = pc / instruction_bytes;
        const bool inside = pc % instruction_bytes == 0 && index < program_.instructions.size();
        return Error{
            ErrorKind::bad_input, fmt::format(".nv.info says that there is {} here, and there is not", expected),
            inside ? place(pc, program_.instructions[index]) : place(pc), "the cubin is damaged; compile it again"};
    };
    const auto opcode_at = [&](std::uint64_t pc) {
        const std::size_t index = pc / instruction_bytes;
        return pc % instruction_bytes == 0 && index < program_.instructions.size() ? program_.instructions[index].opcode
                                                                                   : Opcode::invalid;
    };
    for (const std::uint32_t offset : kernel_.exit_offsets)
        if (opcode_at(offset) != Opcode::EXIT) return mismatch(offset, "an EXIT");
    for (const IndirectBranch& branch : kernel_.indirect_branches)
        if (const Opcode opcode = opcode_at(branch.offset);
            opcode != Opcode::BRX && opcode != Opcode::BRXU && opcode != Opcode::JMX && opcode != Opcode::JMXU)
            return mismatch(branch.offset, "an indirect branch");
    return {};
}

/// Every place that control can go to from an instruction, but for the next pc and, for RET, the caller.
std::vector<std::uint64_t> Builder::targets(std::uint32_t index) const {
    const Instruction& instruction = program_.instructions[index];
    const std::uint64_t pc = std::uint64_t{index} * instruction_bytes;
    if (const auto target = branch_target(instruction, pc)) {
        if (instruction.opcode == Opcode::CALL && is_external_code(*target)) return {};  // comes back
        return {*target};
    }
    if (const auto end = collective_end(instruction, pc)) return {*end};
    if (!is_indirect(instruction) || instruction.opcode == Opcode::RET) return {};
    std::vector<std::uint64_t> found;
    if (instruction.opcode == Opcode::CALL) {
        for (const LocalFunction& function : kernel_.functions)
            if (!is_the_librarys(function)) found.push_back(function.offset);
        return found;
    }
    const auto branch =
        std::lower_bound(kernel_.indirect_branches.begin(), kernel_.indirect_branches.end(), pc,
                         [](const IndirectBranch& entry, std::uint64_t wanted) { return entry.offset < wanted; });
    if (branch != kernel_.indirect_branches.end() && branch->offset == pc)
        found.assign(branch->targets.begin(), branch->targets.end());
    return found;
}

Result<void> Builder::mark_target(std::uint64_t target, std::uint32_t index) {
    if (target % instruction_bytes != 0 || target / instruction_bytes >= program_.instructions.size())
        return Error{ErrorKind::bad_input,
                     fmt::format("it goes to {:#x}, which is not an instruction of the kernel", target),
                     place(std::uint64_t{index} * instruction_bytes, program_.instructions[index]),
                     "the cubin is damaged; compile it again"};
    leader_[target / instruction_bytes] = true;
    return {};
}

Result<void> Builder::find_leaders() {
    const auto count = static_cast<std::uint32_t>(program_.instructions.size());
    leader_.assign(std::size_t{count} + 1, false);
    leader_[0] = true;
    for (const LocalFunction& function : kernel_.functions) {
        if (function.offset % instruction_bytes != 0 || function.offset / instruction_bytes >= count)
            continue;  // an empty one at the end
        leader_[function.offset / instruction_bytes] = true;
        entries_.insert(function.offset);
    }
    std::size_t ways = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Instruction& instruction = program_.instructions[i];
        const std::uint64_t pc = std::uint64_t{i} * instruction_bytes;
        if (const auto point = reconvergence_point(instruction, pc))
            if (auto done = mark_target(*point, i); !done) return done;
        const auto goals = targets(i);
        ways += goals.size();
        if (ways > most_ways) return too_many_ways();
        for (const std::uint64_t target : goals) {
            if (auto done = mark_target(target, i); !done) return done;
            if (instruction.opcode == Opcode::CALL) entries_.insert(target);
        }
        if (ends_block(instruction.opcode)) leader_[std::size_t{i} + 1] = true;
    }
    return {};
}

void Builder::cut_blocks() {
    program_.block_of.resize(program_.instructions.size());
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
        if (leader_[i])
            program_.blocks.push_back({.first = i, .count = 0, .successors = {}, .immediate_post_dominator = no_block});
        ++program_.blocks.back().count;
        program_.block_of[i] = static_cast<std::uint32_t>(program_.blocks.size() - 1);
    }
}

Error Builder::too_many_ways() const {
    return {ErrorKind::not_modelled, fmt::format("its control flow has more than {} ways", most_ways),
            fmt::format("kernel {}", kernel_.name), "make fewer indirect calls, or have fewer functions called so"};
}

Result<void> Builder::find_return_points() {
    std::size_t ways = 0;
    for (std::uint32_t i = 0; i + 1 < program_.instructions.size(); ++i) {
        if (program_.instructions[i].opcode != Opcode::CALL) continue;
        const auto callees = targets(i);
        ways += callees.size();
        if (ways > most_ways) return too_many_ways();
        for (const std::uint64_t callee : callees)
            return_points_[callee].insert((std::uint64_t{i} + 1) * instruction_bytes);
    }
    return {};
}

/// Each block once, those that are there already left out, in ascending order.
void Builder::append_blocks(std::vector<std::uint32_t>& list, const std::vector<std::uint64_t>& pcs) const {
    std::set<std::uint32_t> blocks;
    for (const std::uint64_t pc : pcs) blocks.insert(block_at(pc));
    for (const std::uint32_t present : list) blocks.erase(present);
    list.insert(list.end(), blocks.begin(), blocks.end());
}

/// BasicBlock::successors follows calls into the callee and returns to the callers; post-dominators look at one
/// function at a time, where a call goes on behind it.
Result<void> Builder::connect_blocks() {
    if (auto done = find_return_points(); !done) return done;
    std::size_t ways = 0;
    std::vector<FlowNode> nodes(program_.blocks.size());
    for (std::uint32_t number = 0; number < program_.blocks.size(); ++number) {
        BasicBlock& block = program_.blocks[number];
        FlowNode& node = nodes[number];
        const std::uint32_t last = block.first + block.count - 1;
        const Instruction& instruction = program_.instructions[last];
        const Opcode opcode = instruction.opcode;
        const bool is_call = opcode == Opcode::CALL;
        const bool stops = opcode == Opcode::EXIT || opcode == Opcode::KILL || opcode == Opcode::RET;
        const bool departs = stops || opcode == Opcode::BRA || opcode == Opcode::JMP || opcode == Opcode::BRX ||
                             opcode == Opcode::BRXU || opcode == Opcode::JMX || opcode == Opcode::JMXU;
        if (std::size_t{last} + 1 < program_.instructions.size() && (!departs || !acts_always(instruction))) {
            block.successors.push_back(program_.block_of[last + 1]);
            node.successors.push_back(program_.block_of[last + 1]);
        }
        const auto goals = targets(last);
        ways += goals.size();
        if (ways > most_ways) return too_many_ways();
        append_blocks(block.successors, goals);
        if (!is_call) append_blocks(node.successors, goals);
        if (opcode == Opcode::RET)
            if (const auto points = return_points_.find(function_of(std::uint64_t{last} * instruction_bytes));
                points != return_points_.end()) {
                ways += points->second.size();
                if (ways > most_ways) return too_many_ways();
                append_blocks(block.successors, {points->second.begin(), points->second.end()});
            }
        node.leaves = stops || (is_indirect(instruction) && !is_call && goals.empty());
    }
    const auto post_dominators = immediate_post_dominators(nodes);
    for (std::size_t i = 0; i < post_dominators.size(); ++i)
        program_.blocks[i].immediate_post_dominator = post_dominators[i];
    return {};
}

}  // namespace

Result<Program> build_program(const Kernel& kernel) { return Builder(kernel).build(); }

}  // namespace sassafras::isa
