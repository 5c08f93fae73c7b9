// Finds the tables of MUFU from its outputs: for each segment all pairs of slope and curvature, and the interval of the
// constant, with which constant + slope * place + curvature * square(place), cut off, gives every recorded output.
//   recover FOLDER      (what pack.py packed, unpacked: *.d8 and *.e32 as host.cu wrote them)
// Prints for each function how many solutions its segments have, and the tables. Build: g++ -std=c++20 -O3
// -march=native
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t unbounded = std::int64_t{1} << 60;

/// The value before it is cut off lies in [least[place], above[place]).
struct Segment {
    std::vector<std::int64_t> least;
    std::vector<std::int64_t> above;
    void add(std::int64_t first, std::int64_t last) {
        least.push_back(first);
        above.push_back(last);
    }
};

struct Solution {
    std::int64_t slope;
    std::int64_t curvature;
    std::int64_t least_constant;
    std::int64_t above_constant;
};

std::string folder;
std::vector<std::int64_t> square(1U << 17U);  ///< of a place of 17 bits

template <class T>
std::vector<T> read(const std::string& name) {
    std::ifstream file(folder + "/" + name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
    return values;
}

/// The 2^23 outputs of a binade.
std::vector<std::uint32_t> outputs(const std::string& name) {
    const auto differences = read<std::int8_t>(name + ".d8");
    const auto wide = read<std::int32_t>(name + ".e32");
    if (differences.size() != 1U << 23U) {
        std::fprintf(stderr, "%s: not there\n", name.c_str());
        std::exit(1);
    }
    std::vector<std::uint32_t> words;
    std::uint32_t word = 0;
    auto next_wide = wide.begin();
    for (const std::int8_t difference : differences)
        words.push_back(word += static_cast<std::uint32_t>(difference == -128 ? *next_wide++ : difference));
    return words;
}

/// All solutions near the parabola through three outputs; slopes and curvatures are multiples of the steps.
std::vector<Solution> solve(const Segment& segment, int slope_step, int curvature_step) {
    const int places = static_cast<int>(segment.least.size());
    const int stride = 131072 / places;  // RCP's segments have 16 bits
    const auto middle = [&](int place) { return static_cast<double>(segment.least[place] + segment.above[place]) / 2; };
    const int half = places / 2;
    const double begin = 2 * middle(1) - middle(2);
    const double bend =
        ((middle(places - 1) - middle(half)) / (places - 1 - half) - (middle(half) - begin) / half) / (places - 1);
    const double slope = ((middle(half) - begin) / half - bend * half) / stride;
    const double curvature = bend * places * places / static_cast<double>(square[square.size() - 1]);
    std::vector<Solution> found;
    for (int i = -60; i <= 60; ++i)
        for (int j = -40; j <= 40; ++j) {
            Solution s{(static_cast<std::int64_t>(std::floor(slope / slope_step)) + j) * slope_step,
                       (static_cast<std::int64_t>(std::floor(curvature / curvature_step)) + i) * curvature_step,
                       -unbounded, unbounded};
            const auto narrow = [&](int place) {
                const std::int64_t rest =
                    s.slope * place * stride + s.curvature * square[static_cast<std::size_t>(place * stride)];
                s.least_constant = std::max(s.least_constant, segment.least[place] - rest);
                s.above_constant = std::min(s.above_constant, segment.above[place] - rest);
                return s.least_constant < s.above_constant;
            };
            bool holds = true;
            for (int place = 255; place < places && holds; place += 256) holds = narrow(place);
            for (int place = 0; place < places && holds; ++place) holds = narrow(place);
            if (holds) found.push_back(s);
        }
    return found;
}

/// Solves all segments, finds the rounding constant (below 2^shift) they share, and prints the table.
void table(const char* name, const std::vector<Segment>& segments, unsigned shift, int slope_step = 1,
           int curvature_step = 1) {
    const std::int64_t unit = std::int64_t{1} << shift;
    std::vector<Solution> solutions;
    std::vector<std::size_t> fits(static_cast<std::size_t>(unit));
    std::size_t unique = 0;
    for (const Segment& segment : segments) {
        const auto found = solve(segment, slope_step, curvature_step);
        if (found.size() != 1) continue;
        ++unique;
        const Solution& s = found.front();
        solutions.push_back(s);
        for (std::int64_t c = s.least_constant; c < std::min(s.above_constant, s.least_constant + unit); ++c)
            ++fits[static_cast<std::size_t>(c & (unit - 1))];
    }
    const auto shared = std::find(fits.begin(), fits.end(), segments.size());
    std::printf("%s: %zu of %zu segments have exactly one slope and curvature; ", name, unique, segments.size());
    if (shared == fits.end()) {
        std::printf("no rounding constant fits all\n");
        return;
    }
    const std::int64_t rounding = shared - fits.begin();
    std::printf("%td rounding constants below 2^%u fit all, least 0x%llx\n",
                std::count(fits.begin(), fits.end(), segments.size()), shift, static_cast<long long>(rounding));
    for (const Solution& s : solutions) {
        const std::int64_t constant = (s.least_constant - rounding + unit - 1) >> shift;
        std::printf("0x%07llx %lld %lld\n", static_cast<long long>(constant), static_cast<long long>(s.slope),
                    static_cast<long long>(s.curvature));
    }
}

/// What an output allows: its 24 bits are the value's first, the rest was cut off. `scale` + 23 places belong to
/// exponent `base`.
void add_output(Segment& segment, std::uint32_t output, int base, int scale) {
    const auto significand = static_cast<std::int64_t>((output & 0x7f'ffffU) | 0x80'0000U);
    const int shift = scale + static_cast<int>(output >> 23U & 255U) - base;
    if (shift >= 0)
        segment.add(significand << shift, (significand + 1) << shift);
    else
        segment.add(significand >> -shift, (significand >> -shift) + 1);
}

/// Binades one after the other in segments of 2^bits inputs; the lowest `ignored` bits of an input do nothing.
std::vector<Segment> split(const std::vector<std::uint32_t>& words, unsigned bits, int base, int scale,
                           unsigned ignored = 0) {
    std::vector<Segment> segments(words.size() >> bits);
    for (std::size_t i = 0; i < words.size(); i += std::size_t{1} << ignored)
        add_output(segments[i >> bits], words[i], base, scale);
    return segments;
}

std::vector<std::uint32_t> joined(std::vector<std::uint32_t> first, const std::vector<std::uint32_t>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

void sine() {  // the quadrant from 1/4 to 1/2 turn: cosine goes up the table, sine down
    const auto up = outputs("003_cos_3e800000");
    const auto down = outputs("003_sin_3e800000");
    std::vector<Segment> segments(64);
    for (std::uint32_t i = 0; i < 1U << 23U; ++i) {
        Segment both;
        for (const std::uint32_t word : {up[i] & 0x7fff'ffffU, down[~i & 0x7f'ffffU] & 0x7fff'ffffU})
            if (word == 0)
                both.add(0, 1);
            else
                add_output(both, word, 127, 14);
        segments[i >> 17U].add(std::max(both.least[0], both.least[1]), std::min(both.above[0], both.above[1]));
    }
    table("sine", segments, 11);
}

void logarithm() {  // [1, 2) and, where results are near 0 at the other end, [1/2, 1) and [1/4, 1/2); 36 places are
                    // kept
    const std::vector<std::uint32_t> binades[] = {outputs("002_lg2_3f800000"), outputs("002_lg2_3f000000"),
                                                  outputs("003_lg2_3e800000")};
    std::vector<Segment> segments(64);
    for (std::uint32_t i = 0; i < 1U << 23U; ++i) {
        std::int64_t least = -unbounded;
        std::int64_t above = unbounded;
        for (int below = 0; below < 3 && i != 0; ++below) {
            const std::uint32_t word = binades[below][i];
            const auto significand = static_cast<std::int64_t>((word & 0x7f'ffffU) | 0x80'0000U);
            const int shift = static_cast<int>(word >> 23U & 255U) - 127 + 13;
            std::int64_t first = shift >= 0 ? significand << shift : significand >> -shift;
            std::int64_t last = shift >= 0 ? (significand + 1) << shift : first + 1;
            if (word >> 31U != 0) {  // complemented
                std::swap(first, last);
                first = -first;
                last = -last;
            }
            const std::int64_t whole = static_cast<std::int64_t>(below) << 36U;
            least = std::max(least, (first + whole) * 4);
            above = std::min(above, (last + whole) * 4);
        }
        segments[i >> 17U].add(least, above);
    }
    table("logarithm", segments, 12, 1, 2);
}

void tangent() {
    struct Binade {
        const char* name;
        unsigned segment_bits;
        int base;
    };
    constexpr Binade binades[] = {
        {"004_tanh_3b800000", 23, 118}, {"004_tanh_3c000000", 23, 119}, {"004_tanh_3c800000", 23, 120},
        {"004_tanh_3d000000", 22, 121}, {"004_tanh_3d800000", 22, 122}, {"004_tanh_3e000000", 21, 123},
        {"004_tanh_3e800000", 21, 124}, {"002_tanh_3f000000", 21, 125}, {"002_tanh_3f800000", 20, 126},
        {"004_tanh_40000000", 19, 126}, {"004_tanh_40800000", 20, 126}};
    for (const Binade& b : binades)
        table(b.name, split(outputs(b.name), b.segment_bits, b.base, 16, b.segment_bits - 17), 16,
              b.base == 126 ? 2 : 16, b.base == 126 ? 4 : 32);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: recover FOLDER\n");
        return 2;
    }
    folder = arguments[1];
    for (std::uint32_t place = 0; place < square.size(); ++place) {
        std::uint32_t sum = 0;
        for (unsigned bit = 0; bit < 17; ++bit) sum += (place >> bit & 1U) != 0 ? place >> (18 - bit) : 0;
        square[place] = sum / 2;
    }
    table("reciprocal", split(outputs("002_rcp_3f800000"), 16, 126, 16), 14, 1, 2);
    auto roots = split(joined(outputs("002_rsq_3f800000"), outputs("002_rsq_40000000")), 17, 126, 16);
    roots[0].least[0] = -unbounded;  // 1 / sqrt(1) is not looked up
    roots[0].above[0] = unbounded;
    table("reciprocal root", roots, 14);
    table("root", split(joined(outputs("002_sqrt_3f800000"), outputs("002_sqrt_40000000")), 17, 127, 17), 15, 1, 2);
    table("exponential", split(outputs("002_ex2_3f800000"), 17, 128, 15), 13);
    logarithm();
    sine();
    tangent();
}
