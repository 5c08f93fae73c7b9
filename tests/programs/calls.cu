// Recursion, function pointers, virtual functions, local arrays, switch statements.
#include "check.cuh"

__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

using Operation = int (*)(int, int);
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ Operation operations[] = {plus, minus, times};

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void recurse(unsigned* out) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 12) * 1000 + static_cast<unsigned>(ackermann(2, static_cast<int>(threadIdx.x % 4)));
}
__global__ void point(int* out) {
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < 6; ++i) value = operations[(threadIdx.x + static_cast<unsigned>(i)) % 3](value, i + 2);
    out[threadIdx.x] = value;
}
__global__ void areas(float* out) {
    Square square(static_cast<float>(threadIdx.x));
    Circle circle(static_cast<float>(threadIdx.x) * 0.5f);
    const Shape* shape = threadIdx.x % 3 == 0 ? static_cast<const Shape*>(&square) : &circle;
    out[threadIdx.x] = shape->area();
}
__global__ void arrays(int* out, int steps) {
    int values[37];
    for (int i = 0; i < 37; ++i) values[i] = i * i + static_cast<int>(threadIdx.x);
    unsigned at = threadIdx.x;
    for (int i = 0; i < steps; ++i) {
        at = static_cast<unsigned>(values[at % 37]) * 2654435761u;
        values[(at >> 7) % 37] ^= static_cast<int>(at);
    }
    out[threadIdx.x] = static_cast<int>(at);
}
__global__ void choose(int* out) {
    const int x = static_cast<int>(threadIdx.x);
    int y = 0;
    switch (x % 9) {
        case 0: y = x * 3; break;
        case 1: y = x ^ 0x55; break;
        case 2: y = -x;  // falls through
        case 3: y += 7; break;
        case 4: y = x / 3; break;
        case 5: y = x % 5; break;
        case 6: y = __popc(static_cast<unsigned>(x)); break;
        case 7: y = __clz(x); break;
        default: y = 1000;
    }
    out[x] = y;
}

int main() {
    DeviceArray<unsigned> numbers(128);
    recurse<<<1, 128>>>(numbers.data);
    show("recursion", numbers.host());
    DeviceArray<int> values(128);
    point<<<1, 128>>>(values.data);
    show("function pointers", values.host());
    DeviceArray<float> floats(128);
    areas<<<1, 128>>>(floats.data);
    show("virtual functions", floats.host());
    arrays<<<1, 128>>>(values.data, 200);
    show("local arrays", values.host());
    choose<<<1, 128>>>(values.data);
    show("switch", values.host());
}
