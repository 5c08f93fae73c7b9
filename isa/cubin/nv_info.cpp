#include "isa/cubin/nv_info.hpp"

#include <fmt/format.h>

namespace sassafras::isa {
namespace {

enum class ItemFormat : std::uint8_t { none = 1, byte = 2, half = 3, sized = 4 };

constexpr std::uint64_t item_header_bytes = 4;

/// The least payload that the attribute's fields need; 0 for those that are lists, inline or skipped.
std::uint64_t least_payload(InfoAttribute attribute) {
    switch (attribute) {
        case InfoAttribute::max_threads:
        case InfoAttribute::required_block:
        case InfoAttribute::cta_per_cluster:
        case InfoAttribute::kernel_parameter:
        case InfoAttribute::kernel_parameter_v2: return 12;
        case InfoAttribute::param_cbank:
        case InfoAttribute::frame_size:
        case InfoAttribute::min_stack_size:
        case InfoAttribute::register_count: return 8;
        case InfoAttribute::exit_offsets:
        case InfoAttribute::warp_wide_offsets:
        case InfoAttribute::indirect_branch_targets:
        case InfoAttribute::barrier_count: return 0;
    }
    return 0;
}

}  // namespace

Result<std::vector<InfoItem>> read_info_items(const ElfFile& file, const ElfSection& section) {
    std::vector<InfoItem> items;
    const std::span<const std::byte> bytes = section.bytes;
    for (std::uint64_t at = 0; at < bytes.size();) {
        if (!in_range(at, item_header_bytes, bytes.size()))
            return file.fault(fmt::format("the item at {:#x} is cut off", at), section.name);
        const auto format = ItemFormat{read_value<std::uint8_t>(bytes, at)};
        InfoItem item;
        item.attribute = InfoAttribute{read_value<std::uint8_t>(bytes, at + 1)};
        const auto value = read_value<std::uint16_t>(bytes, at + 2);
        const std::uint64_t start = at + item_header_bytes;
        at = start;
        switch (format) {
            case ItemFormat::none: break;
            case ItemFormat::byte: item.value = value & 0xffU; break;
            case ItemFormat::half: item.value = value; break;
            case ItemFormat::sized:
                if (!in_range(start, value, bytes.size()))
                    return file.fault(fmt::format("the {} bytes of the item at {:#x} are out of range", value,
                                                  start - item_header_bytes),
                                      section.name);
                item.payload = bytes.subspan(start, value);
                at = start + value;
                break;
            default:
                return file.fault(fmt::format("the item at {:#x} has format {}, not 1 to 4", start - item_header_bytes,
                                              static_cast<int>(format)),
                                  section.name);
        }
        if (item.payload.size() < least_payload(item.attribute))
            return file.fault(fmt::format("attribute {:#04x} at {:#x} has {} bytes of payload, not {}",
                                          static_cast<int>(item.attribute), start - item_header_bytes,
                                          item.payload.size(), least_payload(item.attribute)),
                              section.name);
        items.push_back(item);
    }
    return items;
}

}  // namespace sassafras::isa
