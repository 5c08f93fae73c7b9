// What is sorted: an order names the element, how two compare, and an element that no other comes behind (it pads short tiles and is never
// written back). Elements of 64 bits are one word, so that an element is one access.
#pragma once

/// 32-bit unsigned keys, ascending.
struct Keys32 {
    using Element = unsigned;
    static __device__ constexpr Element greatest() { return 0xffffffffU; }
    static __device__ bool less(Element a, Element b) { return a < b; }
};

/// 64-bit unsigned keys, ascending.
struct Keys64 {
    using Element = unsigned long long;
    static __device__ constexpr Element greatest() { return ~0ULL; }
    static __device__ bool less(Element a, Element b) { return a < b; }
};

/// A 32-bit key in the upper half, its 32-bit value in the lower; values do not take part in comparisons.
struct Pairs {
    using Element = unsigned long long;
    static __device__ constexpr Element greatest() { return ~0ULL; }
    static __device__ bool less(Element a, Element b) { return (a >> 32U) < (b >> 32U); }
};

/// The costlier comparator: fractions, numerator in the upper half, denominator (not 0) in the lower, compared exactly by cross
/// multiplication. The padding is 1/0.
struct Fractions {
    using Element = unsigned long long;
    static __device__ constexpr Element greatest() { return 1ULL << 32U; }
    static __device__ bool less(Element a, Element b) { return (a >> 32U) * (b & 0xffffffffU) < (b >> 32U) * (a & 0xffffffffU); }
};

/// Puts the lesser of two first; equal ones keep their places.
template <class Order>
__device__ inline void compare_exchange(typename Order::Element& a, typename Order::Element& b) {
    const bool swap = Order::less(b, a);
    const typename Order::Element first = swap ? b : a;
    b = swap ? a : b;
    a = first;
}
template <>
__device__ inline void compare_exchange<Keys32>(unsigned& a, unsigned& b) {
    const unsigned first = min(a, b);
    b = max(a, b);
    a = first;
}

/// The block's dynamic shared memory.
template <class T>
__device__ inline T* dynamic_shared() {
    extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];
    return reinterpret_cast<T*>(dynamic_shared_bytes);
}
