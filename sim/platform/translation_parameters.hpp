// The numbers of address translation: what an SM's lookaside buffer holds, and those that SMs share.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// One level of translation lookaside buffers.
struct TlbParameters {
    std::uint32_t page_bytes{};
    std::uint32_t entries{};
    std::uint32_t sets{};
    std::uint32_t ways{};
    std::uint32_t buffers{};
    std::uint32_t miss_cycles{};
    double miss_interval_cycles{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("page_bytes", self.page_bytes, 512, 1U << 30U, "what an entry translates");
        v.integer("entries", self.entries, 0, 1U << 20U,
                  "of a buffer; 0: neither this level nor those behind it are modelled");
        v.integer("sets", self.sets, 1, 1U << 20U, "over which the entries of a buffer are spread");
        v.integer("ways", self.ways, 1, 1U << 20U, "entries of a set; the first set has what the others leave");
        v.integer("buffers", self.buffers, 0, 4096,
                  "of the GPU; SMs take turns over them, as over clusters of SMs; 0: one for each SM");
        v.integer("miss_cycles", self.miss_cycles, 0, 100000,
                  "more, for an access whose page is not in this level but in the next; of the last level: for the "
                  "walk through the page tables");
        v.number("miss_interval_cycles", self.miss_interval_cycles, 0, 10000,
                 "between two misses of a buffer; 0: no limit");
    }
};

struct TranslationParameters {
    TlbParameters l1;
    TlbParameters l2;
    TlbParameters l3;
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.group("l1", self.l1);
        v.group("l2", self.l2);
        v.group("l3", self.l3);
    }
};

}  // namespace sassafras::sim
