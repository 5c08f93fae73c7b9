#include "sim/device/conflict_device.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "core/demangle.hpp"
#include "sim/device/functional_run.hpp"

namespace sassafras::sim {

namespace {

bool may_choose(const RequestChoice& choice, const std::string& kernel) {
    return choice.kernel.empty() || choice.kernel == kernel || choice.kernel == demangled(kernel);
}

std::uint32_t excess(const Wavefronts& wavefronts) { return wavefronts.actual - wavefronts.ideal; }

class ConflictCounting final : public RecordConsumer {
  public:
    ConflictCounting(const isa::Program& program, BankGeometry geometry, RoundMarks marks, const RequestChoice& choice,
                     bool choosing)
        : geometry_(geometry),
          sites_(program),
          marks_(std::move(marks)),
          choice_(choice),
          choosing_(choosing),
          banks_(1, std::vector<BankCounts>(geometry.banks)),
          counts_(sites_.all().size()),
          first_round_(sites_.all().size()) {
        for (const PayloadSite& site : sites_.all())
            groups_.push_back(site.is_access ? groups_of(site) : SharedGroups{});
    }

    Result<void> take(BlockTrace& block) override {
        if (marks_.steps.empty()) {
            for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp) {
                std::uint32_t round = 0;
                drain(block, warp, round);
            }
            return {};
        }
        std::vector<std::uint32_t>& rounds = rounds_of(block);
        bool exited = true;
        for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp) {
            drain(block, warp, rounds[warp]);
            exited = exited && block.warps[warp].state == WarpTrace::State::exited;
        }
        if (exited) {
            spare_.push_back(std::move(rounds));
            unfinished_.erase(block.block_index);
        }
        return {};
    }
    [[nodiscard]] std::uint64_t warp_instructions() const override { return warp_instructions_; }

    void give(const isa::Program& program, LaunchConflicts& launch) {
        launch.banks.resize(geometry_.banks);
        for (const std::vector<BankCounts>& round : banks_)
            for (std::size_t bank = 0; bank < round.size(); ++bank) launch.banks[bank] += round[bank];
        launch.banks_by_round = banks_;
        launch.chosen = chosen_;
        for (std::size_t site = 0; site < counts_.size(); ++site) {
            const PayloadSite& at = sites_[static_cast<std::uint32_t>(site)];
            std::uint64_t requests = first_round_[site].requests;
            for (const ConflictCounts& round : counts_[site]) requests += round.requests;
            if (requests == 0) continue;
            InstructionConflicts conflicts{.instruction = at.instruction,
                                           .decoded = program.instructions[at.instruction],
                                           .width = at.width,
                                           .kind = at.kind,
                                           .by_round = {first_round_[site]}};
            conflicts.by_round.insert(conflicts.by_round.end(), counts_[site].begin(), counts_[site].end());
            launch.instructions.push_back(std::move(conflicts));
        }
    }

  private:
    SharedGroups groups_of(const PayloadSite& site) const { return shared_groups(site.width, geometry_); }

    std::vector<std::uint32_t>& rounds_of(const BlockTrace& block) {
        auto [found, is_new] = unfinished_.try_emplace(block.block_index);
        if (is_new) {
            if (!spare_.empty()) {
                found->second = std::move(spare_.back());
                spare_.pop_back();
            }
            found->second.assign(block.warps.size(), 0);
        }
        return found->second;
    }

    void drain(BlockTrace& block, std::uint32_t warp, std::uint32_t& round) {
        WarpTrace& trace = block.warps[warp];
        AccessRecord access;
        while (trace.has_segment()) {
            const Segment segment = trace.pop_segment();
            warp_instructions_ += segment.count;
            const std::uint32_t end = sites_.end(segment);
            for (std::uint32_t i = sites_.begin(segment); i < end; ++i) {
                const PayloadSite& site = sites_[i];
                if (!site.is_access) {
                    (void)trace.pop_value();
                } else if (site.space != MemorySpace::shared && site.space != MemorySpace::generic) {
                    (void)trace.pop_access_words();
                } else {
                    trace.pop_access(access);
                    access.mask = lanes_by_space(site.space, access).shared;
                    if (access.mask == 0) continue;
                    count(block, warp, round, i, access);
                }
            }
        }
    }

    ConflictCounts& counts_of(std::uint32_t site, std::uint32_t& round) {
        if (marks_.steps.empty()) return first_round_[site];
        const std::uint32_t instruction = sites_[site].instruction;
        const RoundStep step = marks_.steps[instruction];
        if (step == RoundStep::first) round = 1;
        if (step == RoundStep::next && round < most_rounds) ++round;
        if (round == 0 || !marks_.inside[instruction]) return first_round_[site];
        auto& later = counts_[site];
        if (later.size() < round) later.resize(round);
        return later[round - 1];
    }

    void count(const BlockTrace& block, std::uint32_t warp, std::uint32_t& round, std::uint32_t index,
               const AccessRecord& access) {
        const PayloadSite& site = sites_[index];
        ConflictCounts& counts = counts_of(index, round);
        const Wavefronts wavefronts = bank_loads(access, site.width, site.kind, geometry_, loads_);
        ++counts.requests;
        counts.lanes += static_cast<std::uint64_t>(std::popcount(access.mask));
        counts.wavefronts += wavefronts.actual;
        counts.wavefronts_ideal += wavefronts.ideal;
        ++counts.degree[wavefronts.actual];
        counts.shapes.add(GroupShape(access.mask, groups_[index].lanes));
        const bool in_round = &counts != &first_round_[index];
        count_banks(in_round ? round : 0, excess(wavefronts) != 0);
        if (choosing_) consider(block, warp, index, access, wavefronts);
    }

    void count_banks(std::uint32_t round, bool conflicts) {
        while (banks_.size() <= round) banks_.emplace_back(geometry_.banks);
        std::vector<BankCounts>& banks = banks_[round];
        std::uint8_t most = 0;
        for (std::size_t bank = 0; bank < banks.size(); ++bank) {
            banks[bank].words += loads_.words[bank];
            most = std::max(most, loads_.words[bank]);
        }
        if (!conflicts) return;
        for (std::size_t bank = 0; bank < banks.size(); ++bank)
            banks[bank].worst += static_cast<std::uint64_t>(loads_.words[bank] == most);
    }

    void consider(const BlockTrace& block, std::uint32_t warp, std::uint32_t index, const AccessRecord& access,
                  const Wavefronts& wavefronts) {
        const PayloadSite& site = sites_[index];
        if (choice_.pc && *choice_.pc != site.instruction * isa::instruction_bytes) return;
        if (numbers_.empty()) numbers_.resize(sites_.all().size());
        const std::uint64_t number = numbers_[index]++;
        if (choice_.number && *choice_.number != number) return;
        if (chosen_ && excess(chosen_->wavefronts) >= excess(wavefronts)) return;
        chosen_ = {.instruction = site.instruction,
                   .block = block.block_index,
                   .warp = warp,
                   .number = number,
                   .width = site.width,
                   .kind = site.kind,
                   .access = access,
                   .wavefronts = wavefronts};
    }

    BankGeometry geometry_;
    PayloadSites sites_;
    RoundMarks marks_;
    const RequestChoice& choice_;
    bool choosing_;
    std::vector<SharedGroups> groups_;            ///< by site
    std::vector<std::vector<BankCounts>> banks_;  ///< by round, then bank
    BankLoads loads_;
    std::vector<std::vector<ConflictCounts>> counts_;                           ///< by site, then round from 1
    std::vector<ConflictCounts> first_round_;                                   ///< by site
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> unfinished_;  ///< block -> rounds of its warps
    std::vector<std::vector<std::uint32_t>> spare_;
    std::vector<std::uint64_t> numbers_;  ///< by site: requests so far
    std::optional<SharedRequest> chosen_;
    std::uint64_t warp_instructions_ = 0;
};

class ConflictDevice final : public ModelledDevice {
  public:
    ConflictDevice(const Platform& platform_of, ModelOptions options_of, ConflictOptions conflicts,
                   std::vector<LaunchConflicts>& launches)
        : ModelledDevice(platform_of, std::move(options_of)), conflicts_(std::move(conflicts)), launches_(launches) {}
    [[nodiscard]] std::string name() const override { return platform().name + " (conflicts)"; }

  protected:
    Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) override {
        const isa::Program& program = source.program();
        LaunchConflicts conflicts;
        conflicts.kernel = launch.kernel;
        conflicts.grid = launch.grid;
        conflicts.block = launch.block;
        conflicts.shared = program.kernel.static_shared + launch.dynamic_shared;
        conflicts.geometry = {platform().sm.shared_banks, platform().sm.shared_bank_bytes};
        ConflictCounting counting(program, conflicts.geometry,
                                  conflicts_.rounds ? conflicts_.rounds(program) : RoundMarks{}, conflicts_.choice,
                                  may_choose(conflicts_.choice, launch.kernel));
        if (auto done = run_functionally(source, launch, platform(), options(), long_turn, counting); !done)
            return done;
        counting.give(program, conflicts);
        std::uint64_t wavefronts = 0;
        std::uint64_t ideal = 0;
        for (const InstructionConflicts& instruction : conflicts.instructions)
            for (const ConflictCounts& round : instruction.by_round) {
                wavefronts += round.wavefronts;
                ideal += round.wavefronts_ideal;
            }
        result.metrics = {
            {"smsp__inst_executed.sum"_metric, static_cast<double>(counting.warp_instructions())},
            {"memory_l1_wavefronts_shared"_metric, static_cast<double>(wavefronts)},
            {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"_metric, static_cast<double>(wavefronts - ideal)}};
        launches_.push_back(std::move(conflicts));
        return {};
    }

  private:
    ConflictOptions conflicts_;
    std::vector<LaunchConflicts>& launches_;
};

}  // namespace

std::unique_ptr<ModelledDevice> make_conflict_device(const Platform& platform, ModelOptions options,
                                                     ConflictOptions conflicts,
                                                     std::vector<LaunchConflicts>& launches) {
    return std::make_unique<ConflictDevice>(platform, std::move(options), std::move(conflicts), launches);
}

}  // namespace sassafras::sim
