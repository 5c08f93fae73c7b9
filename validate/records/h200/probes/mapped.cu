// Which addresses around the first allocations of a process can be read: SIZE bytes twice, then a load at OFFSET from the
// first. Prints size, offset, both addresses, how the kernel ended and what it read.
#include <cstdio>
#include <cstdlib>

__global__ void read(const char* at, int* out) { *out = *reinterpret_cast<const volatile int*>(at); }

int main(int, char** arguments) {
    const long size = std::atol(arguments[1]);
    const long offset = std::atol(arguments[2]);
    char* first;
    char* second;
    int* out;
    cudaMalloc(&first, size);
    cudaMalloc(&second, size);
    cudaMallocHost(&out, sizeof(int));
    *out = -1;
    read<<<1, 1>>>(first + offset, out);
    const cudaError_t ended = cudaDeviceSynchronize();
    std::printf("%ld %ld %p %p %s %d\n", size, offset, static_cast<void*>(first), static_cast<void*>(second), cudaGetErrorName(ended), *out);
}
