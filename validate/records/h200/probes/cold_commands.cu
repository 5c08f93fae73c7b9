// Do commands of a stream, and turns from stream to stream, take longer behind kernels that read more than L2 holds? From the end of a kernel that reads so many MB
// to the begin of the next of its stream, with so many commands between them. All events are without timing.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared cold_commands.cu -o cold_commands && ./cold_commands > cold_commands.csv
// Columns: kind of the commands, commands, mb, repetition, gap_ns. Kinds: one, many: waits for events of one other stream, of as many streams, that have ended by then,
// but had not when they were put; records; kernels: of one warp; fan: the stream waits for events of as many others, which all wait for the kernel that reads; chain: each
// of these waits for the one before, and the stream for the last; back: there and back, one other stream after the other; own: waits
// for events of the stream itself.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void wait_long(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

/// Each block reads its own vectors, and notes when it has.
__global__ void reading(const float4* data, float* out, int vectors_a_block, unsigned long long* ends) {
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0) ends[blockIdx.x] = now();
}

__global__ void note(unsigned long long* time) {
    if (threadIdx.x == 0) *time = now();
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
    constexpr int blocks = 132, most = 16;
    float* out;
    float4* data;
    unsigned long long* ends;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&data, std::size_t{256} << 20U));
    CHECK(cudaMemset(data, 0, std::size_t{256} << 20U));
    CHECK(cudaMalloc(&ends, (blocks + most + 1) * 8));
    cudaStream_t base, others[most];
    CHECK(cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking));
    for (auto& stream : others) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaEvent_t fork, events[most];
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (auto& event : events) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    std::vector<unsigned long long> found(blocks + most + 1);
    std::printf("kind,commands,mb,repetition,gap_ns\n");
    for (const std::string_view kind : {"one", "many", "records", "kernels", "fan", "chain", "back", "own"})
        for (const int commands : {0, 1, 2, 4, 8, 16})
            for (const int mb : {0, 16, 32, 48, 64, 96, 128, 192})
                for (int repetition = -1; repetition < repetitions; ++repetition) {
                    CHECK(cudaDeviceSynchronize());
                    wait_long<<<1, 32, 0, base>>>(out, 150000);  // while it runs, the host puts all that follows
                    CHECK(cudaEventRecord(fork, base));
                    for (int i = 0; i < commands && (kind == "one" || kind == "many"); ++i) {
                        const cudaStream_t stream = others[kind == "one" ? 0 : i];
                        CHECK(cudaStreamWaitEvent(stream, fork));
                        note<<<1, 32, 0, stream>>>(ends + blocks + 1 + i);
                        CHECK(cudaEventRecord(events[i], stream));
                    }
                    for (int i = 0; i < commands && kind == "own"; ++i) CHECK(cudaEventRecord(events[i], base));
                    wait_long<<<1, 32, 0, base>>>(out, 30000);  // the events end meanwhile
                    const int vectors = static_cast<int>((std::size_t{static_cast<unsigned>(mb)} << 20U) / 16 / blocks);
                    reading<<<blocks, 512, 0, base>>>(data, out, vectors, ends);
                    if (kind == "fan" || kind == "chain" || kind == "back") CHECK(cudaEventRecord(fork, base));
                    for (int i = 0; i < commands; ++i) {
                        if (kind == "fan" || kind == "chain" || kind == "back") {
                            CHECK(cudaStreamWaitEvent(others[i], i == 0 || kind == "fan" ? fork : events[i - 1]));
                            note<<<1, 32, 0, others[i]>>>(ends + blocks + 1 + i);
                            CHECK(cudaEventRecord(events[i], others[i]));
                            if (kind == "back") {
                                CHECK(cudaStreamWaitEvent(base, events[i]));
                                note<<<1, 32, 0, base>>>(ends + blocks);
                                CHECK(cudaEventRecord(events[i], base));
                            }
                        } else if (kind == "records") CHECK(cudaEventRecord(events[i], base));
                        else if (kind == "kernels") note<<<1, 32, 0, base>>>(ends + blocks + 1 + i % most);
                        else CHECK(cudaStreamWaitEvent(base, events[i]));
                    }
                    if (kind == "chain" && commands > 0) CHECK(cudaStreamWaitEvent(base, events[commands - 1]));
                    for (int i = 0; i < commands && kind == "fan"; ++i) CHECK(cudaStreamWaitEvent(base, events[i]));
                    note<<<1, 32, 0, base>>>(ends + blocks);
                    CHECK(cudaDeviceSynchronize());
                    if (repetition < 0) continue;
                    CHECK(cudaMemcpy(found.data(), ends, found.size() * 8, cudaMemcpyDeviceToHost));
                    const unsigned long long last = *std::max_element(found.begin(), found.begin() + blocks);
                    std::printf("%s,%d,%d,%d,%lld\n", kind.data(), commands, mb, repetition, static_cast<long long>(found[blocks] - last));
                }
    return 0;
}
