// Which result of a wide multiplication is late, and for whom: chains through each operand and through another pipe. Included by micro.cu.

/// The upper half is the next addend. One factor changes, lest the product be formed once and added again and again.
struct MultiplyHighAddend {
    unsigned x, a, b;
    __device__ explicit MultiplyHighAddend(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3 + threadIdx.x), b(seed + 7) {}
    __device__ void step() {
        asm volatile("mad.hi.u32 %0, %1, %2, %0;" : "+r"(x) : "r"(a), "r"(b));
        asm volatile("add.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
    }
    __device__ unsigned result() const { return x; }
};
/// The upper half goes to the ALU, whose result is the next factor.
struct MultiplyHighThenLogic {
    unsigned x, a, b;
    __device__ explicit MultiplyHighThenLogic(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() {
        asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(a));
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x1b;" : "+r"(x) : "r"(a), "r"(b));
    }
    __device__ unsigned result() const { return x; }
};
/// Both halves of the product go to the ALU.
struct MultiplyWideThenLogic {
    unsigned x, a;
    __device__ explicit MultiplyWideThenLogic(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3) {}
    __device__ void step() {
        unsigned long long product;
        asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(x), "r"(a));
        asm volatile("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(x) : "r"(static_cast<unsigned>(product)), "r"(static_cast<unsigned>(product >> 32)), "r"(a));
    }
    __device__ unsigned result() const { return x; }
};

extern "C" {
__global__ void micro_chain_imad_hi_addend(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<MultiplyHighAddend>(times, sink, iterations, seed); }
__global__ void micro_chain_imad_hi_lop3(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<MultiplyHighThenLogic>(times, sink, iterations, seed); }
__global__ void micro_chain_imad_wide_lop3(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<MultiplyWideThenLogic>(times, sink, iterations, seed); }
}
