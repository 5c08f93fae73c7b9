// What the shared-memory accesses of the prefix sums are for.
#include "workloads/scan/scan.hpp"

namespace sassafras::workloads::scan {
namespace {

using sim::SharedAccessKind;

constexpr PhaseRule rules[] = {
    {.kernel = "scan_*padded",
     .text = "shared_words[right] += shared_words[left]",
     .part = "block scan",
     .phase = "up-sweep"},
    {.kernel = "scan_*padded", .text = "before", .part = "block scan", .phase = "down-sweep"},
    {.kernel = "scan_*padded", .text = "[last]", .part = "block scan", .phase = "block sum"},
    {.kernel = "scan_*padded", .text = "in[", .part = "block scan", .phase = "staging"},
    {.kernel = "scan_*padded", .text = "out[", .part = "block scan", .phase = "copy out"},
    {.kernel = "scan_*_sums", .text = "in[index]", .part = "sums", .phase = "staging"},
    {.kernel = "scan_*_sums", .text = "colors[index]", .part = "sums", .phase = "staging"},
    {.kernel = "scan_*_sums", .text = "color < color_count", .part = "sums", .phase = "clearing"},
    {.kernel = "scan_*_sums", .part = "sums", .phase = "rows"},
    {.kernel = "scan_*_pages", .text = "in[index]", .part = "pages", .phase = "staging"},
    {.kernel = "scan_*_pages", .text = "colors[index]", .part = "pages", .phase = "staging"},
    {.kernel = "scan_*_pages", .text = "color < color_count", .part = "pages", .phase = "clearing"},
    {.kernel = "scan_*_pages", .text = "out[index]", .part = "pages", .phase = "copy out"},
    {.kernel = "scan_*_pages", .part = "pages", .phase = "rows"},
};

}  // namespace

std::span<const PhaseRule> phases() { return rules; }

}  // namespace sassafras::workloads::scan
