// The step that ode.cu and ode_printed.cu share. Roundings and FMAs are explicit, so a CPU that does the same gets the same bits.
#pragma once

#include "scheme.hpp"

namespace sassafras::workloads::ode {

__device__ inline double times(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float times(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double plus(double a, double b) { return __dadd_rn(a, b); }
__device__ inline float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ inline float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }

/// Adds transition t of `of` (a scheme) to dydx. Literal: the type of the factors.
template <class Literal, class Table, class Theta, class From, class Slope>
__device__ inline void add_transition(const Table& of, int t, const Theta& theta, const From& y, Slope& dydx) {
    const Literal forward = times(static_cast<Literal>(of.forward_factor[t]), static_cast<Literal>(theta[of.forward_parameter[t]]));
    const Literal backward = times(static_cast<Literal>(of.backward_factor[t]), static_cast<Literal>(theta[of.backward_parameter[t]]));
    const int from = of.from[t];
    const int to = of.to[t];
    const Literal flux = fused(forward, static_cast<Literal>(y[from]), -times(backward, static_cast<Literal>(y[to])));
    dydx[from] = static_cast<float>(plus(static_cast<Literal>(dydx[from]), -flux));
    dydx[to] = static_cast<float>(plus(static_cast<Literal>(dydx[to]), flux));
}

/// `steps` steps of h with the five arrays of Numerical Recipes. derivatives(y, dydx): the slopes at y. unrolled: every index is known to the
/// compiler, so the arrays can be registers.
template <class Literal, bool unrolled, class Derivatives, class Y, class Yt, class Dym>
__device__ inline void rk4(const Derivatives& derivatives, Y& y, float (&dydx)[states], Yt& yt, float (&dyt)[states], Dym& dym, float h, int steps) {
    constexpr int unroll = unrolled ? states : 1;
#pragma unroll unroll
    for (int i = 0; i < states; ++i) y[i] = i == 0 ? 1.0F : 0.0F;
    const float half = static_cast<float>(times(static_cast<Literal>(h), static_cast<Literal>(0.5)));
    const float sixth = static_cast<float>(times(static_cast<Literal>(h), static_cast<Literal>(1) / static_cast<Literal>(6)));
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        derivatives(y, dydx);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) yt[i] = fused(half, dydx[i], y[i]);
        derivatives(yt, dyt);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) yt[i] = fused(half, dyt[i], y[i]);
        derivatives(yt, dym);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) {
            yt[i] = fused(h, dym[i], y[i]);
            dym[i] = plus(dym[i], dyt[i]);
        }
        derivatives(yt, dyt);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) {
            const Literal slopes = fused(static_cast<Literal>(2), static_cast<Literal>(dym[i]), static_cast<Literal>(plus(dydx[i], dyt[i])));
            y[i] = static_cast<float>(fused(static_cast<Literal>(sixth), slopes, static_cast<Literal>(y[i])));
        }
    }
}

}  // namespace sassafras::workloads::ode
