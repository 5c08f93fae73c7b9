// __managed__ variables: one address for host and device, known to the functions that take a symbol or a pointer.
#include "check.cuh"

__managed__ int numbers[4] = {1, 2, 3, 4};
__managed__ double single = 2.5;
__device__ int of_the_device = 5;

__global__ void add_and_scale(int* to) {
    to[threadIdx.x] += numbers[threadIdx.x];
    numbers[threadIdx.x] *= 10;
    if (threadIdx.x == 0) single *= of_the_device;
}

void say(const char* what, cudaError_t error) { std::printf("%s: %s\n", what, cudaGetErrorName(error)); }

void show_numbers(const char* when) {
    std::printf("%s: %d %d %d %d\n", when, numbers[0], numbers[1], numbers[2], numbers[3]);
}

int main() {
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, numbers));
    std::size_t size = 0;
    CHECK(cudaGetSymbolSize(&size, numbers));
    std::printf("address of the symbol is the host's: %d, %zu bytes\n", address == numbers, size);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, &numbers[2]));
    std::printf("type %d, device %d, same pointers %d %d\n", attributes.type, attributes.device,
                attributes.hostPointer == &numbers[2], attributes.devicePointer == &numbers[2]);

    const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    say("prefetch", cudaMemPrefetchAsync(numbers, sizeof numbers, device, 0, nullptr));
    say("advice", cudaMemAdvise(numbers, sizeof numbers, cudaMemAdviseSetReadMostly, device));

    int* large = nullptr;
    CHECK(cudaMallocManaged(&large, 8 << 20));
    say("prefetch of nothing", cudaMemPrefetchAsync(large, 0, device, 0, nullptr));
    say("prefetch from within", cudaMemPrefetchAsync(large + 1000, 4 << 20, device, 0, nullptr));
    say("prefetch beyond the end", cudaMemPrefetchAsync(large + 1000, 8 << 20, device, 0, nullptr));
    say("advice on nothing", cudaMemAdvise(large, 0, cudaMemAdviseSetReadMostly, device));
    say("advice beyond the end", cudaMemAdvise(large + 1000, 8 << 20, cudaMemAdviseSetReadMostly, device));
    CHECK(cudaFree(large));

    int* other = nullptr;
    CHECK(cudaMallocManaged(&other, sizeof numbers));
    for (int i = 0; i < 4; ++i) other[i] = 100 * i;
    add_and_scale<<<1, 4>>>(other);
    CHECK(cudaDeviceSynchronize());
    std::printf("added: %d %d %d %d\n", other[0], other[1], other[2], other[3]);
    show_numbers("scaled");
    std::printf("single: %g\n", single);

    const int nines[4] = {9, 9, 9, 9};
    CHECK(cudaMemcpyToSymbol(numbers, nines, sizeof nines));
    show_numbers("copied to the symbol");
    add_and_scale<<<1, 4>>>(static_cast<int*>(address));  // the same memory by two names
    CHECK(cudaDeviceSynchronize());
    show_numbers("added to itself, and scaled");
    int back[2] = {};
    CHECK(cudaMemcpyFromSymbol(back, numbers, sizeof back, 2 * sizeof(int)));
    std::printf("copied from the symbol: %d %d\n", back[0], back[1]);
    CHECK(cudaMemset(numbers, 0, 2 * sizeof(int)));
    show_numbers("two set to zero");
    say("free", cudaFree(numbers));
    CHECK(cudaFree(other));
}
