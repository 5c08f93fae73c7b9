// Bitonic merging in shared memory, without bank conflicts although strides below w are powers of two.
#pragma once

#include "elements.cuh"

/// Compares two elements in shared memory and puts the lesser first. With strides below w, the 32 first elements of a warp lie in half the
/// banks, and so do the 32 second ones. So the upper half of the warp takes the second one first.
template <class Order>
__device__ inline void compare_exchange_shared(typename Order::Element* first, typename Order::Element* second, bool second_first) {
    typename Order::Element* const one = second_first ? second : first;
    typename Order::Element* const other = second_first ? first : second;
    const typename Order::Element a = *one;
    const typename Order::Element b = *other;
    const bool swap = second_first ? Order::less(a, b) : Order::less(b, a);
    *one = swap ? b : a;
    *other = swap ? a : b;
}

/// Of pairs at distance `stride`, the first element of pair number `pair`.
__device__ inline unsigned first_of_pair(unsigned pair, unsigned stride) { return 2 * (pair & ~(stride - 1)) + (pair & (stride - 1)); }
