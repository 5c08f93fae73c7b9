#include "core/demangle.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

namespace sassafras {

namespace {

/// Names of CUB and Thrust have some hundred characters and come to some thousand; one made for it doubles with every
/// dozen. The bound below is far above what real ones come to, so its limit is, too: what it lets through has some 50
/// MB.
constexpr std::size_t longest_name = 4096;
constexpr double most_bytes = 4294967296.0;

/// A bound on the length of the demangled name. What a name repeats it says by a reference to an earlier part, S0_ or
/// T0_, and a part can contain a reference itself: so each part that is referred to multiplies what comes after it by
/// no more than the references to it, and one.
double greatest_size(std::string_view name) {
    std::map<std::string_view, std::uint32_t> references;
    std::size_t at = 0;
    while (at < name.size()) {
        if (std::isdigit(static_cast<unsigned char>(name[at])) != 0) {  // an identifier and its length
            std::size_t length = 0;
            for (; at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0; ++at)
                length = std::min<std::size_t>(10 * length + static_cast<std::size_t>(name[at] - '0'), name.size());
            at += length;
            continue;
        }
        std::size_t end = at + 1;
        if (name[at] == 'S' || name[at] == 'T') {
            while (end < name.size() && (std::isdigit(static_cast<unsigned char>(name[end])) != 0 ||
                                         std::isupper(static_cast<unsigned char>(name[end])) != 0))
                ++end;
            if (end < name.size() && name[end] == '_')
                ++references[name.substr(at, end - at)];
            else
                end = at + 1;
        }
        at = end;
    }
    double size = static_cast<double>(name.size()) * 8;  // "i" is "int", "y" is "unsigned long long"
    for (const auto& [part, count] : references) size *= count + 1;
    return size;
}

constexpr std::string_view unnamed_namespace = "(anonymous namespace)";

/// Where the function's own name begins: behind the last space or "::" that is in no brackets.
std::size_t begin_of_own_name(std::string_view text) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
        if (depth == 0 && (c == ' ' || c == ':')) begin = at + 1;
    }
    return begin;
}

/// Up to where parameters begin, or the arguments of the template that it is, or its end.
std::size_t end_of_own_name(std::string_view text, char opening) {
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (depth == 0 && c == opening && !text.substr(at).starts_with(unnamed_namespace)) return at;
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
    }
    return text.size();
}

}  // namespace

std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z")) return name;  // "f" would be the type float
    if (name.size() > longest_name || greatest_size(name) > most_bytes) return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 && text ? std::string(text.get()) : name;
}

std::string function_name(const std::string& name) {
    const std::string text = demangled(name);
    if (text == name) return name;
    std::string_view own = std::string_view(text).substr(0, end_of_own_name(text, '('));
    own = own.substr(begin_of_own_name(own));
    return std::string(own.substr(0, end_of_own_name(own, '<')));
}

}  // namespace sassafras
