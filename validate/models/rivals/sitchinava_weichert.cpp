#include "validate/models/rivals/sitchinava_weichert.hpp"

#include <algorithm>

namespace sassafras::validate::rivals {

double sitchinava_weichert(std::span<const PosterKernel> kernels, double lambda, double sigma) {
    double sum = 0;
    for (const PosterKernel& kernel : kernels) sum += kernel.computation + lambda * kernel.transfers + sigma;
    return sum;
}

std::vector<Part> sitchinava_weichert_of(const LaunchView& view) {
    const double processors = std::min(view.active_warps * view.active_sms, view.warps);
    return {{"computation", view.launch.instructions() / processors},
            {"global", view.global_latency * view.blocks_moved() / processors},
            {"synchronisation", view.instance.sync_cycles}};
}

}  // namespace sassafras::validate::rivals
