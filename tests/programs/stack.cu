// runs: enough little
// Recursion with large frames, within cudaLimitStackSize and beyond it.
#include "check.cuh"

__device__ __noinline__ int deep(int n, const volatile int* zero) {
    int frame[50];
    for (int i = 0; i < 50; ++i) frame[i] = n + i + *zero;
    if (n == 0) return frame[*zero];
    return deep(n - 1, zero) + frame[n % 50];
}

__global__ void recurse(int* out, int n, const volatile int* zero) { out[threadIdx.x] = deep(n, zero); }

int main(int, char** arguments) {
    DeviceArray<int> out(32);
    DeviceArray<int> zero(1);
    CHECK(cudaMemset(zero.data, 0, sizeof(int)));
    if (std::strcmp(arguments[1], "enough") == 0) {
        CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 65536));
        for (const int depth : {1, 40, 150}) {
            recurse<<<1, 32>>>(out.data, depth, zero.data);
            show("recursion", out.host());
        }
    } else {
        recurse<<<1, 32>>>(out.data, 3, zero.data);
        show("recursion", out.host());
        recurse<<<1, 32>>>(out.data, 1000, zero.data);
        std::printf("too deep: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    }
}
