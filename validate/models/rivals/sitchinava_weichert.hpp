// N. Sitchinava and V. Weichert, "Provably efficient GPU algorithms" (2013), as their poster at MADALGO has it: R
// kernels on p virtual processors of w cores, blocks of one warp, as many as are resident at a time. The poster's
// formula is lost as a picture; its sentence names what it adds up: computation t_k, transfers q_k of lambda each,
// sigma for each synchronisation.
#pragma once

#include <span>
#include <vector>

#include "validate/models/rivals/launch_view.hpp"

namespace sassafras::validate::rivals {

struct PosterKernel {
    double computation = 0;  ///< t: parallel steps
    double transfers = 0;    ///< q: parallel transfers of w words
};
/// sum of (t + lambda q) + sigma R.
[[nodiscard]] double sitchinava_weichert(std::span<const PosterKernel> kernels, double lambda, double sigma);

/// The row of compare(): an instruction of a warp a step, lambda = L_g, sigma = L_sync.
[[nodiscard]] std::vector<Part> sitchinava_weichert_of(const LaunchView& view);

}  // namespace sassafras::validate::rivals
