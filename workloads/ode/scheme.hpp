// The kinetic scheme: states, and the transitions between them. Shared by the kernels (nvcc, C++17) and the CPU
// reference.
#pragma once

namespace sassafras::workloads::ode {

constexpr int states = 16;
constexpr int parameters = 9;
constexpr int transitions = 19;

/// States: R0-R4 (closed, by bound glutamate), D0-D4 (desensitised), O2-O4 (open), E2-E4 (desensitised further).
/// Transition t takes forward_factor[t] theta[forward_parameter[t]] y[from[t]] from `from` to `to`, and the like back.
/// Parameters: 0 binding, 1 unbinding (R), 2 opening, 3 closing, 4 desensitisation, 5 recovery, 6 the further one, 7
/// recovery from it, 8 unbinding (D).
struct Scheme {
    int from[transitions];
    int to[transitions];
    double forward_factor[transitions];
    int forward_parameter[transitions];
    double backward_factor[transitions];
    int backward_parameter[transitions];
};

constexpr Scheme scheme{// R binding  | D binding  | R-D            | R-O       | D-E
                        {0, 1, 2, 3, 5, 6, 7, 8, 0, 1, 2, 3, 4, 2, 3, 4, 7, 8, 9},
                        {1, 2, 3, 4, 6, 7, 8, 9, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                        {4, 3, 2, 1, 4, 3, 2, 1, 1, 1, 2, 3, 4, 2, 3, 4, 1, 1, 1},
                        {0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 2, 2, 2, 6, 6, 6},
                        {1, 2, 3, 4, 1, 2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                        {1, 1, 1, 1, 8, 8, 8, 8, 5, 5, 5, 5, 5, 3, 3, 3, 7, 7, 7}};

}  // namespace sassafras::workloads::ode
