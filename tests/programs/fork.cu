// runs: before after
// A process that forks: what its child may still do. (In CUDA, a child of a process that has used the GPU can use it no more.)
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "check.cuh"

__global__ void add(int* sum) { atomicAdd(sum, 1); }

void use(const char* who) {
    int* sum = nullptr;
    int result = -1;
    const cudaError_t made = cudaMalloc(&sum, sizeof *sum);
    std::printf("%s: cudaMalloc: %s\n", who, cudaGetErrorName(made));
    std::printf("%s: cudaGetLastError: %s\n", who, cudaGetErrorName(cudaGetLastError()));
    if (made == cudaSuccess) {
        CHECK(cudaMemset(sum, 0, sizeof *sum));
        add<<<2, 32>>>(sum);
        CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
        std::printf("%s: %d\n", who, result);
    } else {
        add<<<2, 32>>>(sum);
        std::printf("%s: launch: %s\n", who, cudaGetErrorName(cudaGetLastError()));
        std::printf("%s: cudaDeviceSynchronize: %s\n", who, cudaGetErrorName(cudaDeviceSynchronize()));
        int count = -1;
        std::printf("%s: cudaGetDeviceCount: %s\n", who, cudaGetErrorName(cudaGetDeviceCount(&count)));
    }
    std::fflush(stdout);
}

int main(int, char** arguments) {
    const bool after = std::strcmp(arguments[1], "after") == 0;
    if (after) use("parent");
    if (fork() == 0) {
        use("child");
        _exit(0);
    }
    int status = 0;
    wait(&status);
    std::printf("child's status: %d\n", status);
    use("parent");
    return 0;
}
