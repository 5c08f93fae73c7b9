// docs/metrics.md: what the lists of metrics, of reasons to stall and of the source page's columns say.
#pragma once

#include <string>

namespace sassafras::cli {

/// The whole page, in Markdown.
[[nodiscard]] std::string metric_page();

}  // namespace sassafras::cli
