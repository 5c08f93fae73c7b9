#include "cli/options/known_names.hpp"

#include "sim/platform/platform_reader.hpp"
#include "workloads/workload.hpp"

namespace sassafras::cli {

KnownNames known_names() {
    KnownNames known;
    known["--platform"] = sim::platform_names();
    for (const auto& info : workloads::list()) known["workload"].push_back(info.name);
    return known;
}

}  // namespace sassafras::cli
