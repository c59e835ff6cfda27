#pragma once

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <utility>

namespace tributary {

/// A first-in, first-out queue that keeps its memory. A std::deque allocates and frees for every few elements, which is
/// a good part of a simulated packet's cost. References hold until an item is added.
template <typename T>
class Queue : private boost::circular_buffer<T> {
  using Base = boost::circular_buffer<T>;

 public:
  Queue() : Base{kInitialCapacity} {}

  using Base::back;
  using Base::begin;
  using Base::empty;
  using Base::end;
  using Base::front;
  using Base::pop_front;
  using Base::size;
  using Base::operator[];

  void push_back(T&& item) {
    if (Base::full()) Base::set_capacity(2 * Base::capacity());
    Base::push_back(std::move(item));
  }
  void push_back(const T& item) { push_back(T{item}); }
  /// Inserts the item in front of the one at `index`.
  void insert(std::size_t index, T item) {
    if (Base::full()) Base::set_capacity(2 * Base::capacity());
    Base::insert(begin() + static_cast<std::ptrdiff_t>(index), std::move(item));
  }

 private:
  static constexpr std::size_t kInitialCapacity = 64;
};

}  // namespace tributary
