// Tensor cores by the wmma interface and by mma.sync, with operands that round.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.cuh"

using namespace nvcuda;

__global__ void fill(__half* a, __nv_bfloat16* b, signed char* c, float* d) {
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
        const unsigned x = (i + 1) * 2654435761u;
        const float value = (static_cast<float>(x >> 8) / 16777216.0f - 0.5f) * static_cast<float>(1u << (x & 7u));
        a[i] = __float2half(value);
        b[i] = __float2bfloat16(value);
        c[i] = static_cast<signed char>(x >> 11);
        d[i] = value * 1.7f;
    }
}
template <class T>
__global__ void product(const T* a, float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::load_matrix_sync(sum, d, 16, wmma::mem_row_major);
    for (int i = 0; i < 4; ++i) {
        wmma::load_matrix_sync(left, a + i * 64, 16);
        wmma::load_matrix_sync(right, a + 256 + i * 128, 16);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
__global__ void half_sum(const __half* a, __half* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
    wmma::fill_fragment(sum, __float2half(0.5f));
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a + 512, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
__global__ void bytes(const signed char* a, int* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::fill_fragment(sum, 100);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a + 512, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
__global__ void doubles(double* d) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::load_matrix_sync(left, d, 4);
    wmma::load_matrix_sync(right, d + 32, 4);
    wmma::fill_fragment(sum, 1.0 / 3.0);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(d + 64, sum, 8, wmma::mem_row_major);
}
__global__ void direct(const __half* a, float* d) {
    __shared__ alignas(16) __half tile[16 * 16];
    for (unsigned i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
    __syncwarp();
    unsigned x[4];
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[(threadIdx.x % 16) * 16 + threadIdx.x / 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row));
    unsigned y[2];
    const unsigned column = static_cast<unsigned>(__cvta_generic_to_shared(&tile[(threadIdx.x % 16) * 16]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(column));
    float c[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int i = 0; i < 4; ++i) d[threadIdx.x * 4 + static_cast<unsigned>(i)] = c[i];
}

int main() {
    DeviceArray<__half> a(1024);
    DeviceArray<__nv_bfloat16> b(1024);
    DeviceArray<signed char> c(1024);
    DeviceArray<float> d(1024);
    fill<<<1, 256>>>(a.data, b.data, c.data, d.data);
    product<<<1, 32>>>(a.data, d.data);
    show("half", d.host());
    product<<<1, 32>>>(b.data, d.data);
    show("bfloat16", d.host());
    half_sum<<<1, 32>>>(a.data, b.size != 0 ? reinterpret_cast<__half*>(d.data) : nullptr);
    show("half sums", d.host());
    DeviceArray<int> e(256);
    bytes<<<1, 32>>>(c.data, e.data);
    show("bytes", e.host());
    std::vector<double> reals(128);
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = static_cast<double>(mix(i)) / 1e18;
    DeviceArray<double> f(reals);
    doubles<<<1, 32>>>(f.data);
    show("doubles", f.host());
    direct<<<1, 32>>>(a.data, d.data);
    show("ldmatrix and mma", d.host());
}
