// half_host FOLDER TAG CUBIN: the 16-bit forms over all inputs.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>
#include <cuda_runtime.h>
int main(int argc, char** argv) {
    cudaLibrary_t lib; uint32_t* d;
    if (cudaMalloc(&d, 4 << 16) != cudaSuccess) return 1;
    cudaError_t e = cudaLibraryLoadFromFile(&lib, argv[3], nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (e != cudaSuccess) { std::printf("%s: %s\n", argv[3], cudaGetErrorString(e)); return 1; }
    for (const char* name : {"ex2_f16", "tanh_f16", "ex2_bf16", "tanh_bf16"}) {
        cudaKernel_t k; cudaLibraryGetKernel(&k, lib, name);
        void* args[] = {&d};
        std::vector<uint32_t> w(1 << 16);
        e = cudaLaunchKernel((void*)k, dim3(256), dim3(256), args, 0, 0);
        if (e == cudaSuccess) e = cudaMemcpy(w.data(), d, 4 << 16, cudaMemcpyDeviceToHost);
        if (e != cudaSuccess) { std::printf("%s %s: %s\n", argv[3], name, cudaGetErrorString(e)); return 1; }
        FILE* f = std::fopen((std::string(argv[1]) + "/001_half" + argv[2] + "_" + name + ".raw").c_str(), "wb");
        std::fwrite(w.data(), 4, w.size(), f); std::fclose(f);
    }
}
