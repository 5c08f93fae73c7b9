// How long copies and sets take, what of it is for each copy and what for each byte, and which of them go on at the same
// time. Times between two events in a stream that is kept busy before, medians in ns, for an H200 or under
// `sassafras exec`:
//   events    nothing, records, kernels of one thread between the two events
//   sizes     one copy of so many bytes
//   row       one, two, four and eight copies of a size, one behind the other
//   together  two works in two streams: the first alone, the second alone, both
// nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

__global__ void spin(int* out, int rounds) {
    int x = rounds;
    for (int i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
    if (x == 12345) *out = x;
}

namespace {

constexpr std::size_t most = std::size_t{1} << 28;
char* device_a;
char* device_b;
char* pinned_a;
char* pinned_b;
char* pageable;
cudaStream_t streams[2];

using Work = std::function<void(cudaStream_t)>;

double between(const std::function<void()>& work, int times) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<double> taken;
    for (int i = 0; i < times; ++i) {
        cudaDeviceSynchronize();
        spin<<<1, 1, 0, streams[0]>>>(nullptr, 20000);  // so that the host is ahead
        cudaEventRecord(begin, streams[0]);
        cudaStreamWaitEvent(streams[1], begin, 0);
        work();
        cudaEventRecord(end, streams[0]);
        cudaEventSynchronize(end);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, begin, end);
        taken.push_back(milliseconds * 1e6);
    }
    std::sort(taken.begin(), taken.end());
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return taken[taken.size() / 2];
}

double both(const Work& first, const Work& second) {
    cudaEvent_t joined;
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    const double taken = between(
        [&] {
            if (second) {
                second(streams[1]);
                cudaEventRecord(joined, streams[1]);
            }
            if (first) first(streams[0]);
            if (second) cudaStreamWaitEvent(streams[0], joined, 0);
        },
        7);
    cudaEventDestroy(joined);
    return taken;
}

struct Kind {
    const char* name;
    std::function<void(cudaStream_t, std::size_t)> run;
};

}  // namespace

int main() {
    cudaMalloc(&device_a, most);
    cudaMalloc(&device_b, most);
    cudaMallocHost(&pinned_a, most);
    cudaMallocHost(&pinned_b, most);
    pageable = static_cast<char*>(std::malloc(most));
    for (std::size_t i = 0; i < most; i += 4096) pageable[i] = pinned_a[i] = pinned_b[i] = 1;
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 20; ++i) spin<<<132, 128, 0, streams[0]>>>(nullptr, 1000000);  // the clock rises
    cudaDeviceSynchronize();
    const auto copy = [](void* to, const void* from) {
        return [=](cudaStream_t stream, std::size_t size) { cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream); };
    };
    const auto set = [](cudaStream_t stream, std::size_t size) { cudaMemsetAsync(device_a, 7, size, stream); };
    const auto kernel = [](int rounds) {
        return [=](cudaStream_t stream) { spin<<<1, 1, 0, stream>>>(nullptr, rounds); };
    };
    const std::vector<Kind> kinds{{"to device, pinned", copy(device_a, pinned_a)},
                                  {"to host, pinned", copy(pinned_a, device_a)},
                                  {"to device, pageable", copy(device_a, pageable)},
                                  {"to host, pageable", copy(pageable, device_a)},
                                  {"within the device", copy(device_b, device_a)},
                                  {"set", set}};

    std::printf("events: nothing %.0f", between([] {}, 15));
    for (int records : {1, 2, 4}) {
        cudaEvent_t event;
        cudaEventCreate(&event);
        std::printf(", %d records %.0f", records, between([&] { for (int i = 0; i < records; ++i) cudaEventRecord(event, streams[0]); }, 15));
        cudaEventDestroy(event);
    }
    for (int kernels : {1, 2, 4, 8})
        std::printf(", %d kernels %.0f", kernels, between([&] { for (int i = 0; i < kernels; ++i) kernel(0)(streams[0]); }, 15));
    std::printf("\n");

    for (const Kind& kind : kinds) {
        std::printf("sizes, %s:", kind.name);
        for (std::size_t size : {4, 64, 256, 512, 1024, 1536, 2048, 3072, 4096, 8192, 16384, 32768, 65536, 131072, 262144})
            std::printf(" %zu@%.0f", size, between([&] { kind.run(streams[0], size); }, 15));
        for (std::size_t size = 1U << 20U; size <= most; size *= 4)
            std::printf(" %zuM@%.0f", size >> 20U, between([&] { kind.run(streams[0], size); }, 5));
        std::printf("\n");
    }
    for (const Kind& kind : kinds)
        for (std::size_t size : {4, 65536, 1 << 20}) {
            std::printf("row, %s, %zu bytes:", kind.name, size);
            for (int count : {1, 2, 4, 8})
                std::printf(" %.0f", between([&] { for (int i = 0; i < count; ++i) kind.run(streams[0], size); }, 9));
            std::printf("\n");
        }

    struct Named {
        const char* name;
        Work run;
    };
    const std::size_t large = std::size_t{1} << 25U;
    const auto sized = [large](const Kind& kind, std::size_t size) { return [&kind, size](cudaStream_t stream) { kind.run(stream, size); }; };
    const Named works[] = {{"kernel", kernel(100000)},
                           {"to device", sized(kinds[0], large)},
                           {"to host", [=](cudaStream_t stream) { cudaMemcpyAsync(pinned_b, device_b, large, cudaMemcpyDefault, stream); }},
                           {"within the device", sized(kinds[4], most)},
                           {"set", sized(kinds[5], most)}};
    for (const Named& first : works)
        for (const Named& second : works)
            std::printf("together, %s and %s: %.0f, %.0f, both %.0f\n", first.name, second.name, both(first.run, {}),
                        both({}, second.run), both(first.run, second.run));
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
