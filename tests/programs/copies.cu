// Times of copies, sets and events as the GPU has them, and what of different streams happens at the same time.
#include <algorithm>
#include <functional>
#include <vector>

#include "check.cuh"

__global__ void spin(int* out, int rounds) {
    int x = rounds;
    for (int i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
    if (x == 12345) *out = x;
}

namespace {

using Work = std::function<void(cudaStream_t)>;
cudaStream_t streams[2];

/// Nanoseconds from an event before both works to one that follows both: the median of nine times. On an H200 the first
/// copy behind a kernel may wait some 7 us for the engine that copies.
double time_of(const Work& first, const Work& second = {}) {
    cudaEvent_t begin, joined, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&end));
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        CHECK(cudaDeviceSynchronize());
        spin<<<1, 1, 0, streams[0]>>>(nullptr, 20000);  // meanwhile the host puts all of it into the streams
        CHECK(cudaEventRecord(begin, streams[0]));
        CHECK(cudaStreamWaitEvent(streams[1], begin, 0));
        if (second) {
            second(streams[1]);
            CHECK(cudaEventRecord(joined, streams[1]));
        }
        if (first) first(streams[0]);
        if (second) CHECK(cudaStreamWaitEvent(streams[0], joined, 0));
        CHECK(cudaEventRecord(end, streams[0]));
        CHECK(cudaEventSynchronize(end));
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        times.push_back(milliseconds * 1e6);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void says(const char* what, double value, double least, double most) {
    if (value >= least && value <= most)
        std::printf("%s: %g to %g\n", what, least, most);
    else
        std::printf("%s: %g, not %g to %g\n", what, value, least, most);
}

}  // namespace

int main() {
    for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const std::size_t size = std::size_t{1} << 24U;
    DeviceArray<char> a(size);
    DeviceArray<char> b(size);
    char* from = nullptr;
    char* to = nullptr;
    CHECK(cudaMallocHost(&from, size));
    CHECK(cudaMallocHost(&to, size));
    for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<char>(i * 7 + i / 1000);
    std::vector<char> pageable(size);

    const auto copy = [](void* target, const void* source, std::size_t bytes) {
        return [=](cudaStream_t stream) { CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream)); };
    };
    const Work to_device = copy(a.data, from, size);
    const Work to_host = copy(to, b.data, size);
    const Work within = copy(b.data, a.data, size);
    const Work set = [&](cudaStream_t stream) { CHECK(cudaMemsetAsync(a.data, 7, size, stream)); };
    const Work kernel = [](cudaStream_t stream) { spin<<<1, 1, 0, stream>>>(nullptr, 100000); };

    const double nothing = time_of({});
    says("nanoseconds between two events", nothing, 1000, 1600);
    says("and with one more between them", time_of([](cudaStream_t stream) {
             static cudaEvent_t event = nullptr;
             if (event == nullptr) CHECK(cudaEventCreate(&event));
             CHECK(cudaEventRecord(event, stream));
         }),
         2000, 3200);
    says("4 bytes to the device, nanoseconds", time_of(copy(a.data, from, 4)), 2500, 6000);
    says("64 KiB to the device", time_of(copy(a.data, from, 65536)), 4500, 15000);
    says("4 bytes to the host", time_of(copy(to, a.data, 4)), 2500, 13000);
    says("4 bytes within the device", time_of(copy(b.data, a.data, 4)), 2000, 7000);
    const double bytes = static_cast<double>(size);
    says("16 MiB to the device, bytes a nanosecond", bytes / time_of(to_device), 45, 65);
    says("16 MiB within the device, read and written", 2 * bytes / (time_of(within) - nothing), 3000, 5500);
    says("16 MiB to the host", bytes / time_of(to_host), 45, 65);
    std::printf("what has come back is %s\n", std::equal(from, from + size, to) ? "right" : "wrong");
    says("16 MiB set", bytes / (time_of(set) - nothing), 2500, 4800);

    const double one_way = time_of(to_device);
    says("two copies to the device in two streams, by one", time_of(to_device, copy(b.data, from, size)) / one_way, 1.8, 2.2);
    says("one to the device and one to the host", time_of(to_device, to_host) / one_way, 0.95, 1.3);
    const std::size_t less = std::size_t{1} << 22U;
    const double alone = time_of(kernel);
    const double copied = time_of(copy(a.data, from, less));
    says("a copy to the device beside a kernel, by the longer", time_of(kernel, copy(a.data, from, less)) / std::max(alone, copied),
         0.95, 1.15);
    says("a copy to the host beside a kernel", time_of(kernel, copy(to, b.data, less)) / std::max(alone, copied), 0.95, 1.15);
    says("a copy behind a kernel, by both",
         time_of([&](cudaStream_t stream) {
             kernel(stream);
             CHECK(cudaMemcpyAsync(a.data, from, less, cudaMemcpyDefault, stream));
         }) / (alone + copied),
         0.9, 1.1);

    // From pageable memory the host's processor copies; how fast is its own affair.
    CHECK(cudaMemcpy(pageable.data(), b.data, size, cudaMemcpyDeviceToHost));
    std::printf("pageable memory has the %s bytes\n", std::equal(from, from + size, pageable.begin()) ? "right" : "wrong");
    CHECK(cudaFreeHost(from));
    CHECK(cudaFreeHost(to));
}
