// printf, malloc and assert in a kernel. One thread prints, as the order of several is not defined.
#include <cassert>

#include "check.cuh"

struct Node {
    int value;
    Node* next;
};

__global__ void print(const char* word, double real, long long wide) {
    if (threadIdx.x == 3) {
        const int written = printf("thread %d of %u: %s %5.2f %lld %x %c %%\n", threadIdx.x, blockDim.x, word, real, wide, 255, 'z');
        printf("arguments: %d\n", written);
        printf("%8.3e|%-6d|%06d|%+d|%#o|%p\n", real, 42, 42, 42, 8, nullptr);
        printf("no argument\n");
    }
}
__global__ void list(int n, int* sum) {
    Node* head = nullptr;
    for (int i = 0; i < n; ++i) {
        auto* const node = static_cast<Node*>(malloc(sizeof(Node)));
        node->value = i * static_cast<int>(threadIdx.x + 1);
        node->next = head;
        head = node;
    }
    int total = 0;
    while (head != nullptr) {
        total += head->value;
        Node* const next = head->next;
        free(head);
        head = next;
    }
    sum[threadIdx.x] = total;
}
__global__ void fails(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

int main() {
    char* word = nullptr;
    CHECK(cudaMalloc(&word, 16));
    CHECK(cudaMemcpy(word, "eleven", 7, cudaMemcpyHostToDevice));
    print<<<1, 32>>>(word, -12.3456, 1LL << 40);
    CHECK(cudaDeviceSynchronize());
    DeviceArray<int> sums(64);
    list<<<1, 64>>>(20, sums.data);
    CHECK(cudaDeviceSynchronize());
    show("list", sums.host());
    fails<<<1, 32>>>(32);
    std::printf("assertion that holds: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    fails<<<1, 32>>>(31);
    std::printf("assertion that fails: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
