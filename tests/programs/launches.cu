// Every way to launch a kernel, grids and blocks of three dimensions, parameters by value.
#include "check.cuh"

struct Point {
    double x, y;
    char tag[5];
};

__global__ void where(unsigned* out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        (blockIdx.x << 20) ^ (blockIdx.y << 16) ^ (blockIdx.z << 12) ^ (threadIdx.x << 8) ^ (threadIdx.y << 4) ^ threadIdx.z;
}

__global__ void take(Point point, char small, long long big, unsigned char* out) {
    if (threadIdx.x == 0) *reinterpret_cast<double*>(out) = point.x * point.y + static_cast<double>(big);
    if (threadIdx.x < 5) out[8 + threadIdx.x] = static_cast<unsigned char>(point.tag[threadIdx.x] + small);
}

template <int n>
__global__ void __launch_bounds__(64) dynamic(int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = static_cast<int>(threadIdx.x) * n;
    __syncthreads();
    out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
    DeviceArray<unsigned> places(2 * 3 * 4 * 5 * 6 * 7);
    where<<<dim3(2, 3, 4), dim3(5, 6, 7)>>>(places.data);
    CHECK(cudaGetLastError());
    show("where", places.host());

    DeviceArray<unsigned char> bytes(13);
    Point point{1.5, -2.25, "abcd"};
    char small = 1;
    long long big = 1LL << 40;
    unsigned char* out = bytes.data;
    void* arguments[] = {&point, &small, &big, &out};
    CHECK(cudaLaunchKernel(reinterpret_cast<void*>(take), 1, 32, arguments, 0, nullptr));
    show("take", bytes.host());

    DeviceArray<int> values(64);
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 64;
    config.dynamicSmemBytes = 256;
    CHECK(cudaLaunchKernelEx(&config, dynamic<3>, values.data));
    show("dynamic", values.host());
    dynamic<7><<<1, 32, 128, cudaStreamPerThread>>>(values.data);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    show("dynamic in a stream", values.host());
}
