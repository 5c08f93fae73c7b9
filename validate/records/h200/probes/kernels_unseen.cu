// Streams of one to eight small kernels as programs have them: none was looked at when the rules for kernels beside each other were made. Each of
// `streams` streams runs two kernels of the case (`mix`: of all cases in turn) between a fork and a join, with events for timing and without.
// Medians of seven repetitions behind two that warm up.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared kernels_unseen.cu -o kernels_unseen && ./kernels_unseen > kernels_unseen.csv
// Columns: case, streams, elapsed_us between two events around all. `./kernels_unseen REPETITIONS` for fewer. `./kernels_unseen 7 parts` measures one
// and three streams as well, one of them behind eight, and says of what the time is made up, where events are for timing: from the first record to
// the second, from there to that of the first stream, and from that of the last stream to the end (kernels_unseen_parts.csv).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

__global__ void saxpy(const float* x, float* y, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = 2.0f * x[i] + y[i];
}

__global__ void sum_blocks(const float* x, float* y, int n) {
    __shared__ float parts[256];
    float sum = 0;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) sum += x[i];
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (static_cast<int>(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = parts[0];
}

__global__ void transpose(const float* x, float* y, int width) {
    __shared__ float tile[32][33];
    const int column = static_cast<int>(blockIdx.x * 32 + threadIdx.x), row = static_cast<int>(blockIdx.y * 32 + threadIdx.y);
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * width + column];
    __syncthreads();
    const int to_column = static_cast<int>(blockIdx.y * 32 + threadIdx.x), to_row = static_cast<int>(blockIdx.x * 32 + threadIdx.y);
    for (int j = 0; j < 32; j += 8) y[(to_row + j) * width + to_column] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void multiply(const float* a, float* c, int n) {  // c = a * a, tiles of 16 x 16
    __shared__ float left[16][16], right[16][16];
    const int row = static_cast<int>(blockIdx.y * 16 + threadIdx.y), column = static_cast<int>(blockIdx.x * 16 + threadIdx.x);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + static_cast<int>(threadIdx.x)];
        right[threadIdx.y][threadIdx.x] = a[(k + static_cast<int>(threadIdx.y)) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void histogram(const unsigned* x, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) atomicAdd(&own[(x[i] * 2654435761u) >> 24], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void bisect(const float* sorted, float* out, int n, int queries) {
    const int q = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (q >= queries) return;
    const float wanted = static_cast<float>((q * 2654435761u) % static_cast<unsigned>(n));
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    out[q] = static_cast<float>(low);
}

__global__ void stencil(const float* x, float* y, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < 4 || i >= n - 4) return;
    float sum = 0;
    for (int j = -4; j <= 4; ++j) sum += x[i + j];
    y[i] = sum;
}

__global__ void iterate(const float* x, float* y, int rounds) {  // special functions
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    float value = x[i];
    for (int r = 0; r < rounds; ++r) value = __sinf(value) + __expf(-value);
    y[i] = value;
}

constexpr int kinds = 10;
constexpr const char* names[kinds] = {"saxpy 64Ki",     "saxpy 1Mi",        "sum 512Ki",     "transpose 512", "multiply 256",
                                      "histogram 256Ki", "bisect 16Ki of 1Mi", "stencil 256Ki", "iterate 8Ki",   "iterate 64Ki"};

void launch(int kind, cudaStream_t in, float* x, float* y) {
    switch (kind) {
        case 0: saxpy<<<256, 256, 0, in>>>(x, y, 1 << 16); break;
        case 1: saxpy<<<4096, 256, 0, in>>>(x, y, 1 << 20); break;
        case 2: sum_blocks<<<128, 256, 0, in>>>(x, y, 1 << 19); break;
        case 3: transpose<<<dim3(16, 16), dim3(32, 8), 0, in>>>(x, y, 512); break;
        case 4: multiply<<<dim3(16, 16), dim3(16, 16), 0, in>>>(x, y, 256); break;
        case 5: histogram<<<64, 256, 0, in>>>(reinterpret_cast<const unsigned*>(x), reinterpret_cast<unsigned*>(y), 1 << 18); break;
        case 6: bisect<<<64, 256, 0, in>>>(x, y, 1 << 20, 1 << 14); break;
        case 7: stencil<<<1024, 256, 0, in>>>(x, y, 1 << 18); break;
        case 8: iterate<<<32, 256, 0, in>>>(x, y, 100); break;
        default: iterate<<<256, 256, 0, in>>>(x, y, 100); break;
    }
    CHECK(cudaGetLastError());
}

__global__ void wait_for_host(float* out, int rounds) {  // while it runs, the host makes all launches
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
    const bool parts = argc > 2;
    constexpr int most = 8;
    constexpr std::size_t each = 1 << 20;
    float *x, *y;
    CHECK(cudaMalloc(&x, most * each * sizeof(float)));
    CHECK(cudaMalloc(&y, most * each * sizeof(float)));
    std::vector<float> values(most * each);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % each);
    CHECK(cudaMemcpy(x, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y, 0, most * each * sizeof(float)));
    cudaStream_t streams[most + 1];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const cudaStream_t base = streams[most];
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::printf("case,streams,elapsed_us%s\n", parts ? ",to_fork_us,to_first_us,to_last_us" : "");
    for (const bool timing : {true, false}) {
        cudaEvent_t ends[most], fork;
        for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&fork, timing ? cudaEventDefault : cudaEventDisableTiming));
        for (int kind = 0; kind <= kinds; ++kind)
            for (const int count : parts ? std::vector<int>{1, 2, 3, 4, 8, 1, 1} : std::vector<int>{1, 2, 4, 8}) {
                std::vector<double> times, part[3];
                for (int repetition = -2; repetition < repetitions; ++repetition) {
                    CHECK(cudaDeviceSynchronize());
                    wait_for_host<<<1, 32, 0, base>>>(y, 150000);
                    CHECK(cudaEventRecord(first, base));
                    CHECK(cudaEventRecord(fork, base));
                    for (int i = 0; i < count; ++i) {
                        CHECK(cudaStreamWaitEvent(streams[i], fork));
                        for (int k = 0; k < 2; ++k) launch(kind < kinds ? kind : (2 * i + k) % kinds, streams[i], x + i * each, y + i * each);
                        CHECK(cudaEventRecord(ends[i], streams[i]));
                        CHECK(cudaStreamWaitEvent(base, ends[i]));
                    }
                    CHECK(cudaEventRecord(last, base));
                    CHECK(cudaDeviceSynchronize());
                    float milliseconds = 0;
                    CHECK(cudaEventElapsedTime(&milliseconds, first, last));
                    if (repetition >= 0) times.push_back(milliseconds * 1000);
                    const std::pair<cudaEvent_t, cudaEvent_t> ends_of_parts[] = {{first, fork}, {fork, ends[0]}, {ends[count - 1], last}};
                    for (int i = 0; parts && timing && i < 3; ++i) {
                        CHECK(cudaEventElapsedTime(&milliseconds, ends_of_parts[i].first, ends_of_parts[i].second));
                        if (repetition >= 0) part[i].push_back(milliseconds * 1000);
                    }
                }
                std::printf("%s%s,%d,%.3f", kind < kinds ? names[kind] : "mix", timing ? "" : " (events without timing)", count, median(times));
                for (int i = 0; parts && i < 3; ++i) timing ? std::printf(",%.3f", median(part[i])) : std::printf(",");
                std::printf("\n");
            }
    }
    return 0;
}
