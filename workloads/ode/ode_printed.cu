// The steps of Gehrke's thesis that ode.cu takes differently, and a Fermi GPU's 63 registers. Scheme, order and roundings are ode.cu's.
//
// Which array is where, is a type: registers (indices that the compiler knows), local memory (indices of run time), or global memory, where
// lanes are side by side.
#include "rk4.cuh"

using namespace sassafras::workloads::ode;

/// The scheme with factors of the literals' type.
template <class Literal>
struct Typed {
    int from[transitions];
    int to[transitions];
    Literal forward_factor[transitions];
    int forward_parameter[transitions];
    Literal backward_factor[transitions];
    int backward_parameter[transitions];
};
template <class Literal>
__host__ __device__ constexpr Typed<Literal> typed() {
    Typed<Literal> result{};
    for (int t = 0; t < transitions; ++t) {
        result.from[t] = scheme.from[t];
        result.to[t] = scheme.to[t];
        result.forward_factor[t] = static_cast<Literal>(scheme.forward_factor[t]);
        result.forward_parameter[t] = scheme.forward_parameter[t];
        result.backward_factor[t] = static_cast<Literal>(scheme.backward_factor[t]);
        result.backward_parameter[t] = scheme.backward_parameter[t];
    }
    return result;
}

__constant__ Typed<float> table = typed<float>();  // for indices of run time, which only a kernel with float literals has here

/// Elements `stride` apart: a chromosome's rate constants, or an array of its states in global memory.
template <class T>
struct Strided {
    T* first;
    long long stride;
    __device__ T& operator[](int i) const { return first[i * stride]; }
};

template <class Literal, bool unrolled, class Theta, class From, class Slope>
__device__ inline void derivatives(const Theta& theta, const From& y, Slope& dydx) {
    if constexpr (unrolled) {
        constexpr Typed<Literal> known = typed<Literal>();
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

/// dydx and dyt are where `unrolled` has them; the others are given.
template <class Literal, bool unrolled, class Theta, class Y, class Yt, class Dym>
__device__ inline void integrate(const Theta& theta, Y& y, Yt& yt, Dym& dym, float h, int steps) {
    float dydx[states];
    float dyt[states];
    rk4<Literal, unrolled>([&](const auto& at, auto& slopes) { derivatives<Literal, unrolled>(theta, at, slopes); }, y, dydx, yt, dyt, dym, h, steps);
}

constexpr int threads = 128;
constexpr int registers_of_fermi = 63;

__device__ inline int chromosome() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

/// All five arrays alike; a chromosome's rate constants and states lie side by side in global memory.
template <class Literal, bool unrolled>
__device__ inline void side_by_side(const float* theta, float* result, int n, float h, int steps) {
    const int own = chromosome();
    if (own >= n) return;
    float y[states];
    float yt[states];
    float dym[states];
    integrate<Literal, unrolled>(Strided<const float>{theta + own * parameters, 1}, y, yt, dym, h, steps);
#pragma unroll unrolled ? states : 1
    for (int i = 0; i < states; ++i) result[static_cast<long long>(own) * states + i] = y[i];
}

/// ode.cu's base with float literals, and nothing else.
extern "C" __global__ void __launch_bounds__(threads) ode_literals(const float* theta, float* result, int n, float h, int steps) {
    side_by_side<float, false>(theta, result, n, h, steps);
}
/// ode.cu's base as a compiler with registers enough makes it: the arrays are registers.
extern "C" __global__ void __launch_bounds__(threads) ode_unrolled(const float* theta, float* result, int n, float h, int steps) {
    side_by_side<double, true>(theta, result, n, h, steps);
}
extern "C" __global__ void __launch_bounds__(threads) ode_unrolled_literals(const float* theta, float* result, int n, float h, int steps) {
    side_by_side<float, true>(theta, result, n, h, steps);
}

/// Rate constants in shared memory; dydx and dyt in registers.
enum class InRegisters { all, dym, yt };
template <InRegisters which>
__device__ inline void with_shared(const float* theta, float* result, float* scratch, int n, float h, int steps) {
    __shared__ float staged[parameters][threads];
    const int own = chromosome();
    if (own >= n) return;  // a thread reads only what it staged itself: no barrier
#pragma unroll
    for (int i = 0; i < parameters; ++i) staged[i][threadIdx.x] = theta[static_cast<long long>(i) * n + own];
    // volatile: read where they are used. Else the compiler keeps all products of factors and rates, 76 registers of them.
    const Strided<const volatile float> rates{&staged[0][threadIdx.x], threads};
    const Strided<float> y_in_global{result + own, n};
    const Strided<float> in_global{scratch + own, n};
    float y[states];
    float yt[states];
    float dym[states];
    if constexpr (which == InRegisters::dym) {
        integrate<double, true>(rates, y_in_global, in_global, dym, h, steps);
    } else if constexpr (which == InRegisters::yt) {
        integrate<double, true>(rates, y_in_global, yt, in_global, h, steps);
    } else {
        integrate<double, true>(rates, y, yt, dym, h, steps);
#pragma unroll
        for (int i = 0; i < states; ++i) y_in_global[i] = y[i];
    }
}

/// Optimisation 3: three of the five arrays in registers, dym among them; yt in global memory.
extern "C" __global__ void __launch_bounds__(threads) ode_opt3(const float* theta, float* result, float* scratch, int n, float h, int steps) {
    with_shared<InRegisters::dym>(theta, result, scratch, n, h, steps);
}
extern "C" __global__ void __maxnreg__(registers_of_fermi)
    ode_opt3_63(const float* theta, float* result, float* scratch, int n, float h, int steps) {
    with_shared<InRegisters::dym>(theta, result, scratch, n, h, steps);
}
/// Optimisation 4: yt and dym change places.
extern "C" __global__ void __launch_bounds__(threads) ode_opt4(const float* theta, float* result, float* scratch, int n, float h, int steps) {
    with_shared<InRegisters::yt>(theta, result, scratch, n, h, steps);
}
extern "C" __global__ void __maxnreg__(registers_of_fermi)
    ode_opt4_63(const float* theta, float* result, float* scratch, int n, float h, int steps) {
    with_shared<InRegisters::yt>(theta, result, scratch, n, h, steps);
}
/// ode.cu's `registers`, spilled.
extern "C" __global__ void __maxnreg__(registers_of_fermi)
    ode_registers_63(const float* theta, float* result, float* scratch, int n, float h, int steps) {
    with_shared<InRegisters::all>(theta, result, scratch, n, h, steps);
}
