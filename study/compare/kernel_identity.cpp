#include "study/compare/kernel_identity.hpp"

namespace sassafras::study {

namespace {

constexpr std::string_view anonymous_namespace = "(anonymous namespace)";

std::string without_blanks(std::string_view text) {
    std::string kept;
    for (const char letter : text)
        if (letter != ' ') kept += letter;
    return kept;
}

/// Where the parameters begin: the first bracket that is in none of a template, and is no "(anonymous namespace)".
std::size_t begin_of_parameters(std::string_view name) {
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i).starts_with(anonymous_namespace)) {
            i += anonymous_namespace.size() - 1;
        } else if (name[i] == '<') {
            ++depth;
        } else if (name[i] == '>') {
            --depth;
        } else if (name[i] == '(' && depth == 0) {
            return i;
        }
    }
    return name.size();
}

/// Behind the type of the result: the last blank that is in no bracket.
std::size_t begin_of_name(std::string_view name) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(') ++depth;
        if (name[i] == '>' || name[i] == ')') --depth;
        if (name[i] == ' ' && depth == 0) begin = i + 1;
    }
    return begin;
}

/// As c++filt spells it; Nsight Compute says "<unnamed>".
std::string with_usual_anonymous(std::string_view name) {
    constexpr std::string_view unnamed = "<unnamed>";
    std::string text(name);
    for (std::size_t at = 0; (at = text.find(unnamed, at)) != std::string::npos;)
        text.replace(at, unnamed.size(), anonymous_namespace);
    return text;
}

/// "<(int)0, float>" as "<0,float>": a cast of a value says nothing that the template does not.
std::string without_casts(std::string_view name) {
    std::string kept;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool is_argument = !kept.empty() && (kept.back() == '<' || kept.back() == ',');
        const std::size_t end = name.find(')', i);
        if (name[i] == '(' && is_argument && end != std::string_view::npos)
            i = end;
        else if (name[i] != ' ')
            kept += name[i];
    }
    return kept;
}

}  // namespace

KernelIdentity KernelIdentity::of(std::string_view name) {
    const std::string text = with_usual_anonymous(name);
    const std::string_view front = std::string_view(text).substr(0, begin_of_parameters(text));
    const std::string_view own = front.substr(begin_of_name(front));
    KernelIdentity identity;
    identity.whole = without_blanks(text);
    identity.instance = without_casts(own);
    identity.function = identity.instance.substr(0, identity.instance.find('<'));
    if (const std::size_t scope = identity.function.rfind("::"); scope != std::string::npos)
        identity.function.erase(0, scope + 2);
    return identity;
}

bool KernelIdentity::is_same_kernel(const KernelIdentity& other) const {
    if (instance == other.instance) return true;
    const bool one_is_bare = instance == function || other.instance == other.function;
    return function == other.function && one_is_bare;
}

}  // namespace sassafras::study
