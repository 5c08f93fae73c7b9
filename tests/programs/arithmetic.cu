// FP64, FP32, FP16 and BF16: operations and the functions of the math library.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

__global__ void doubles(double* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const double x = (i - n / 2) * 0.37 + 0.001;
    const double y = fabs(x) + 0.5;
    double* to = out + i * 16;
    to[0] = x + y * x;
    to[1] = x / y;
    to[2] = sqrt(y);
    to[3] = exp(x * 0.1);
    to[4] = log(y);
    to[5] = sin(x);
    to[6] = cos(x);
    to[7] = pow(y, 0.3);
    to[8] = tanh(x);
    to[9] = fma(x, y, -x);
    to[10] = rsqrt(y);
    to[11] = cbrt(x);
    to[12] = floor(x) + rint(x) + trunc(x);
    to[13] = fmod(x, 1.3);
    to[14] = erf(x);
    to[15] = atan2(x, y) + static_cast<double>(static_cast<long long>(x * 1e6)) + static_cast<float>(x);
}
__global__ void floats(float* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float x = static_cast<float>(i - n / 2) * 0.37f + 0.001f;
    const float y = fabsf(x) + 0.5f;
    float* to = out + i * 24;
    to[0] = x / y;
    to[1] = sqrtf(y);
    to[2] = expf(x * 0.1f);
    to[3] = logf(y);
    to[4] = sinf(x);
    to[5] = cosf(x);
    to[6] = powf(y, 0.3f);
    to[7] = tanhf(x * 0.1f);
    to[8] = rsqrtf(y);
    to[9] = 1.0f / y;
    to[10] = __expf(x * 0.1f);
    to[11] = __logf(y);
    to[12] = __sinf(x);
    to[13] = __cosf(x);
    to[14] = __powf(y, 0.7f);
    to[15] = __fdividef(x, y);
    to[16] = exp2f(x * 0.1f);
    to[17] = log2f(y);
    to[18] = tanf(x);
    to[19] = asinf(x / 1000.0f);
    to[20] = erff(x);
    to[21] = lgammaf(y);
    to[22] = hypotf(x, y);
    to[23] = fmodf(x, 0.7f);
}
__global__ void halves(unsigned short* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const __half2 a = __floats2half2_rn(static_cast<float>(i) * 0.01f - 3.0f, 1.5f - static_cast<float>(i) * 0.003f);
    const __half2 b = __floats2half2_rn(0.25f + static_cast<float>(i % 17), -0.7f);
    const __nv_bfloat162 c = __floats2bfloat162_rn(static_cast<float>(i) * 0.01f - 3.0f, 1.5f - static_cast<float>(i) * 0.003f);
    const __nv_bfloat162 d = __floats2bfloat162_rn(0.25f + static_cast<float>(i % 17), -0.7f);
    auto* to = reinterpret_cast<__half2*>(out) + i * 16;
    auto* also = reinterpret_cast<__nv_bfloat162*>(to + 8);
    to[0] = __hadd2(a, b);
    to[1] = __hmul2(a, b);
    to[2] = __hfma2(a, b, a);
    to[3] = __h2div(a, b);
    to[4] = h2exp(a);
    to[5] = __hmax2(a, b);
    to[6] = __hgt2(a, b);
    to[7] = h2sqrt(__habs2(a));
    also[0] = __hadd2(c, d);
    also[1] = __hmul2(c, d);
    also[2] = __hfma2(c, d, c);
    also[3] = __h2div(c, d);
    also[4] = h2exp(c);
    also[5] = __hmin2(c, d);
    also[6] = __hlt2(c, d);
    also[7] = h2rsqrt(__habs2(c));
}

template <class T>
void show_columns(const char* name, const std::vector<T>& values, int columns) {
    for (int column = 0; column < columns; ++column) {
        std::vector<T> one;
        for (std::size_t i = static_cast<unsigned>(column); i < values.size(); i += static_cast<unsigned>(columns))
            one.push_back(values[i]);
        std::printf("%s %d: ", name, column);
        show("", one);
    }
}

int main() {
    constexpr int n = 2048;
    DeviceArray<double> wide(n * 16);
    doubles<<<n / 128, 128>>>(wide.data, n);
    show_columns("double", wide.host(), 16);
    DeviceArray<float> single(n * 24);
    floats<<<n / 128, 128>>>(single.data, n);
    show_columns("float", single.host(), 24);
    DeviceArray<unsigned short> half(n * 32);
    halves<<<n / 128, 128>>>(half.data, n);
    show_columns("half", half.host(), 32);
}
