// The operations of chains: each step needs the result of the one before. Included by micro.cu.
//
// Volatile assembly keeps the compiler's front end from folding a chain; the operands come from a run-time argument for the same reason.
struct Fp32Fma {
    float x, a, b;
    __device__ explicit Fp32Fma(unsigned seed) : x(static_cast<float>(seed)), a(x + 0.5F), b(x - 0.25F) {}
    __device__ void step() { asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct Fp32Add {
    float x, a;
    __device__ explicit Fp32Add(unsigned seed) : x(static_cast<float>(seed)), a(x + 0.5F) {}
    __device__ void step() { asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct Fp64Fma {
    double x, a, b;
    __device__ explicit Fp64Fma(unsigned seed) : x(seed), a(x + 0.5), b(x - 0.25) {}
    __device__ void step() { asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b)); }
    __device__ unsigned result() const { return static_cast<unsigned>(__double2loint(x)); }
};
/// Two alternating terms, as in Fibonacci's recurrence: adding the same number again and again could be folded into one multiplication.
/// With three terms, as two would let ptxas put every other addition on the multiplier's pipe.
struct IntegerAdd {
    unsigned x, y, a;
    __device__ explicit IntegerAdd(unsigned seed) : x(seed + threadIdx.x), y(seed * 3 + 1), a(seed + 5) {}
    __device__ void step() {
        unsigned next = x + y + a;
        asm volatile("" : "+r"(next));
        y = x;
        x = next;
    }
    __device__ unsigned result() const { return x; }
};
struct Logic {
    unsigned x, y, a;
    __device__ explicit Logic(unsigned seed) : x(seed + threadIdx.x), y(seed * 3 + 1), a(seed + 5) {}
    __device__ void step() {
        unsigned next;
        asm volatile("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(next) : "r"(x), "r"(y), "r"(a));
        y = x;
        x = next;
    }
    __device__ unsigned result() const { return x; }
};
/// The product's upper half is the next factor.
struct IntegerMultiplyHigh {
    unsigned x, a;
    __device__ explicit IntegerMultiplyHigh(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3) {}
    __device__ void step() { asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(a)); }
    __device__ unsigned result() const { return x; }
};
struct HalfFma {
    unsigned x, a, b;
    __device__ explicit HalfFma(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() { asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
    __device__ unsigned result() const { return x; }
};
/// Comparisons, as ptxas lets every other addition or multiplication of halves run on another pipe (HFMA2.MMA).
struct HalfCompare {
    unsigned x, a;
    __device__ explicit HalfCompare(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3) {}
    __device__ void step() { asm volatile("set.lt.f16x2.f16x2 %0, %0, %1;" : "+r"(x) : "r"(a)); }
    __device__ unsigned result() const { return x; }
};
struct Minimum {
    int x, y, a;
    __device__ explicit Minimum(unsigned seed) : x(static_cast<int>(seed + threadIdx.x)), y(static_cast<int>(seed)), a(static_cast<int>(seed * 5)) {}
    __device__ void step() {
        int next;
        if (take_minimum)
            asm volatile("min.s32 %0, %1, %2;" : "=r"(next) : "r"(x), "r"(y));
        else
            asm volatile("max.s32 %0, %1, %2;" : "=r"(next) : "r"(x), "r"(a));
        take_minimum = !take_minimum;
        x = next;
    }
    __device__ unsigned result() const { return static_cast<unsigned>(x); }
    bool take_minimum = true;
};
/// The position of the highest bit set.
struct FindLeadingOne {
    unsigned x;
    __device__ explicit FindLeadingOne(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("bfind.u32 %0, %0;" : "+r"(x)); }
    __device__ unsigned result() const { return x; }
};
struct FloatToInteger {
    unsigned x;
    __device__ explicit FloatToInteger(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(x) : "f"(__uint_as_float(x))); }
    __device__ unsigned result() const { return x; }
};
struct Fp64Add {
    double x, a;
    __device__ explicit Fp64Add(unsigned seed) : x(seed), a(x + 0.5) {}
    __device__ void step() { asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a)); }
    __device__ unsigned result() const { return static_cast<unsigned>(__double2loint(x)); }
};
/// A vote's result decides the next vote.
struct Ballot {
    unsigned x;
    __device__ explicit Ballot(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() {
        asm volatile("{ .reg .pred chosen; setp.gt.u32 chosen, %0, 5; vote.sync.ballot.b32 %0, chosen, 0xffffffff; }" : "+r"(x));
    }
    __device__ unsigned result() const { return x; }
};
struct IntegerMultiplyAdd {
    unsigned x, a, b;
    __device__ explicit IntegerMultiplyAdd(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() { asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
    __device__ unsigned result() const { return x; }
};
struct FunnelShift {
    unsigned x, a, b;
    __device__ explicit FunnelShift(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() { asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
    __device__ unsigned result() const { return x; }
};
struct ExponentialBase2 {
    float x;
    __device__ explicit ExponentialBase2(unsigned seed) : x(static_cast<float>(seed)) {}
    __device__ void step() { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct ReciprocalRoot {
    float x;
    __device__ explicit ReciprocalRoot(unsigned seed) : x(static_cast<float>(seed) + 2.0F) {}
    __device__ void step() { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct Shuffle {
    unsigned x;
    __device__ explicit Shuffle(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x)); }
    __device__ unsigned result() const { return x; }
};
struct PopulationCount {
    unsigned x;
    __device__ explicit PopulationCount(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("popc.b32 %0, %0;" : "+r"(x)); }
    __device__ unsigned result() const { return x; }
};
/// The float's bits are the next integer.
struct IntegerToFloat {
    unsigned x;
    __device__ explicit IntegerToFloat(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() {
        float converted;
        asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(converted) : "r"(x));
        x = __float_as_uint(converted);
    }
    __device__ unsigned result() const { return x; }
};
struct BlockBarrier {
    unsigned x;
    __device__ explicit BlockBarrier(unsigned seed) : x(seed) {}
    __device__ void step() { __syncthreads(); }
    __device__ unsigned result() const { return x; }
};
struct WarpBarrier {
    unsigned x;
    __device__ explicit WarpBarrier(unsigned seed) : x(seed) {}
    __device__ void step() { __syncwarp(); }
    __device__ unsigned result() const { return x; }
};
