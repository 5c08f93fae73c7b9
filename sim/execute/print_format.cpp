#include "sim/execute/print_format.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace sassafras::sim {

namespace {

constexpr std::int64_t widest_field = 4096;  ///< of a width or precision: bounds what one conversion can print

/// One conversion of a format string, without the per cent sign.
struct Conversion {
    std::string flags;
    std::string width;      ///< digits or *
    std::string precision;  ///< with its point
    std::string length;     ///< h, l, ll and so on
    char type = 0;          ///< 0: the string ended before
    std::size_t characters = 0;
};

Conversion parse(std::string_view rest) {
    Conversion found;
    std::size_t at = 0;
    const auto take = [&](std::string_view allowed, std::string& to) {
        while (at < rest.size() && allowed.find(rest[at]) != std::string_view::npos) to += rest[at++];
    };
    take("-+ #0", found.flags);
    take("*0123456789", found.width);
    if (at < rest.size() && rest[at] == '.') {
        found.precision = rest[at++];
        take("*0123456789", found.precision);
    }
    take("hl", found.length);
    if (at < rest.size()) found.type = rest[at++];
    found.characters = at;
    return found;
}

template <class Value>
std::string formatted(const std::string& specification, Value value) {
    std::string text(64, '\0');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(text.data(), text.size(), specification.c_str(), value);
    if (size >= static_cast<int>(text.size())) {
        text.resize(static_cast<std::size_t>(size) + 1);
        std::snprintf(text.data(), text.size(), specification.c_str(), value);
    }
#pragma GCC diagnostic pop
    text.resize(static_cast<std::size_t>(std::max(size, 0)));
    return text;
}

class Printer {
  public:
    explicit Printer(const PrintArguments& arguments) : arguments_(arguments) {}

    bool run(std::string_view format) {
        while (!format.empty()) {
            const std::size_t percent = format.find('%');
            printed_.text += format.substr(0, percent);
            if (percent == std::string_view::npos) return true;
            const Conversion conversion = parse(format.substr(percent + 1));
            const std::string_view source = format.substr(percent, conversion.characters + 1);
            format.remove_prefix(percent + conversion.characters + 1);
            if (!convert(conversion, source)) return false;
        }
        return true;
    }
    [[nodiscard]] Printed& printed() { return printed_; }

  private:
    /// The next argument, or nothing after a failure or behind the last that printf takes.
    std::optional<std::uint64_t> next(std::uint32_t bytes) {
        if (printed_.arguments == most_print_arguments) return std::nullopt;
        const auto value = arguments_.next(bytes);
        if (value)
            ++printed_.arguments;
        else
            failed_ = true;
        return value;
    }

    /// Digits of a width or precision, its asterisk replaced by an argument; clipped.
    std::optional<std::string> number(const std::string& given) {
        if (given.find('*') == std::string::npos)
            return std::to_string(
                std::min<std::int64_t>(widest_field, given.size() > 6 ? widest_field : std::stoll("0" + given)));
        const auto value = next(4);
        if (!value) return std::nullopt;
        const std::int64_t wide = static_cast<std::int32_t>(*value);
        return std::to_string(std::clamp(wide, -widest_field, widest_field));
    }

    bool convert(const Conversion& conversion, std::string_view source) {
        if (source == "%%") {
            printed_.text += '%';
            return true;
        }
        if (conversion.type == 0 || conversion.precision.find('*') != std::string::npos ||
            std::string_view("diouxXpcsfFeEgGaA").find(conversion.type) == std::string_view::npos) {
            printed_.text += source;  // not a conversion
            return true;
        }
        std::string specification = "%" + conversion.flags;
        if (!conversion.width.empty()) {
            const auto width = number(conversion.width);
            if (!width) return leave(source);
            specification += *width;
        }
        if (!conversion.precision.empty()) {
            specification += '.' + *number(conversion.precision.substr(1));
        }
        return value(conversion, std::move(specification), source);
    }

    bool value(const Conversion& conversion, std::string specification, std::string_view source) {
        const char type = conversion.type;
        const bool is_real = std::string_view("fFeEgGaA").find(type) != std::string_view::npos;
        const bool is_wide =
            is_real || type == 's' || type == 'p' || (type != 'c' && conversion.length.find('l') != std::string::npos);
        const auto bits = next(is_wide ? 8 : 4);
        if (!bits) return leave(source);
        if (is_real) {
            printed_.text += formatted(specification + type, std::bit_cast<double>(*bits));
        } else if (type == 's') {
            const auto text = *bits == 0 ? std::optional<std::string>("(null)") : arguments_.text(*bits);
            if (!text) return false;
            printed_.text += formatted(specification + 's', text->c_str());
        } else if (type == 'p') {
            printed_.text += formatted(specification + 'p', reinterpret_cast<const void*>(*bits));
        } else if (type == 'c') {
            printed_.text += formatted(specification + 'c', static_cast<int>(*bits));
        } else if (is_wide) {
            printed_.text += formatted(specification + "ll" + type, static_cast<unsigned long long>(*bits));
        } else {
            const std::string length = conversion.length.substr(0, 2);
            printed_.text += formatted(specification + length + type, static_cast<unsigned>(*bits));
        }
        return true;
    }

    /// Behind the last argument that printf takes, a conversion stays as it was written. False after a failure.
    bool leave(std::string_view source) {
        printed_.text += source;
        return !failed_;
    }

    const PrintArguments& arguments_;
    Printed printed_;
    bool failed_ = false;
};

}  // namespace

std::optional<Printed> print_format(std::string_view format, const PrintArguments& arguments) {
    Printer printer(arguments);
    if (!printer.run(format)) return std::nullopt;
    return std::move(printer.printed());
}

}  // namespace sassafras::sim
