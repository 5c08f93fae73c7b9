// Which work of different streams waits for which, and what the host waits for, shown by the times of events.
#include <functional>
#include <thread>
#include <vector>

#include "check.cuh"

__global__ void spin(int* out, int rounds) {
    int x = rounds;
    for (int i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
    if (x == 12345) *out = x;
}
__global__ void increment(int* values, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) values[i] += 1;
}

namespace {

constexpr std::size_t size = std::size_t{1} << 26U;  // 1.2 ms over the link of an H200
char* device_a;
char* device_b;
char* pinned_a;
char* pinned_b;
cudaEvent_t begin, first, second, before;
cudaStream_t blocking, other, alone, alone_too;
bool kernels_first = true;  ///< the last work of every stream was a kernel

void to_device(cudaStream_t stream) { CHECK(cudaMemcpyAsync(device_a, pinned_a, size, cudaMemcpyDefault, stream)); }
void to_host(cudaStream_t stream, std::size_t bytes) {
    CHECK(cudaMemcpyAsync(pinned_b, device_b, bytes, cudaMemcpyDefault, stream));
}
void kernel(cudaStream_t stream, int rounds) { spin<<<1, 1, 0, stream>>>(nullptr, rounds); }
void record(cudaEvent_t event, cudaStream_t stream) { CHECK(cudaEventRecord(event, stream)); }

/// Which of the two events that `work` records came first, or that they came together: the earlier after more than `share`
/// of the time of the later. The events of copies wait for the engine that copied, those of kernels do not.
void order(const char* what, const std::function<void()>& work, float share = 0.8F) {
    if (kernels_first)
        for (cudaStream_t stream : {cudaStream_t{}, blocking, other, alone, cudaStreamPerThread}) kernel(stream, 9);
    CHECK(cudaDeviceSynchronize());
    record(begin, alone_too);
    work();
    CHECK(cudaDeviceSynchronize());
    float a = 0;
    float b = 0;
    CHECK(cudaEventElapsedTime(&a, begin, first));
    CHECK(cudaEventElapsedTime(&b, begin, second));
    const bool alike = a < b ? a > share * b : b > share * a;
    std::printf("%s: %s\n", what, alike ? "together" : a < b ? "the first is first" : "the second is first");
}

void nothing(void*) {}

/// Chunks that go to the device, through a kernel and back, in so many streams. Nanoseconds.
double pipeline(int streams, bool breadth_first) {
    constexpr int chunks = 4;
    const std::size_t bytes = std::size_t{1} << 22U;
    std::vector<cudaStream_t> in(streams);
    for (cudaStream_t& stream : in) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaEvent_t end;
    CHECK(cudaEventCreate(&end));
    const auto copy_in = [&](int i) {
        CHECK(cudaMemcpyAsync(device_a + i * bytes, pinned_a + i * bytes, bytes, cudaMemcpyDefault, in[i % streams]));
    };
    const auto compute = [&](int i) {
        increment<<<32, 256, 0, in[i % streams]>>>(reinterpret_cast<int*>(device_a + i * bytes), 65536);
    };
    const auto copy_out = [&](int i) {
        CHECK(cudaMemcpyAsync(pinned_b + i * bytes, device_a + i * bytes, bytes, cudaMemcpyDefault, in[i % streams]));
    };
    double least = 1e30;
    for (int repeat = 0; repeat < 5; ++repeat) {
        CHECK(cudaDeviceSynchronize());
        kernel(alone, 30000);  // meanwhile the host puts all of it into the streams
        record(begin, alone);
        for (cudaStream_t stream : in) CHECK(cudaStreamWaitEvent(stream, begin, 0));
        if (breadth_first) {
            for (int i = 0; i < chunks; ++i) copy_in(i);
            for (int i = 0; i < chunks; ++i) compute(i);
            for (int i = 0; i < chunks; ++i) copy_out(i);
        } else {
            for (int i = 0; i < chunks; ++i) {
                copy_in(i);
                compute(i);
                copy_out(i);
            }
        }
        for (cudaStream_t stream : in) {
            record(before, stream);
            CHECK(cudaStreamWaitEvent(alone, before, 0));
        }
        record(end, alone);
        CHECK(cudaEventSynchronize(end));
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        least = milliseconds * 1e6 < least ? milliseconds * 1e6 : least;
    }
    for (cudaStream_t stream : in) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(end));
    return least;
}

}  // namespace

int main() {
    CHECK(cudaMalloc(&device_a, 4 * size));
    CHECK(cudaMalloc(&device_b, 4 * size));
    CHECK(cudaMallocHost(&pinned_a, size));
    CHECK(cudaMallocHost(&pinned_b, size));
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&alone_too, cudaStreamNonBlocking));
    for (cudaEvent_t* event : {&begin, &first, &second, &before}) CHECK(cudaEventCreate(event));
    cudaEvent_t never;
    CHECK(cudaEventCreate(&never));
    record(before, alone);
    kernel(0, 9);  // the first launch pays for the loading of the code
    to_device(0);
    to_host(0, size);
    increment<<<32, 256>>>(reinterpret_cast<int*>(device_a), 65536);
    CHECK(cudaDeviceSynchronize());

    for (const bool now : {true, false}) {
    kernels_first = now;
    std::printf("after %s\n", kernels_first ? "kernels" : "whatever it was");
    order("blocking stream, legacy stream", [] { to_device(blocking); record(first, blocking); record(second, 0); });
    order("legacy stream, blocking stream", [] { to_device(0); record(first, 0); record(second, blocking); });
    order("legacy stream, stream of a thread", [] { to_device(0); record(first, 0); record(second, cudaStreamPerThread); });
    order("two blocking streams", [] { to_device(blocking); record(first, blocking); record(second, other); });
    order("non-blocking stream, legacy stream", [] { to_device(alone); record(first, alone); record(second, 0); });
    order("a wait in the legacy stream between two blocking streams", [] {
        to_device(blocking);
        record(first, blocking);
        CHECK(cudaStreamWaitEvent(0, before, 0));
        record(second, other);
    });
    order("a wait for an event that was never recorded", [&] {
        to_device(blocking);
        record(first, blocking);
        CHECK(cudaStreamWaitEvent(0, never, 0));
        record(second, other);
    });
    order(
        "a host function in the legacy stream",
        [] {
            to_device(blocking);
            record(first, blocking);
            CHECK(cudaLaunchHostFunc(0, nothing, nullptr));  // takes an H200's host 0.1 to 0.4 ms
            record(second, other);
        },
        0.4F);
    order("a stream that is destroyed, legacy stream", [] {
        cudaStream_t gone;
        CHECK(cudaStreamCreate(&gone));
        to_device(gone);
        record(first, gone);
        CHECK(cudaStreamDestroy(gone));
        record(second, 0);
    });
    order("streams of two threads", [] {
        std::thread([] { to_device(cudaStreamPerThread); record(first, cudaStreamPerThread); }).join();
        record(second, cudaStreamPerThread);
    });
    order("a kernel behind its copy, a kernel of another stream", [] {
        to_device(alone);
        kernel(alone, 99);
        record(first, alone);
        kernel(blocking, 100000);
        record(second, blocking);
    });
    order("a copy behind its kernel, a copy of another stream the same way", [] {
        kernel(alone, 400000);
        to_host(alone, size);
        record(first, alone);
        to_host(blocking, 1 << 20);
        record(second, blocking);
    });
    order("copies of two streams the same way", [] {
        to_device(alone);
        record(first, alone);
        to_device(blocking);
        record(second, blocking);
    });
    order("copies of two streams either way", [] {
        to_device(alone);
        record(first, alone);
        to_host(blocking, size);
        record(second, blocking);
    });

    order("the host after a copy within the device", [] {
        CHECK(cudaMemcpy(device_b, device_a, 4 * size, cudaMemcpyDeviceToDevice));
        record(first, 0);
        record(second, alone);
    });
    order("the host after a copy of pinned memory", [] {
        CHECK(cudaMemcpy(device_a, pinned_a, size, cudaMemcpyDefault));
        record(first, 0);
        record(second, alone);
    });
    order("the host after a copy to pageable memory", [] {
        std::vector<char> pageable(size / 4);
        CHECK(cudaMemcpyAsync(pageable.data(), device_a, size / 4, cudaMemcpyDeviceToHost, blocking));
        record(first, blocking);
        record(second, alone);
    });
    order("the host that waits for a blocking stream after work of the legacy stream", [] {
        to_device(0);
        record(first, 0);
        CHECK(cudaStreamSynchronize(blocking));
        record(second, alone);
    });
    order("the host that waits for the legacy stream after work of a blocking stream", [] {
        to_device(blocking);
        record(first, blocking);
        CHECK(cudaStreamSynchronize(0));
        record(second, alone);
    });
    order("the host that waits for a non-blocking stream", [] {
        to_device(alone);
        record(first, alone);
        CHECK(cudaStreamSynchronize(alone));
        record(second, blocking);
    });
    order("the host that waits for the legacy stream after work of a non-blocking stream", [] {
        to_device(alone);
        record(first, alone);
        CHECK(cudaStreamSynchronize(0));
        record(second, blocking);
    });

    }

    to_device(blocking);
    record(first, blocking);
    float milliseconds = 0;
    std::printf("not yet: %s, %s, %s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, begin, first)),
                cudaGetErrorName(cudaEventQuery(first)), cudaGetErrorName(cudaStreamQuery(blocking)));
    std::printf("last error: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    while (cudaEventQuery(first) == cudaErrorNotReady) {}
    std::printf("then: %s, %s, %s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, begin, first)),
                cudaGetErrorName(cudaEventQuery(first)), cudaGetErrorName(cudaStreamQuery(blocking)));
    to_device(blocking);
    while (cudaStreamQuery(blocking) == cudaErrorNotReady) {}
    std::printf("never recorded: %s\n", cudaGetErrorName(cudaEventQuery(never)));
    std::printf("flags: %s, %s\n", cudaGetErrorName(cudaStreamWaitEvent(blocking, first, 99)),
                cudaGetErrorName(cudaEventRecordWithFlags(first, blocking, 99)));
    cudaGetLastError();

    for (const bool breadth_first : {true, false}) {
        const double one = pipeline(1, breadth_first);
        std::printf("chunks in several streams, %s first:", breadth_first ? "breadth" : "depth");
        for (int streams : {2, 4}) if (!breadth_first || streams == 4) std::printf(" %s", pipeline(streams, breadth_first) < 0.85 * one ? "faster" : "not faster");
        std::printf("\n");
    }
}
