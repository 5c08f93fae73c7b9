// Arithmetic kernels of features.cu against the same C++ on the CPU, on seeded random operands and on corner cases.
#include <catch2/catch.hpp>

#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>

#include "core/random.hpp"
#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

const std::string fixture = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/features.cubin";

template <class T>
std::vector<T> operands(std::uint64_t seed, std::size_t count, const std::vector<T>& corners) {
    SplitMix64 random(seed);
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 4 == 0) {
            values.push_back(corners[random.next() % corners.size()]);
        } else {
            const std::uint64_t bits = random.next() >> (random.next() % 40);
            T value;
            std::memcpy(&value, &bits, sizeof value);
            values.push_back(value);
        }
    }
    return values;
}

template <class T>
std::vector<T> run_pairs(const char* kernel, const std::vector<T>& a, const std::vector<T>& b, std::size_t results) {
    test::Module module(fixture);
    const auto n = static_cast<int>(a.size());
    const Address pa = module.upload(a);
    const Address pb = module.upload(b);
    const Address out = module.upload(std::vector<T>(a.size() * results));
    const auto run = module.run(kernel, {static_cast<std::uint32_t>((n + 95) / 96), 1, 1}, {96, 1, 1},
                                test::Parameters().add(pa.value).add(pb.value).add(out.value).add(n));
    INFO((run ? "" : run.error().message()));
    REQUIRE(run.ok());
    return module.download<T>(out, a.size() * results);
}

template <class T>
std::uint64_t bits_of(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

/// Compares result column by column so that a failure names the operation and its operands.
template <class T>
void compare(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& got,
             const std::vector<std::function<T(T, T)>>& operations) {
    REQUIRE(got.size() == a.size() * operations.size());
    for (std::size_t k = 0; k < operations.size(); ++k)
        for (std::size_t i = 0; i < a.size(); ++i) {
            const T expected = operations[k](a[i], b[i]);
            if (bits_of(expected) == bits_of(got[k * a.size() + i])) continue;
            CAPTURE(k, i, bits_of(a[i]), bits_of(b[i]));
            REQUIRE(bits_of(got[k * a.size() + i]) == bits_of(expected));
        }
    SUCCEED();
}

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;
using I = std::int32_t;
using U = std::uint32_t;
using L = std::int64_t;
using UL = std::uint64_t;
U u(I x) { return static_cast<U>(x); }
I s(U x) { return static_cast<I>(x); }
bool no_quotient(I x, I y) { return y == 0 || (x == std::numeric_limits<I>::min() && y == -1); }

U permute(U a, U b, U selector) {
    const UL both = a | static_cast<UL>(b) << 32U;
    U result = 0;
    for (U i = 0; i < 4; ++i) result |= static_cast<U>(both >> (8U * (selector >> (4U * i) & 7U)) & 0xffU) << (8U * i);
    return result;
}
U reverse(U x) {
    U result = 0;
    for (U i = 0; i < 32; ++i) result |= (x >> i & 1U) << (31U - i);
    return result;
}

/// FP32 results of the GPU carry one NaN.
float canonical(float x) { return std::isnan(x) ? std::bit_cast<float>(0x7fffffffU) : x; }

float rounded(int mode, const std::function<float()>& compute) {
    const int before = std::fegetround();
    std::fesetround(mode);
    const float result = compute();
    std::fesetround(before);
    return canonical(result);
}

}  // namespace

TEST_CASE("integer operations equal C++'s") {
    const std::vector<I> corners{
        0, 1, -1, 2, 7, 31, 32, 33, std::numeric_limits<I>::min(), std::numeric_limits<I>::max(), 0x55555555};
    const auto a = operands<I>(11, 960, corners);
    const auto b = operands<I>(12, 960, corners);
    compare<I>(a, b, run_pairs("integer_operations", a, b, 26),
               {[](I x, I y) { return s(u(x) + u(y)); },
                [](I x, I y) { return s(u(x) - u(y)); },
                [](I x, I y) { return s(u(x) * u(y)); },
                [](I x, I y) { return static_cast<I>((static_cast<L>(x) * y) >> 32); },
                [](I x, I y) { return s(static_cast<U>((static_cast<UL>(u(x)) * u(y)) >> 32U)); },
                [](I x, I y) { return no_quotient(x, y) ? 0 : x / y; },
                [](I x, I y) { return no_quotient(x, y) ? 0 : x % y; },
                [](I x, I y) { return y == 0 ? 0 : s(u(x) / u(y)); },
                [](I x, I y) { return y == 0 ? 0 : s(u(x) % u(y)); },
                [](I x, I y) { return std::min(x, y); },
                [](I x, I y) { return s(std::max(u(x), u(y))); },
                [](I x, I y) { return x >> (u(y) & 31U); },
                [](I x, I y) { return s(u(x) >> (u(y) & 31U)); },
                [](I x, I y) { return s(u(x) << (u(y) & 31U)); },
                [](I x, I y) {
                    return std::popcount(u(x)) + std::countl_zero(u(y)) * 100 +
                           (x == 0 ? 0 : std::countr_zero(u(x)) + 1) * 10000;
                },
                [](I x, I) { return s(reverse(u(x))); },
                [](I x, I y) { return s(permute(u(x), u(y), 0x3175)); },
                [](I x, I y) { return s(permute(u(x), u(y), u(y))); },
                [](I x, I) { return s(x < 0 ? 0U - u(x) : u(x)); },
                [](I x, I y) { return s(u(y) << 13U | u(x) >> 19U); },
                [](I x, I y) {
                    const U n = u(y) & 31U;
                    return s(static_cast<U>((static_cast<UL>(u(y)) << 32U | u(x)) >> n));
                },
                [](I x, I y) { return (x & y) | (~x & (y ^ 0x55)); },
                [](I x, I y) { return s((x > y ? u(x) - u(y) : u(y) - u(x)) + 77U); },
                [](I x, I y) {
                    U sum = 5;
                    for (int i = 0; i < 4; ++i)
                        sum += u(static_cast<std::int8_t>(u(x) >> (8 * i)) * static_cast<std::int8_t>(u(y) >> (8 * i)));
                    return s(sum);
                },
                [](I x, I y) { return std::max(s(u(x) + u(y)), 3); },
                [](I x, I y) { return (x < y) + 2 * (u(x) < u(y)) + 4 * (x == y) + 8 * (x >= 0 && y < 7); }});
}

TEST_CASE("64-bit integer operations equal C++'s") {
    const std::vector<L> corners{0,
                                 1,
                                 -1,
                                 63,
                                 64,
                                 31,
                                 32,
                                 std::numeric_limits<L>::min(),
                                 std::numeric_limits<L>::max(),
                                 0xffffffffLL,
                                 0x100000000LL};
    const auto a = operands<L>(21, 960, corners);
    const auto b = operands<L>(22, 960, corners);
    const auto ul = [](L x) { return static_cast<UL>(x); };
    const auto sl = [](UL x) { return static_cast<L>(x); };
    compare<L>(
        a, b, run_pairs("long_operations", a, b, 15),
        {[=](L x, L y) { return sl(ul(x) + ul(y)); }, [=](L x, L y) { return sl(ul(x) - ul(y)); },
         [=](L x, L y) { return sl(ul(x) * ul(y)); },
         [=](L x, L y) { return static_cast<L>((static_cast<Wide>(x) * y) >> 64); },
         [=](L x, L y) { return sl(static_cast<UL>((static_cast<UnsignedWide>(ul(x)) * ul(y)) >> 64)); },
         [=](L x, L y) { return y == 0 || (x == std::numeric_limits<L>::min() && y == -1) ? 0 : x / y; },
         [=](L x, L y) { return y == 0 ? 0 : sl(ul(x) % ul(y)); }, [=](L x, L y) { return sl(ul(x) << (ul(y) & 63U)); },
         [=](L x, L y) { return x >> (ul(y) & 63U); }, [=](L x, L y) { return sl(ul(x) >> (ul(y) & 63U)); },
         [=](L x, L y) { return std::min(x, y); }, [=](L x, L y) { return sl(std::max(ul(x), ul(y))); },
         [=](L x, L y) { return static_cast<L>((x < y) + 2 * (ul(x) <= ul(y)) + 4 * (x == y) + 8 * (x >= y)); },
         [=](L x, L) { return L{std::popcount(ul(x))} + L{std::countl_zero(ul(x))} * 100; },
         [=](L x, L y) { return sl(ul(x) + ul(static_cast<L>(static_cast<I>(ul(y))) * 12)); }});
}

TEST_CASE("FP32 operations equal the host's, NaNs canonical, rounding as asked") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> corners{0.0F,
                                     -0.0F,
                                     1.0F,
                                     -1.0F,
                                     0.5F,
                                     1.5F,
                                     2.5F,
                                     infinity,
                                     -infinity,
                                     std::numeric_limits<float>::quiet_NaN(),
                                     std::numeric_limits<float>::denorm_min(),
                                     std::numeric_limits<float>::min(),
                                     std::numeric_limits<float>::max(),
                                     3.0e-39F};
    auto a = operands<float>(31, 1920, corners);
    auto b = operands<float>(32, 1920, corners);
    SplitMix64 random(33);
    for (std::size_t i = 0; i < a.size(); i += 2) {  // near one another, where rounding matters
        a[i] = static_cast<float>(static_cast<I>(random.next())) * 1.0e-6F;
        b[i] = static_cast<float>(static_cast<I>(random.next())) * 1.0e-6F;
    }
    const auto ordered_min = [](float x, float y) {
        if (std::isnan(x) || std::isnan(y)) return canonical(std::isnan(x) ? y : x);
        if (x == y) return std::signbit(x) ? x : y;
        return x < y ? x : y;
    };
    const auto ordered_max = [=](float x, float y) {
        if (std::isnan(x) || std::isnan(y)) return canonical(std::isnan(x) ? y : x);
        return -ordered_min(-x, -y);
    };
    compare<float>(a, b, run_pairs("float_operations", a, b, 20),
                   {[](float x, float y) { return canonical(x + y); },
                    [](float x, float y) { return canonical(x - y); },
                    [](float x, float y) { return canonical(x * y); },
                    [](float x, float y) { return canonical(std::fma(x, y, -x)); },
                    [](float x, float y) { return canonical(x / y); },
                    [](float x, float) { return canonical(std::sqrt(x)); },
                    [](float x, float) { return canonical(1.0F / x); },
                    ordered_min,
                    [=](float x, float y) { return ordered_max(x, -y); },
                    [](float x, float y) { return canonical(std::fabs(x) + -y); },
                    [](float x, float y) {
                        return rounded(FE_DOWNWARD, [&] {
                            volatile float p = x;
                            volatile float q = y;
                            return p + q;
                        });
                    },
                    [](float x, float y) {
                        return rounded(FE_UPWARD, [&] {
                            volatile float p = x;
                            volatile float q = y;
                            return p + q;
                        });
                    },
                    [](float x, float y) {
                        return rounded(FE_TOWARDZERO, [&] {
                            volatile float p = x;
                            volatile float q = y;
                            return p * q;
                        });
                    },
                    [](float x, float y) {
                        return rounded(FE_UPWARD, [&] {
                            volatile float p = x;
                            volatile float q = y;
                            volatile float r = std::fma(p, q, 1.0F);
                            return r;
                        });
                    },
                    [](float x, float) { return canonical(std::nearbyint(x)); },
                    [](float x, float) { return canonical(std::floor(x)); },
                    [](float, float y) { return canonical(std::ceil(y)); },
                    [](float, float y) { return canonical(std::trunc(y)); },
                    [](float x, float) { return std::isnan(x) || x <= 0 ? 0.0F : std::min(x, 1.0F); },
                    [](float x, float y) {
                        return static_cast<float>((x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * !(x < y) +
                                                  32 * (std::isnan(x) || x > 2.0F));
                    }});
}

TEST_CASE("FP64 operations equal the host's") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> corners{0.0,
                                      -0.0,
                                      1.0,
                                      -1.0,
                                      0.5,
                                      1.5,
                                      infinity,
                                      -infinity,
                                      std::numeric_limits<double>::denorm_min(),
                                      std::numeric_limits<double>::max(),
                                      3.0};
    auto a = operands<double>(41, 960, corners);
    auto b = operands<double>(42, 960, corners);
    for (auto* values : {&a, &b})
        for (double& value : *values)
            if (std::isnan(value)) value = 2.25;  // NaN payloads of FP64 are not modelled
    const auto nan_alike = [](double x) { return std::isnan(x) ? 12345.0 : x; };
    auto got = run_pairs("double_operations", a, b, 10);
    for (double& value : got) value = nan_alike(value);
    std::vector<std::function<double(double, double)>> operations{
        [](double x, double y) { return x + y; },
        [](double x, double y) { return x * y; },
        [](double x, double y) { return std::fma(x, y, -x); },
        [](double x, double y) { return x / y; },
        [](double x, double) { return std::sqrt(std::fabs(x)); },
        [](double x, double y) { return x == y ? (std::signbit(x) ? x : y) : std::min(x, y); },
        [](double x, double) { return std::floor(x); },
        [](double x, double y) {
            const int before = std::fegetround();
            std::fesetround(FE_UPWARD);
            volatile double p = x;
            volatile double q = y;
            volatile double sum = p + q;
            std::fesetround(before);
            const double result = sum;
            return result;
        },
        [](double x, double y) { return static_cast<double>((x < y) + 2 * (x <= y) + 4 * (x == y)); },
        [](double, double y) { return 1.0 / y; }};
    for (auto& operation : operations)
        operation = [operation, nan_alike](double x, double y) { return nan_alike(operation(x, y)); };
    compare<double>(a, b, got, operations);
}
