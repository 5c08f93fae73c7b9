#include "isa/sass/print_address.hpp"

#include <array>

#include "isa/sass/fields.hpp"
#include "isa/sass/print_line.hpp"

namespace sassafras::isa {

std::string address_text(const AddressText& address) {
    std::string sum;
    const bool has_base = address.base != register_zero;
    if (has_base) {
        sum = register_name(address.base);
        sum += address.suffix;
        if (address.base_64) sum += ".64";
        if (address.base_32) sum += ".U32";
    }
    if (address.has_uniform && !address.descriptor) {
        if (!sum.empty()) sum += "+";
        sum += uniform_register_name(address.uniform);
    }
    if (sum.empty()) {
        if (address.descriptor) sum = "RZ";
    }
    if (sum.empty() && address.offset == 0) sum = "RZ";
    if (address.offset != 0) {
        if (sum.empty())
            sum = signed_hexadecimal_text(address.offset);
        else
            sum += "+" + signed_hexadecimal_text(address.offset);
    }
    const std::string prefix = address.has_uniform && address.descriptor && address.descriptor_shown
                                   ? "desc[" + uniform_register_name(address.uniform) + "]"
                                   : "";
    return prefix + "[" + sum + "]";
}

std::string_view memory_order_text(std::uint64_t value, Architecture architecture) {
    // sm_75 has a scope (78..77: of a block, an SM, the GPU, the system) and a strength (80..79) apart.
    constexpr std::array<std::string_view, 16> turing{".CONSTANT.CTA", ".CONSTANT.SM", ".CONSTANT.GPU", ".CONSTANT.SYS",
                                                      ".CTA",          ".SM",          ".GPU",          ".SYS",
                                                      ".STRONG.CTA",   ".STRONG.SM",   ".STRONG.GPU",   ".STRONG.SYS",
                                                      ".MMIO.CTA",     ".MMIO.SM",     ".MMIO.GPU",     ".MMIO.SYS"};
    if (architecture == Architecture::sm_75) return turing[value & 15U];
    constexpr std::array<std::string_view, 16> names{"",
                                                     ".INVALID1",
                                                     ".CTA",
                                                     ".INVALID3",
                                                     ".CONSTANT",
                                                     ".STRONG.SM",
                                                     ".STRONG.GPU.PRIVATE",
                                                     ".STRONG.GPU",
                                                     ".MMIO.GPU",
                                                     ".CONSTANT.PRIVATE",
                                                     ".STRONG.SYS",
                                                     ".INVALID11",
                                                     ".MMIO.SYS",
                                                     ".INVALID13",
                                                     ".INVALID14",
                                                     ".INVALID15"};
    return names[value & 15U];
}

void print_cache_policy(PrintLine& line) {
    line.choice(fields::cache_policy, {".EF", "", ".EL", ".LU", ".EU", ".NA", ".INVALID6", ".INVALID7"});
}

}  // namespace sassafras::isa
