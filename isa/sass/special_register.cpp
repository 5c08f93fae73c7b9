#include "isa/sass/special_register.hpp"

#include <array>
#include <string_view>

namespace sassafras::isa {
namespace {

struct Named {
    std::uint8_t number;
    std::string_view name;
};

constexpr std::array names{Named{0, "SR_LANEID"},
                           Named{1, "SR_CLOCK"},
                           Named{2, "SR_VIRTCFG"},
                           Named{3, "SR_VIRTID"},
                           Named{15, "SR_ORDERING_TICKET"},
                           Named{16, "SR_PRIM_TYPE"},
                           Named{17, "SR_INVOCATION_ID"},
                           Named{18, "SR_Y_DIRECTION"},
                           Named{19, "SR_THREAD_KILL"},
                           Named{20, "SR_SM_SHADER_TYPE"},
                           Named{24, "SR_MACHINE_ID_0"},
                           Named{25, "SR_MACHINE_ID_1"},
                           Named{26, "SR_MACHINE_ID_2"},
                           Named{27, "SR_MACHINE_ID_3"},
                           Named{28, "SR_AFFINITY"},
                           Named{29, "SR_INVOCATION_INFO"},
                           Named{30, "SR_WSCALEFACTOR_XY"},
                           Named{31, "SR_WSCALEFACTOR_Z"},
                           Named{32, "SR_TID"},
                           Named{33, "SR_TID.X"},
                           Named{34, "SR_TID.Y"},
                           Named{35, "SR_TID.Z"},
                           Named{37, "SR_CTAID.X"},
                           Named{38, "SR_CTAID.Y"},
                           Named{39, "SR_CTAID.Z"},
                           Named{40, "SR_NTID"},
                           Named{44, "SR_SM_SPA_VERSION"},
                           Named{46, "SR_LWINHI"},
                           Named{47, "SR_SWINHI"},
                           Named{48, "SR_SWINLO"},
                           Named{49, "SR_SWINSZ"},
                           Named{50, "SR_SMEMSZ"},
                           Named{51, "SR_SMEMBANKS"},
                           Named{52, "SR_LWINLO"},
                           Named{53, "SR_LWINSZ"},
                           Named{54, "SR_LMEMLOSZ"},
                           Named{55, "SR_LMEMHIOFF"},
                           Named{56, "SR_EQMASK"},
                           Named{57, "SR_LTMASK"},
                           Named{58, "SR_LEMASK"},
                           Named{59, "SR_GTMASK"},
                           Named{60, "SR_GEMASK"},
                           Named{61, "SR_REGALLOC"},
                           Named{62, "SR_BARRIERALLOC"},
                           Named{64, "SR_GLOBALERRORSTATUS"},
                           Named{65, "SR_CGAERRORSTATUS"},
                           Named{66, "SR_WARPERRORSTATUS"},
                           Named{67, "SR_VIRTUALSMID"},
                           Named{68, "SR_VIRTUALENGINEID"},
                           Named{80, "SR_CLOCKLO"},
                           Named{81, "SR_CLOCKHI"},
                           Named{82, "SR_GLOBALTIMERLO"},
                           Named{83, "SR_GLOBALTIMERHI"},
                           Named{84, "SR_ESR_PC"},
                           Named{85, "SR_ESR_PC_HI"},
                           Named{96, "SR_HWTASKID"},
                           Named{97, "SR_CIRCULARQUEUEENTRYINDEX"},
                           Named{98, "SR_CIRCULARQUEUEENTRYADDRESSLOW"},
                           Named{99, "SR_CIRCULARQUEUEENTRYADDRESSHIGH"},
                           Named{132, "SR_VARIABLE_RATE"},
                           Named{133, "SR_TTU_TICKET_INFO"},
                           Named{134, "SR_WARPGROUP_INFO"},
                           Named{135, "SR_WARPGROUPID"},
                           Named{136, "SR_CgaCtaId"},
                           Named{137, "SR_GpcLocalCgaId"},
                           Named{138, "SR_CgaLinearMemorySlot"},
                           Named{139, "SR_CTARegPoolSz"},
                           Named{255, "SRZ"}};

}  // namespace

std::string special_register_name(std::uint64_t number) {
    for (const Named& entry : names) {
        if (entry.number == number) return std::string(entry.name);
    }
    // Performance monitors 0..7 at 100..115, their snapshots at 116..131: low half, high half.
    if (number >= 100 && number < 132) {
        const std::uint64_t index = (number - 100) % 16;
        const std::string prefix = number >= 116 ? "SR_SNAP_PM" : "SR_PM";
        return prefix + (index % 2 == 0 ? "" : "_HI") + std::to_string(index / 2);
    }
    return "SR" + std::to_string(number);
}

}  // namespace sassafras::isa
