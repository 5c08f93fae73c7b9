#include "sim/device/launch_selection.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "core/text_pattern.hpp"

namespace sassafras::sim {

/// What --kernel-id and --nvtx-include say.
namespace filters {

struct KernelId {
    std::optional<std::uint64_t> context;
    std::optional<std::uint64_t> stream;
    TextPattern name;
    TextPattern invocation;  ///< from 1, of each kernel
};

struct RangePattern {
    std::string domain;
    std::string name;
    bool is_pushed = false;  ///< no other matches
};

using RangePatterns = std::vector<RangePattern>;  ///< all of them are open

}  // namespace filters

namespace {

using filters::KernelId;
using filters::RangePattern;
using filters::RangePatterns;

constexpr std::string_view id_option = "--kernel-id";
constexpr std::string_view range_option = "--nvtx-include";

Result<std::optional<std::uint64_t>> id_number(std::string_view text, std::string_view what, std::string_view whole) {
    if (text.empty()) return std::optional<std::uint64_t>();
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed == std::errc() && end == text.data() + text.size()) return std::optional(number);
    return Error{ErrorKind::bad_input,
                 fmt::format("\"{}\" is no number of a {}; their names are not known", text, what),
                 fmt::format("{} {}", id_option, whole),
                 "give its number (the context is 1; streams are 7, 13, 14, ...), or nothing for all"};
}

Result<KernelId> parse_kernel_id(const std::string& text) {
    const std::string where = fmt::format("{} {}", id_option, text);
    const std::string_view whole = text;
    const std::size_t first = whole.find(':');
    const std::size_t second = first == whole.npos ? first : whole.find(':', first + 1);
    std::string_view name = second == whole.npos ? std::string_view() : whole.substr(second + 1);
    const bool is_regex = name.starts_with(regex_prefix);
    const std::size_t last = name.rfind(':');
    if (last == name.npos || (is_regex && last < regex_prefix.size()))
        return Error{ErrorKind::bad_input, "this is no context:stream:name:invocation", where,
                     "write ::NAME:2 for the second launch of NAME, ::regex:EXPRESSION: for all of matching names"};
    KernelId id;
    auto context = id_number(whole.substr(0, first), "context", whole);
    if (!context) return context.error();
    auto stream = id_number(whole.substr(first + 1, second - first - 1), "stream", whole);
    if (!stream) return stream.error();
    auto pattern = TextPattern::parse(name.substr(0, last), where);
    if (!pattern) return pattern.error();
    id.context = *context;
    id.stream = *stream;
    id.name = std::move(*pattern);
    if (const std::string_view invocation = name.substr(last + 1); !invocation.empty()) {
        auto of_number = TextPattern::whole(invocation, where);
        if (!of_number) return of_number.error();
        id.invocation = std::move(*of_number);
    }
    return id;
}

Error bad_range(const std::string& text, std::string_view what) {
    return {ErrorKind::bad_input, what, fmt::format("{} {}", range_option, text),
            "write NAME, NAME/ for ranges that are pushed, DOMAIN@NAME, or NAME,OTHER for both; a backslash comes "
            "before such a character of a name"};
}

/// Of Nsight Compute's expressions those about ranges that are open, wherever on the stack.
Result<RangePatterns> parse_ranges(const std::string& text) {
    RangePatterns patterns(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        RangePattern& range = patterns.back();
        const char c = text[at];
        if (c == '\\' && at + 1 < text.size()) {
            range.name += text[++at];
        } else if (c == ',') {
            patterns.emplace_back();
        } else if (c == '@' && range.domain.empty()) {
            range.domain = std::exchange(range.name, {});
        } else if (c == '/') {
            range.is_pushed = true;
            if (at + 1 < text.size() && text[at + 1] != ',')
                return bad_range(text, "a / ends a name here: stacks of ranges are not told apart");
        } else if (c == '[' || c == ']' || c == '*') {
            return bad_range(text, fmt::format("{} has no meaning here: stacks of ranges are not told apart", c));
        } else {
            range.name += c;
        }
    }
    for (const RangePattern& range : patterns)
        if (range.name.empty()) return bad_range(text, "a range has no name");
    return patterns;
}

bool is_open(const RangePattern& wanted, std::span<const OpenRange> ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const OpenRange& range) {
        return range.name == wanted.name && range.domain == wanted.domain && (range.is_pushed || !wanted.is_pushed);
    });
}

}  // namespace

std::string name_in(LaunchSelection::NameBase base, const std::string& kernel) {
    switch (base) {
        case LaunchSelection::NameBase::function: return function_name(kernel);
        case LaunchSelection::NameBase::demangled: return demangled(kernel);
        case LaunchSelection::NameBase::mangled: return kernel;
    }
    return kernel;
}

struct LaunchSelector::State {
    /// What is the same for all launches of a kernel.
    struct OfKernel {
        bool is_named = false;
        bool has_id = false;
        std::uint64_t launches = 0;
    };

    const LaunchSelection selection;
    TextPattern kernel;
    std::optional<filters::KernelId> id = {};
    std::vector<filters::RangePatterns> ranges = {};  ///< one of them
    std::map<std::string, OfKernel> kernels = {};
    std::uint64_t launches = 0;
    std::uint64_t matching = 0;

    OfKernel& of_kernel(const std::string& mangled) {
        const auto [at, is_new] = kernels.try_emplace(mangled);
        if (is_new) {
            const std::string name = name_in(selection.base, mangled);
            at->second = {kernel.matches(name), !id || id->name.matches(name), 0};
        }
        return at->second;
    }
    [[nodiscard]] bool has_id(const OfKernel& of_this, std::uint64_t stream) const {
        if (!id) return true;
        return of_this.has_id && (!id->context || *id->context == only_context) &&
               (!id->stream || *id->stream == stream) && id->invocation.matches(std::to_string(of_this.launches));
    }
    [[nodiscard]] bool is_inside(std::span<const OpenRange> open) const {
        return ranges.empty() || std::any_of(ranges.begin(), ranges.end(), [&](const RangePatterns& all) {
                   return std::all_of(all.begin(), all.end(),
                                      [&](const RangePattern& range) { return is_open(range, open); });
               });
    }
};

LaunchSelector::LaunchSelector(std::unique_ptr<State> state) : state_(std::move(state)) {}
LaunchSelector::LaunchSelector(LaunchSelector&& other) noexcept = default;
LaunchSelector& LaunchSelector::operator=(LaunchSelector&& other) noexcept = default;
LaunchSelector::~LaunchSelector() = default;

Result<LaunchSelector> LaunchSelector::make(const LaunchSelection& selection) {
    auto kernel = TextPattern::parse(selection.kernel, "--kernel-name " + selection.kernel);
    if (!kernel) return kernel.error();
    std::unique_ptr<State> state(new State{.selection = selection, .kernel = std::move(*kernel)});
    if (!selection.kernel_id.empty()) {
        auto id = parse_kernel_id(selection.kernel_id);
        if (!id) return id.error();
        state->id = std::move(*id);
    }
    for (const std::string& text : selection.ranges) {
        auto ranges = parse_ranges(text);
        if (!ranges) return ranges.error();
        state->ranges.push_back(std::move(*ranges));
    }
    return LaunchSelector(std::move(state));
}

bool LaunchSelector::takes(const std::string& kernel, std::uint64_t stream, std::span<const OpenRange> ranges) {
    State& state = *state_;
    State::OfKernel& of_kernel = state.of_kernel(kernel);
    ++of_kernel.launches;
    if (state.launches++ < state.selection.skip_before) return false;
    if (!of_kernel.is_named || !state.has_id(of_kernel, stream) || !state.is_inside(ranges)) return false;
    const std::uint64_t number = state.matching++;
    if (number < state.selection.skip) return false;
    return !state.selection.count || number - state.selection.skip < *state.selection.count;
}

}  // namespace sassafras::sim
