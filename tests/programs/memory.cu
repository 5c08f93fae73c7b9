// Memory of every kind: device, managed, pinned and mapped, registered, pitched, of symbols; copies and sets.
#include "check.cuh"

__constant__ int table[64];
__constant__ double pi = 3.25;
__device__ int counters[4] = {1, 2, 3, 4};
__device__ float zeroed[100];
__managed__ int shared_number = 5;
__managed__ int shared_array[16];

__global__ void add_one(int* values, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) values[i] += 1 + table[i & 63];
}
__global__ void use_symbols(double* out) {
    out[threadIdx.x] = pi * table[threadIdx.x] + counters[threadIdx.x & 3] + zeroed[threadIdx.x];
    if (threadIdx.x == 0) {
        shared_number *= 3;
        for (int i = 0; i < 16; ++i) shared_array[i] += i * i;
    }
}
__global__ void write_rows(char* base, std::size_t pitch, int width) {
    for (int x = static_cast<int>(threadIdx.x); x < width; x += static_cast<int>(blockDim.x))
        base[blockIdx.x * pitch + static_cast<unsigned>(x)] = static_cast<char>(blockIdx.x * 7 + static_cast<unsigned>(x));
}

int main() {
    std::vector<int> numbers(64);
    for (int i = 0; i < 64; ++i) numbers[static_cast<unsigned>(i)] = i * i;
    CHECK(cudaMemcpyToSymbol(table, numbers.data(), 256));
    const double three = 3.0;
    CHECK(cudaMemcpyToSymbol(pi, &three, 8));
    const int hundred = 100;
    CHECK(cudaMemcpyToSymbol(counters, &hundred, 4, 8));

    int* managed = nullptr;
    CHECK(cudaMallocManaged(&managed, 1000 * sizeof(int)));
    for (int i = 0; i < 1000; ++i) managed[i] = i;
    add_one<<<8, 128>>>(managed, 1000);
    CHECK(cudaDeviceSynchronize());
    std::printf("managed: %016llx\n", static_cast<unsigned long long>(digest(managed, 4000)));

    int* pinned = nullptr;
    CHECK(cudaHostAlloc(&pinned, 512, cudaHostAllocMapped));
    for (int i = 0; i < 128; ++i) pinned[i] = -i;
    int* seen = nullptr;
    CHECK(cudaHostGetDevicePointer(&seen, pinned, 0));
    add_one<<<1, 128>>>(seen, 128);
    CHECK(cudaDeviceSynchronize());
    std::printf("mapped: %016llx\n", static_cast<unsigned long long>(digest(pinned, 512)));

    std::vector<int> own(256, 7);
    CHECK(cudaHostRegister(own.data(), 1024, cudaHostRegisterDefault));
    CHECK(cudaHostGetDevicePointer(&seen, own.data(), 0));
    add_one<<<2, 128>>>(seen, 256);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaHostUnregister(own.data()));
    show("registered", own);

    shared_number = 7;
    for (int& value : shared_array) value = 1000;
    DeviceArray<double> doubles(64);
    use_symbols<<<1, 64>>>(doubles.data);
    CHECK(cudaDeviceSynchronize());
    show("symbols", doubles.host());
    std::printf("managed variables: %d %d\n", shared_number, shared_array[15]);
    int back[4];
    CHECK(cudaMemcpyFromSymbol(back, counters, 16));
    std::printf("counters: %d %d %d %d\n", back[0], back[1], back[2], back[3]);
    void* address = nullptr;
    std::size_t size = 0;
    CHECK(cudaGetSymbolAddress(&address, zeroed));
    CHECK(cudaGetSymbolSize(&size, zeroed));
    CHECK(cudaMemset(address, 0x3f, size));
    use_symbols<<<1, 64>>>(doubles.data);
    show("after memset of a symbol", doubles.host());

    char* pitched = nullptr;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(&pitched, &pitch, 100, 20));
    write_rows<<<20, 32>>>(pitched, pitch, 100);
    std::vector<char> image(50 * 10);
    CHECK(cudaMemcpy2D(image.data(), 50, pitched + 3 * pitch + 10, pitch, 50, 10, cudaMemcpyDeviceToHost));
    show("2D", image);
    CHECK(cudaMemset2D(pitched, pitch, 9, 30, 5));
    std::vector<char> whole(100 * 20);
    CHECK(cudaMemcpy2DAsync(whole.data(), 100, pitched, pitch, 100, 20, cudaMemcpyDefault, nullptr));
    CHECK(cudaStreamSynchronize(nullptr));
    show("2D set", whole);

    cudaPitchedPtr box{};
    CHECK(cudaMalloc3D(&box, make_cudaExtent(40, 6, 5)));
    CHECK(cudaMemset3D(box, 3, make_cudaExtent(40, 6, 5)));
    std::vector<char> cube(40 * 6 * 5, 1);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(cube.data(), 40, 40, 6);
    copy.extent = make_cudaExtent(20, 4, 3);
    copy.dstPos = make_cudaPos(8, 1, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    show("3D", cube);

    int* first = nullptr;
    int* second = nullptr;
    CHECK(cudaMallocAsync(&first, 4096, nullptr));
    CHECK(cudaMalloc(&second, 4096));
    CHECK(cudaMemsetAsync(first, 1, 4096, nullptr));
    CHECK(cudaMemcpyAsync(second, first, 4096, cudaMemcpyDeviceToDevice, nullptr));
    add_one<<<8, 128>>>(second, 1024);
    std::vector<int> result(1024);
    CHECK(cudaMemcpy(result.data(), second, 4096, cudaMemcpyDefault));
    show("device to device", result);
    CHECK(cudaFreeAsync(first, nullptr));
    CHECK(cudaFree(second));

    cudaPointerAttributes attributes{};
    CHECK(cudaPointerGetAttributes(&attributes, managed + 5));
    std::printf("managed pointer: type %d, device %d\n", attributes.type, attributes.device);
    CHECK(cudaPointerGetAttributes(&attributes, pinned));
    std::printf("pinned pointer: type %d\n", attributes.type);
    CHECK(cudaPointerGetAttributes(&attributes, pitched));
    std::printf("device pointer: type %d\n", attributes.type);
    CHECK(cudaPointerGetAttributes(&attributes, &copy));
    std::printf("other pointer: type %d\n", attributes.type);
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
}
