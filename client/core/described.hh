#pragma once

#include <string_view>
#include <tuple>

namespace tributary {

/// A member of a struct with the name it has in traces.
template <typename Struct, typename Member>
struct Field {
  std::string_view name;
  Member Struct::*member;
};

template <typename Struct, typename Member>
constexpr Field<Struct, Member> field(std::string_view name, Member Struct::*member) {
  return {name, member};
}

// Events, actions and options describe themselves: kName, and fields() as a tuple of Field. One description
// serves writing, reading and comparing.

}  // namespace tributary
