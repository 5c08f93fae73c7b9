// RK4 of the kinetic scheme in scheme.hpp: a thread a chromosome (one set of rate constants), `steps` steps of h from "all in R0".
//
// The step is that of Numerical Recipes with its five arrays of `states` (y, dydx, yt, dyt, dym). The first four kernels compute every
// expression with a literal in double, as C does with 2.0 for 2.0f, and round what is stored; the last does all in float. Roundings and FMAs are
// explicit, so a CPU that does the same gets the same bits.
#include "scheme.hpp"

using namespace sassafras::workloads::ode;

__constant__ Scheme table = scheme;

__device__ inline double times(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float times(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double plus(double a, double b) { return __dadd_rn(a, b); }
__device__ inline float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ inline float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }

/// A chromosome's parameters: where theta[i] is.
struct Strided {
    const float* first;
    long long stride;
    __device__ float operator[](int i) const { return first[i * stride]; }
};

/// Adds transition t of `from` (a Scheme) to dydx. Literal: the type of the factors.
template <class Literal, class Theta>
__device__ inline void add_transition(const Scheme& of, int t, const Theta& theta, const float (&y)[states], float (&dydx)[states]) {
    const Literal forward = times(static_cast<Literal>(of.forward_factor[t]), static_cast<Literal>(theta[of.forward_parameter[t]]));
    const Literal backward = times(static_cast<Literal>(of.backward_factor[t]), static_cast<Literal>(theta[of.backward_parameter[t]]));
    const int from = of.from[t];
    const int to = of.to[t];
    const Literal flux = fused(forward, static_cast<Literal>(y[from]), -times(backward, static_cast<Literal>(y[to])));
    dydx[from] = static_cast<float>(plus(static_cast<Literal>(dydx[from]), -flux));
    dydx[to] = static_cast<float>(plus(static_cast<Literal>(dydx[to]), flux));
}

/// unrolled: every index is known to the compiler, so the arrays can be registers; else they are in local memory.
template <class Literal, bool unrolled, class Theta>
__device__ inline void derivatives(const Theta& theta, const float (&y)[states], float (&dydx)[states]) {
    if constexpr (unrolled) {
        constexpr Scheme known = scheme;
#pragma unroll
        for (int i = 0; i < states; ++i) dydx[i] = 0.0F;
#pragma unroll
        for (int t = 0; t < transitions; ++t) add_transition<Literal>(known, t, theta, y, dydx);
    } else {
#pragma unroll 1
        for (int i = 0; i < states; ++i) dydx[i] = 0.0F;
#pragma unroll 1
        for (int t = 0; t < transitions; ++t) add_transition<Literal>(table, t, theta, y, dydx);
    }
}

template <class Literal, bool unrolled, class Theta>
__device__ inline void integrate(const Theta& theta, float* result, long long stride, float h, int steps) {
    constexpr int unroll = unrolled ? states : 1;
    float y[states];
    float dydx[states];
    float yt[states];
    float dyt[states];
    float dym[states];
#pragma unroll unroll
    for (int i = 0; i < states; ++i) y[i] = i == 0 ? 1.0F : 0.0F;
    const float half = static_cast<float>(times(static_cast<Literal>(h), static_cast<Literal>(0.5)));
    const float sixth = static_cast<float>(times(static_cast<Literal>(h), static_cast<Literal>(1) / static_cast<Literal>(6)));
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        derivatives<Literal, unrolled>(theta, y, dydx);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) yt[i] = fused(half, dydx[i], y[i]);
        derivatives<Literal, unrolled>(theta, yt, dyt);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) yt[i] = fused(half, dyt[i], y[i]);
        derivatives<Literal, unrolled>(theta, yt, dym);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) {
            yt[i] = fused(h, dym[i], y[i]);
            dym[i] = plus(dym[i], dyt[i]);
        }
        derivatives<Literal, unrolled>(theta, yt, dyt);
#pragma unroll unroll
        for (int i = 0; i < states; ++i) {
            const Literal slopes = fused(static_cast<Literal>(2), static_cast<Literal>(dym[i]), static_cast<Literal>(plus(dydx[i], dyt[i])));
            y[i] = static_cast<float>(fused(static_cast<Literal>(sixth), slopes, static_cast<Literal>(y[i])));
        }
    }
#pragma unroll unroll
    for (int i = 0; i < states; ++i) result[i * stride] = y[i];
}

constexpr int threads = 128;

__device__ inline int chromosome() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

/// A chromosome's parameters and states lie side by side: lanes are 9 and 16 words apart.
extern "C" __global__ void __launch_bounds__(threads) ode_base(const float* theta, float* result, int n, float h, int steps) {
    const int own = chromosome();
    if (own >= n) return;
    integrate<double, false>(Strided{theta + own * parameters, 1}, result + static_cast<long long>(own) * states, 1, h, steps);
}

/// Transposed: lanes are side by side.
extern "C" __global__ void __launch_bounds__(threads) ode_coalesced(const float* theta, float* result, int n, float h, int steps) {
    const int own = chromosome();
    if (own >= n) return;
    integrate<double, false>(Strided{theta + own, n}, result + own, n, h, steps);
}

/// The parameters, which every evaluation reads, in shared memory too.
template <class Literal, bool unrolled>
__device__ inline void with_shared(const float* theta, float* result, int n, float h, int steps) {
    __shared__ float staged[parameters][threads];
    const int own = chromosome();
    if (own >= n) return;  // a thread reads only what it staged itself: no barrier
#pragma unroll
    for (int i = 0; i < parameters; ++i) staged[i][threadIdx.x] = theta[static_cast<long long>(i) * n + own];
    integrate<Literal, unrolled>(Strided{&staged[0][threadIdx.x], threads}, result + own, n, h, steps);
}

extern "C" __global__ void __launch_bounds__(threads) ode_shared(const float* theta, float* result, int n, float h, int steps) {
    with_shared<double, false>(theta, result, n, h, steps);
}
/// The arrays in registers.
extern "C" __global__ void __launch_bounds__(threads) ode_registers(const float* theta, float* result, int n, float h, int steps) {
    with_shared<double, true>(theta, result, n, h, steps);
}
/// And float literals.
extern "C" __global__ void __launch_bounds__(threads) ode_float_literals(const float* theta, float* result, int n, float h, int steps) {
    with_shared<float, true>(theta, result, n, h, steps);
}
