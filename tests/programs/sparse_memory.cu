// 8 GB of buffers of which little is touched.
#include "check.cuh"

__global__ void touch(unsigned char* base, std::size_t stride, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) base[i * stride] = static_cast<unsigned char>(base[i * stride + 64] + i);
}

int main() {
    constexpr std::size_t size = std::size_t{1} << 30;
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) {
        unsigned char* base = nullptr;
        CHECK(cudaMalloc(&base, size));
        CHECK(cudaMemset(base, 0, size));
        touch<<<8, 128>>>(base, size / 1024, 1024);
        std::vector<unsigned char> some(4096);
        CHECK(cudaMemcpy(some.data(), base + 5 * (size / 1024), 4096, cudaMemcpyDeviceToHost));
        sum += some[0];
    }
    std::printf("%u\n", sum);
}
