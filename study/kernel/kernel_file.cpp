#include "study/kernel/kernel_file.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/demangle.hpp"
#include "core/spelling.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/cubin/elf.hpp"
#include "isa/cubin/fat_binary.hpp"
#include "isa/cubin/host_file.hpp"

namespace sassafras::study {

namespace {

using CubinBytes = std::vector<std::byte>;

struct Candidate {
    std::size_t cubin = 0;
    std::string name;
};

/// Spaces are written by some and not by others.
std::string without_spaces(std::string text) {
    std::erase(text, ' ');
    return text;
}

/// "n::scale<int>(int*, int)": a template's demangled name begins with its result, which is void of every kernel.
std::string readable(const std::string& name) {
    std::string text = demangled(name);
    constexpr std::string_view result = "void ";
    return text.starts_with(result) ? text.substr(result.size()) : text;
}

std::string without_parameters(const std::string& text) { return text.substr(0, text.rfind('(')); }

/// How exactly a kernel may be named.
enum class Way : std::uint8_t { mangled, whole, part };

bool is_called(const std::string& name, const std::string& asked, Way way) {
    if (way == Way::mangled) return name == asked;
    const std::string text = without_spaces(readable(name));
    if (way == Way::whole) return text == asked;
    return without_parameters(text) == asked || function_name(name) == asked;
}

Result<Candidate> choose(const std::vector<Candidate>& kernels, const std::string& wanted, const std::string& origin) {
    constexpr std::string_view result = "void ";
    const std::string asked = without_spaces(wanted.starts_with(result) ? wanted.substr(result.size()) : wanted);
    for (const Way way : {Way::mangled, Way::whole, Way::part}) {
        std::vector<const Candidate*> found;
        for (const Candidate& kernel : kernels)
            if (is_called(kernel.name, asked, way)) found.push_back(&kernel);
        if (found.empty()) continue;
        if (found.size() == 1) return *found.front();
        std::vector<std::string> names;
        for (const Candidate* kernel : found) names.push_back(readable(kernel->name));
        return Error{ErrorKind::bad_input, fmt::format("{} kernels are called {}", found.size(), wanted), origin,
                     fmt::format("name one of {}", fmt::join(names, "; "))};
    }
    std::vector<std::string> names;
    for (const Candidate& kernel : kernels) names.push_back(readable(kernel.name));
    return Error{ErrorKind::bad_input, "there is no kernel " + wanted + " in the module", origin,
                 names.empty() ? "there is none at all" : name_one_of(wanted, names)};
}

/// Of each source file that was linked, the cubin that fits.
Result<std::vector<CubinBytes>> fitting_cubins(const std::vector<std::span<const std::byte>>& containers,
                                               const std::string& origin, int capability) {
    std::vector<CubinBytes> cubins;
    std::vector<isa::FatEntry> all;
    for (const auto container : containers) {
        const auto entries = isa::read_fat_binary(container, origin);
        if (!entries) return entries.error();
        all.insert(all.end(), entries->begin(), entries->end());
        const isa::FatEntry* best = isa::best_cubin(*entries, capability);
        if (best == nullptr) continue;
        auto cubin = isa::unpack(*best, origin);
        if (!cubin) return cubin.error();
        cubins.push_back(std::move(*cubin));
    }
    if (cubins.empty()) return isa::no_cubin(all, capability, origin);
    return cubins;
}

Result<std::vector<CubinBytes>> cubins_of(std::span<const std::byte> file, const std::string& origin, int capability) {
    if (!isa::begins_as_elf(file)) return fitting_cubins({file}, origin, capability);
    const auto host = isa::read_host_file(file, origin);
    if (!host) return host.error();
    if (host->fat_binaries.empty())
        return Error{ErrorKind::bad_input,
                     host->has_unlinked_code ? "the object's device code is not linked (-rdc=true)"
                                             : "there is no device code in the file",
                     origin,
                     host->has_unlinked_code ? "give the program, or compile without -rdc=true"
                                             : "give a cubin, or what nvcc makes of a file with kernels"};
    return fitting_cubins(host->fat_binaries, origin, capability);
}

/// What is none of the two is called a cubin; loading it says what is wrong.
bool is_cubin(std::span<const std::byte> file, const std::string& origin) {
    if (isa::begins_as_elf(file)) {
        constexpr std::size_t machine = 18;
        return !isa::in_range(machine, 2, file.size()) ||
               isa::read_value<std::uint16_t>(file, machine) == isa::elf::machine_cuda;
    }
    return !isa::fat_binary_size(file.first(std::min(file.size(), isa::fat_header_bytes)), origin).ok();
}

}  // namespace

Result<FoundKernel> find_kernel(std::vector<std::byte> file, const std::string& origin, const std::string& wanted,
                                isa::ComputeCapability capability) {
    std::vector<CubinBytes> cubins;
    if (is_cubin(file, origin)) {
        cubins.push_back(std::move(file));
    } else {
        auto found = cubins_of(file, origin, static_cast<int>(10 * capability.major + capability.minor));
        if (!found) return found.error();
        cubins = std::move(*found);
    }
    std::vector<Candidate> kernels;
    std::optional<std::size_t> unreadable;
    for (std::size_t i = 0; i < cubins.size(); ++i) {
        const auto cubin = isa::read_cubin(cubins[i], origin);
        if (!cubin && !unreadable) unreadable = i;
        if (!cubin) continue;
        for (const isa::Kernel& kernel : cubin->kernels) {
            // A template's kernel is in each source file that uses it.
            const auto same = [&](const Candidate& other) { return other.name == kernel.name; };
            if (std::none_of(kernels.begin(), kernels.end(), same)) kernels.push_back({i, kernel.name});
        }
    }
    auto chosen = choose(kernels, wanted, origin);
    if (!chosen && unreadable) return FoundKernel{std::move(cubins[*unreadable]), wanted};
    if (!chosen) return chosen.error();
    return FoundKernel{std::move(cubins[chosen->cubin]), std::move(chosen->name)};
}

}  // namespace sassafras::study
