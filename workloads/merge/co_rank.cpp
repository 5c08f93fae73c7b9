#include "workloads/merge/co_rank.hpp"

#include <algorithm>

namespace sassafras::workloads::merge {

std::size_t co_rank(std::size_t i, Run a, Run b) {
    std::size_t j = std::min(i, a.size());
    std::size_t k = i - j;
    std::size_t j_low = i - std::min(i, b.size());
    std::size_t k_low = k;
    while (true) {
        if (j > 0 && k < b.size() && a[j - 1] > b[k]) {
            const std::size_t delta = (j - j_low - 1) / 2 + 1;
            k_low = k;
            j -= delta;
            k += delta;
        } else if (k > 0 && j < a.size() && b[k - 1] >= a[j]) {
            const std::size_t delta = (k - k_low - 1) / 2 + 1;
            j_low = j;
            j += delta;
            k -= delta;
        } else {
            return j;
        }
    }
}

void merge_sequentially(Run a, Run b, std::span<std::uint32_t> merged) {
    std::size_t i = 0;
    std::size_t j = 0;
    std::size_t k = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i] <= b[j])
            merged[k++] = a[i++];
        else
            merged[k++] = b[j++];
    }
    while (j < b.size()) merged[k++] = b[j++];
    while (i < a.size()) merged[k++] = a[i++];
}

void merge_part(Run a, Run b, std::span<std::uint32_t> merged, std::size_t r, std::size_t p) {
    const std::size_t total = a.size() + b.size();
    const auto begin_of = [&](std::size_t part) { return part * (total / p) + std::min(part, total % p); };
    const std::size_t begin = begin_of(r);
    const std::size_t end = begin_of(r + 1);
    const std::size_t a_begin = co_rank(begin, a, b);
    const std::size_t a_end = co_rank(end, a, b);
    const std::size_t b_begin = begin - a_begin;
    const std::size_t b_end = end - a_end;
    merge_sequentially(a.subspan(a_begin, a_end - a_begin), b.subspan(b_begin, b_end - b_begin),
                       merged.subspan(begin, end - begin));
}

const std::vector<CoRankVariant>& co_rank_variants() {
    static const std::vector<CoRankVariant> variants = [] {
        struct Form {
            const char* name;
            Buffering buffering;
            std::uint32_t buffers;
        };
        std::vector<CoRankVariant> all;
        for (const bool printed : {false, true}) {
            const std::uint32_t outputs = printed ? 0 : 1;
            for (const Form& form : {Form{"naive", Buffering::none, 0},
                                     {"single-buffer", Buffering::single, 2 + outputs},
                                     {"double-buffer", Buffering::twofold, 4 + outputs}})
                for (const std::string optimisations : {"", "-half", "-select", "-half-select"})
                    all.push_back({(printed ? "lv-" : "") + (form.name + optimisations), form.buffering, form.buffers,
                                   optimisations.starts_with("-half"), printed});
        }
        return all;
    }();
    return variants;
}

const CoRankVariant* find_co_rank_variant(const std::string& name) {
    for (const CoRankVariant& variant : co_rank_variants())
        if (variant.name == name) return &variant;
    return nullptr;
}

std::uint64_t outputs_of_iteration(const CoRankVariant& variant, std::uint64_t shared_bytes, std::uint64_t threads) {
    const std::uint64_t words = shared_bytes / sizeof(std::uint32_t);
    const std::uint64_t handed_on = variant.half ? threads : 1;
    if (variant.buffers == 0 || words < handed_on) return 0;
    const std::uint64_t outputs = (words - handed_on) / variant.buffers;
    return outputs < threads ? outputs : outputs / threads * threads;
}

}  // namespace sassafras::workloads::merge
