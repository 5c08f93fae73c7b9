// From a row of a table of policies (sim/platform/policies.hpp) to the policy itself. Whoever runs one visits the
// variant once for much work, so that nothing is looked up an instruction or a request.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/platform/policies.hpp"

namespace sassafras::sim {

template <class Table>
struct PolicyVariants;

template <class... Rows>
struct PolicyVariants<PolicyTable<Rows...>> {
    using One = std::variant<typename Rows::Type...>;
    using Several = std::variant<std::vector<typename Rows::Type>...>;
    using Choice = typename PolicyTable<Rows...>::Choice;

    template <class... Arguments>
    static One make(Choice chosen, const Arguments&... arguments) {
        using Maker = One (*)(const Arguments&...);
        static constexpr std::array<Maker, sizeof...(Rows)> makers{
            [](const Arguments&... with) -> One { return typename Rows::Type(with...); }...};
        return makers.at(static_cast<std::size_t>(chosen))(arguments...);
    }

    template <class... Arguments>
    static Several make_several(Choice chosen, std::size_t count, const Arguments&... arguments) {
        using Maker = Several (*)(std::size_t, const Arguments&...);
        static constexpr std::array<Maker, sizeof...(Rows)> makers{
            [](std::size_t many, const Arguments&... with) -> Several {
                return std::vector<typename Rows::Type>(many, typename Rows::Type(with...));
            }...};
        return makers.at(static_cast<std::size_t>(chosen))(count, arguments...);
    }

    /// Calls `visit.template operator()<Policy>(choice, name)` for every row.
    template <class Visit>
    static void for_each(Visit&& visit) {
        std::size_t row = 0;
        (visit.template operator()<typename Rows::Type>(Choice{static_cast<std::uint8_t>(row++)}, Rows::name), ...);
    }
};

template <class Table>
using PolicyOf = typename PolicyVariants<Table>::One;
template <class Table>
using PoliciesOf = typename PolicyVariants<Table>::Several;

template <class Table, class... Arguments>
PolicyOf<Table> make_policy(typename Table::Choice chosen, const Arguments&... arguments) {
    return PolicyVariants<Table>::make(chosen, arguments...);
}
/// `count` of them, alike.
template <class Table, class... Arguments>
PoliciesOf<Table> make_policies(typename Table::Choice chosen, std::size_t count, const Arguments&... arguments) {
    return PolicyVariants<Table>::make_several(chosen, count, arguments...);
}
template <class Table, class Visit>
void for_each_policy(Visit&& visit) {
    PolicyVariants<Table>::for_each(visit);
}

}  // namespace sassafras::sim
