// host: loads the cubins, writes digests, samples and full dumps (delta coded) into the folder argv[1].
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#define OK(e) do { cudaError_t r_ = (e); if (r_ != cudaSuccess) { std::printf("%s: %s\n", #e, cudaGetErrorString(r_)); std::exit(1); } } while (0)
static std::string out;
static void put(const std::string& name, const void* p, size_t n) {
    FILE* f = std::fopen((out + "/" + name).c_str(), "wb");
    std::fwrite(p, 1, n, f);
    std::fclose(f);
}
static uint32_t* d_words;
static std::vector<uint32_t> words(1u << 23);
struct Fn { cudaLibrary_t lib; cudaKernel_t digest, dump; };
static void dump(const Fn& fn, uint32_t first, uint32_t stride, uint32_t count, uint32_t* to) {
    void* args[] = {&first, &stride, &count, &d_words};
    OK(cudaLaunchKernel((void*)fn.dump, dim3((count + 255) / 256), dim3(256), args, 0, 0));
    OK(cudaMemcpy(to, d_words, count * 4ull, cudaMemcpyDeviceToHost));
}
static void full(const Fn& fn, const char* name, int priority, uint32_t first, uint32_t count) {
    dump(fn, first, 1, count, words.data());
    std::vector<int8_t> d(count);
    std::vector<int32_t> escapes;
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t delta = (int32_t)(words[i] - last);
        last = words[i];
        if (delta > 127 || delta < -127) { d[i] = -128; escapes.push_back(delta); } else d[i] = (int8_t)delta;
    }
    char file[100];
    std::snprintf(file, sizeof file, "%03d_%s_%08x.d8", priority, name, first);
    put(file, d.data(), count);
    std::snprintf(file, sizeof file, "%03d_%s_%08x.e32", priority, name, first);
    put(file, escapes.data(), escapes.size() * 4);
}
int main(int argc, char** argv) {
    out = argv[1];
    OK(cudaMalloc(&d_words, 4u << 23));
    unsigned long long* d_digest;
    OK(cudaMalloc(&d_digest, 4096 * 8));
    const char* names[] = {"cos", "sin", "ex2", "lg2", "rcp", "rsq", "rcp64h", "rsq64h", "sqrt", "tanh"};
    for (const char* name : names) {
        Fn fn;
        const std::string n = name;
        OK(cudaLibraryLoadFromFile(&fn.lib, (n + ".cubin").c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        OK(cudaLibraryGetKernel(&fn.digest, fn.lib, "digest"));
        OK(cudaLibraryGetKernel(&fn.dump, fn.lib, "dump"));
        void* args[] = {&d_digest};
        OK(cudaLaunchKernel((void*)fn.digest, dim3(4096), dim3(256), args, 0, 0));
        std::vector<unsigned long long> digest(4096);
        OK(cudaMemcpy(digest.data(), d_digest, 4096 * 8, cudaMemcpyDeviceToHost));
        put("000_digest_" + n + ".raw", digest.data(), 4096 * 8);
        std::vector<uint32_t> samples(512 * 80);
        for (uint32_t c = 0; c < 512; ++c) {
            dump(fn, c << 23, 1, 8, &samples[c * 80]);
            dump(fn, (c << 23) + 0x7ffff8u, 1, 8, &samples[c * 80 + 8]);
            dump(fn, c << 23, 131071, 64, &samples[c * 80 + 16]);
        }
        put("001_samples_" + n + ".raw", samples.data(), samples.size() * 4);
        const auto binade = [&](int priority, uint32_t c) { full(fn, name, priority, c << 23, 1u << 23); };
        if (n == "rcp") binade(2, 127);
        if (n == "rsq" || n == "sqrt") { binade(2, 127); binade(2, 128); }
        if (n == "ex2") {
            binade(2, 127); binade(2, 256 + 127); binade(3, 126); binade(3, 256 + 126); binade(30, 128); binade(31, 133); binade(32, 256 + 133);
            for (uint32_t c = 125; c >= 96; --c) { binade(4 + (125 - c), c); binade(4 + (125 - c), 256 + c); }
        }
        if (n == "lg2") { binade(2, 127); binade(2, 126); binade(3, 128); binade(3, 125); binade(4, 129); binade(4, 130); binade(5, 137); binade(6, 100); binade(7, 2); }
        if (n == "sin" || n == "cos") {
            binade(2, 126);
            for (uint32_t c = 125; c >= 90; --c) binade(3 + (125 - c), c);
            binade(8, 127); binade(9, 128); binade(9, 256 + 126); binade(9, 256 + 124);
        }
        if (n == "tanh") for (uint32_t c = 132; c >= 100; --c) binade(c == 126 || c == 127 ? 2 : c > 113 ? 4 : 10 + (125 - c), c);
        if (n == "rcp64h" || n == "rsq64h") for (uint32_t c = 0x3fe; c <= 0x401; ++c) full(fn, name, 2, c << 20, 1u << 20);
        std::printf("%s done\n", name);
        std::fflush(stdout);
        OK(cudaLibraryUnload(fn.lib));
    }
    return 0;
}
