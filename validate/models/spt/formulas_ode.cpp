// RK4 of the kinetic scheme (workloads/ode), which the thesis does not treat, counted from what the source says.
#include <algorithm>
#include <utility>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/own_method.hpp"
#include "workloads/ode/scheme.hpp"

namespace sassafras::validate::spt {

Algorithm kinetic_scheme(const Instance& instance, const KineticScheme& ode) {
    using namespace workloads::ode;
    const double each = ode.chromosomes / instance.cores;
    constexpr double evaluations = 4;  // of the derivatives, a step
    const double taken = ode.steps * evaluations * transitions;
    constexpr double rates = 2;  // of a transition, forward and back

    Kernel kernel{"ode", 1, bounded(instance, each), {}};
    // A warp's words of one rate constant, or of one result: 9 or 16 words apart they lie in as many blocks of w.
    const double apart = ode.transposed ? 1 : parameters;
    const double results_apart = ode.transposed ? 1 : states;
    kernel.operations.push_back({"g", "rate constants", each * apart * (ode.staged ? parameters : rates * taken),
                                 ode.staged ? parameters : rates});
    kernel.operations.push_back({"g", "result", each * results_apart * states, states});
    if (ode.staged) {
        kernel.oversubscription =
            bounded(instance, std::min(each, instance.shared_words / (parameters * instance.cores)));
        // Once the arrays are registers, so is what a thread has staged itself.
        kernel.operations.push_back(
            {"s", "rate constants", each * (parameters + (ode.in_registers ? 0 : rates * taken)), rates});
    }
    if (!ode.in_registers) {
        constexpr double of_transition = 6;                       // y of both states; dydx of both, read and written
        constexpr double of_state = evaluations + 3 + 3 + 5 + 5;  // dydx set to zero; the four combinations
        constexpr double of_run = 2;                              // y at the start, and read for the result
        kernel.operations.push_back(
            {"s", "local memory", each * (taken * of_transition + ode.steps * of_state * states + of_run * states), 1});
    }
    // A transition: y times the rate back, a multiply-add, two additions; the two products of factor and rate constant
    // come each time, or once where they stay in registers. A state of a step: 1, 1, 2 and 3.
    constexpr double of_transition = 4;
    constexpr double of_state = 7;
    const double products = rates * (ode.in_registers ? transitions : taken);
    kernel.operations.push_back(
        {"r", "", each * (taken * of_transition + products + ode.steps * of_state * states), 1});
    return {"ode",
            {std::move(kernel)},
            {ours,
             "local memory counts as shared (5.3.2); operations in double count as any, conversions and indices "
             "not at all; caches are not modelled"}};
}

}  // namespace sassafras::validate::spt
