// RK4 of the kinetic scheme in scheme.hpp: a thread a chromosome (one set of rate constants), `steps` steps of h from "all in R0".
//
// The step is that of Numerical Recipes with its five arrays of `states` (y, dydx, yt, dyt, dym). The first four kernels compute every
// expression with a literal in double, as C does with 2.0 for 2.0f, and round what is stored; the last does all in float. Roundings and FMAs are
// explicit, so a CPU that does the same gets the same bits.
#include "rk4.cuh"

using namespace sassafras::workloads::ode;

__constant__ Scheme table = scheme;

/// A chromosome's parameters: where theta[i] is.
struct Strided {
    const float* first;
    long long stride;
    __device__ float operator[](int i) const { return first[i * stride]; }
};

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
    float y[states];
    float dydx[states];
    float yt[states];
    float dyt[states];
    float dym[states];
    rk4<Literal, unrolled>([&](const auto& at, auto& slopes) { derivatives<Literal, unrolled>(theta, at, slopes); }, y, dydx, yt, dyt, dym, h, steps);
#pragma unroll unrolled ? states : 1
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
