// What works of streams do to each other beyond the order that tests/programs/stream_order.cu shows. Microseconds, medians
// of nine, for an H200 or under `sassafras exec`:
//   rows         128 MiB of rows of 64 bytes, 128 apart, within the device
//   pageable     eight copies of 64 KiB of pageable memory in eight streams
//   pinned set   1 MiB
//   small set    of 4 KiB in a stream beside a kernel of one thread in another: the end of each
//   function     an empty host function between two events
//   globaltimer  from one kernel to the next, with a copy of 4 MiB between them
//   host         when the host goes on after copies and sets behind a kernel, and when these end
//   pipeline     four chunks of 4 MiB to the device, through a kernel and back, in one, two and four streams
// nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

__global__ void spin(int* out, int rounds) {
    int x = rounds;
    for (int i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
    if (x == 12345) *out = x;
}
__global__ void increment(int* values, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) values[i] += 1;
}
__global__ void read_timer(unsigned long long* out) {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    *out = now;
}

namespace {

constexpr std::size_t size = std::size_t{1} << 28U;
char* device_a;
char* device_b;
char* pinned_a;
char* pinned_b;
std::vector<cudaStream_t> streams(8);
cudaEvent_t begin, end, other_end, joined;

double microseconds(cudaEvent_t from, cudaEvent_t to) {
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, from, to);
    return milliseconds * 1e3;
}

/// Median of what `measure` returns.
double median(const std::function<double()>& measure) {
    std::vector<double> values;
    for (int i = 0; i < 9; ++i) {
        cudaDeviceSynchronize();
        values.push_back(measure());
    }
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Between two events in the first stream, which is kept busy before.
double between(const std::function<void()>& work) {
    return median([&] {
        spin<<<1, 1, 0, streams[0]>>>(nullptr, 30000);
        cudaEventRecord(begin, streams[0]);
        work();
        cudaEventRecord(end, streams[0]);
        cudaDeviceSynchronize();
        return microseconds(begin, end);
    });
}

double pipeline(int count, bool breadth_first) {
    constexpr std::size_t bytes = std::size_t{1} << 22U;
    const auto copy_in = [&](int i) {
        cudaMemcpyAsync(device_a + i * bytes, pinned_a + i * bytes, bytes, cudaMemcpyDefault, streams[1 + i % count]);
    };
    const auto compute = [&](int i) {
        increment<<<32, 256, 0, streams[1 + i % count]>>>(reinterpret_cast<int*>(device_a + i * bytes), 65536);
    };
    const auto copy_out = [&](int i) {
        cudaMemcpyAsync(pinned_b + i * bytes, device_a + i * bytes, bytes, cudaMemcpyDefault, streams[1 + i % count]);
    };
    return between([&] {
        for (int i = 1; i <= count; ++i) cudaStreamWaitEvent(streams[i], begin, 0);
        if (breadth_first) {
            for (int i = 0; i < 4; ++i) copy_in(i);
            for (int i = 0; i < 4; ++i) compute(i);
            for (int i = 0; i < 4; ++i) copy_out(i);
        } else {
            for (int i = 0; i < 4; ++i) {
                copy_in(i);
                compute(i);
                copy_out(i);
            }
        }
        for (int i = 1; i <= count; ++i) {
            cudaEventRecord(joined, streams[i]);
            cudaStreamWaitEvent(streams[0], joined, 0);
        }
    });
}

}  // namespace

int main() {
    cudaMalloc(&device_a, size);
    cudaMalloc(&device_b, size);
    cudaMallocHost(&pinned_a, size);
    cudaMallocHost(&pinned_b, size);
    static char pageable[65536];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (cudaEvent_t* event : {&begin, &end, &other_end, &joined}) cudaEventCreate(event);
    for (cudaStream_t stream : streams) spin<<<1, 1, 0, stream>>>(nullptr, 100000);

    std::printf("rows: %.1f\n", between([] {
                    cudaMemcpy2DAsync(device_b, 128, device_a, 128, 64, size / 128, cudaMemcpyDefault, streams[0]);
                }));
    std::printf("pageable: %.1f\n", median([] {
                    cudaEventRecord(begin, streams[0]);
                    for (cudaStream_t stream : streams) {
                        cudaMemcpyAsync(device_a, pageable, sizeof pageable, cudaMemcpyDefault, stream);
                        cudaEventRecord(joined, stream);
                        cudaStreamWaitEvent(streams[0], joined, 0);
                    }
                    cudaEventRecord(end, streams[0]);
                    cudaDeviceSynchronize();
                    return microseconds(begin, end);
                }));
    std::printf("pinned set: %.1f\n", between([] { cudaMemsetAsync(pinned_a, 1, 1 << 20, streams[0]); }));
    double kernel_end = 0;
    const double set_end = median([&] {
        cudaEventRecord(begin, streams[2]);
        spin<<<1, 1, 0, streams[0]>>>(nullptr, 400000);
        cudaEventRecord(end, streams[0]);
        cudaMemsetAsync(device_a, 0, 4096, streams[1]);
        cudaEventRecord(other_end, streams[1]);
        cudaDeviceSynchronize();
        kernel_end = microseconds(begin, end);
        return microseconds(begin, other_end);
    });
    std::printf("small set: %.1f beside a kernel until %.1f\n", set_end, kernel_end);
    std::printf("function: %.1f\n", between([] { cudaLaunchHostFunc(streams[0], [](void*) {}, nullptr); }));
    auto* const times = reinterpret_cast<unsigned long long*>(device_b);
    std::printf("globaltimer: %.1f\n", median([&] {
                    read_timer<<<1, 1, 0, streams[0]>>>(times);
                    cudaMemcpyAsync(device_a, pinned_a, 1 << 22, cudaMemcpyDefault, streams[0]);
                    read_timer<<<1, 1, 0, streams[0]>>>(times + 1);
                    cudaDeviceSynchronize();
                    unsigned long long seen[2];
                    cudaMemcpy(seen, times, sizeof seen, cudaMemcpyDefault);
                    return static_cast<double>(seen[1] - seen[0]) / 1e3;
                }));
    static std::vector<char> host(std::size_t{1} << 24U, 1);
    const auto host_goes_on = [](const char* what, const std::function<void(cudaStream_t)>& work) {
        double ended = 0;
        const double went_on = median([&] {
            cudaEventRecord(begin, streams[2]);
            spin<<<1, 1, 0, streams[0]>>>(nullptr, 400000);
            work(streams[0]);
            cudaEventRecord(other_end, streams[2]);
            cudaEventRecord(end, streams[0]);
            cudaDeviceSynchronize();
            ended = microseconds(begin, end);
            return microseconds(begin, other_end);
        });
        std::printf("host, %s: %.1f, ended %.1f\n", what, went_on, ended);
    };
    spin<<<1, 1, 0, streams[2]>>>(nullptr, 9);
    host_goes_on("nothing", [](cudaStream_t) {});
    for (const int kilobytes : {64, 1024, 2048, 4096, 8192, 16384}) {
        char name[80];
        std::snprintf(name, sizeof name, "%d KiB of pageable memory to the device", kilobytes);
        host_goes_on(name, [&](cudaStream_t stream) {
            cudaMemcpyAsync(device_a, host.data(), std::size_t(kilobytes) << 10U, cudaMemcpyHostToDevice, stream);
        });
    }
    host_goes_on("4 bytes to pageable memory", [](cudaStream_t stream) {
        cudaMemcpyAsync(host.data(), device_a, 4, cudaMemcpyDeviceToHost, stream);
    });
    host_goes_on("4 bytes from host to host", [](cudaStream_t stream) {
        cudaMemcpyAsync(host.data(), host.data() + 100, 4, cudaMemcpyHostToHost, stream);
    });
    host_goes_on("a set of 1 MiB of pinned memory",
                 [](cudaStream_t stream) { cudaMemsetAsync(pinned_a, 1, 1 << 20, stream); });
    for (const bool breadth_first : {true, false}) {
        std::printf("pipeline, %s first:", breadth_first ? "breadth" : "depth");
        for (int count : {1, 2, 4}) std::printf(" %.1f", pipeline(count, breadth_first));
        std::printf("\n");
    }
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
