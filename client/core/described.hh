#pragma once

#include <string_view>
#include <tuple>

namespace tributary {

/// A member of a struct with the name it has in traces.
template <typename Struct, typename Member>
struct Field {
  std::string_view name;
  Member Struct::*member;
  bool later = false;
};

template <typename Struct, typename Member>
constexpr Field<Struct, Member> field(std::string_view name, Member Struct::*member) {
  return {name, member};
}

/// The same for a member that is younger than the first traces. It is written only where it differs from its default,
/// and a trace need not have it.
template <typename Struct, typename Member>
constexpr Field<Struct, Member> later_field(std::string_view name, Member Struct::*member) {
  return {name, member, true};
}

// Events, actions and options describe themselves: kName, and fields() as a tuple of Field. One description
// serves writing, reading and comparing.

}  // namespace tributary
