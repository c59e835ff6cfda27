#pragma once

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <utility>

namespace tributary {

/// First in, first out, in memory that grows and is kept: a std::deque allocates and frees for every few elements, which is
/// a good part of what a simulated packet costs. References hold until something is added.
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
  /// In front of the item of this index.
  void insert(std::size_t index, T item) {
    if (Base::full()) Base::set_capacity(2 * Base::capacity());
    Base::insert(begin() + static_cast<std::ptrdiff_t>(index), std::move(item));
  }

 private:
  static constexpr std::size_t kInitialCapacity = 64;
};

}  // namespace tributary
