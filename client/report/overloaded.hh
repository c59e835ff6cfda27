#pragma once

namespace tributary {

/// One visitor out of a handler for each alternative of a std::variant.
template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace tributary
