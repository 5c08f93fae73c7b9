#include "study/sweep/mpi_ranks.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "study/sweep/program_output.hpp"

namespace sassafras::study::sweep {

namespace {

std::optional<std::uint64_t> number_of(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    const std::string_view digits(text);
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

}  // namespace

std::optional<Shard> own_rank() {
    // Not SLURM_PROCID: a batch script of many tasks has it, too, and is not one of them.
    constexpr const char* variables[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}};
    for (const auto& [rank, size] : variables) {
        const auto index = number_of(rank);
        const auto count = number_of(size);
        if (index && count && *index < *count) return Shard{*index, *count};
    }
    return std::nullopt;
}

Result<void> run_ranks(const std::string& program, const std::string& study, std::uint64_t ranks, bool again,
                       std::uint32_t timeout, const std::function<void()>& poll) {
    std::vector<std::string> words{
        "mpirun", "-n", std::to_string(ranks), program, "sweep", "run", study, "--engine", "mpi", "--jobs", "1"};
    if (again) words.emplace_back("--retry-failed");
    if (timeout != 0) words.push_back(fmt::format("--timeout={}", timeout));
    auto output = output_of(words, "", "install Open MPI, or choose another --engine", poll);
    if (!output) return output.error();
    if (output->status == 0) return {};
    return Error{ErrorKind::check_failed, fmt::format("mpirun ended with status {}", output->status), "mpirun",
                 "see what it said above, then run this again: it goes on where the ranks ended"};
}

}  // namespace sassafras::study::sweep
