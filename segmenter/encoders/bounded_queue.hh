#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace tributary::segmenter {

/// Hands items from one thread to another, in order. push() waits while the queue is full, pop() while it is empty.
/// Both give up when the stop token says so.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_{capacity} {}

  /// False if stopped; the item was not taken then.
  bool push(T item, const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait(lock, stop, [this] { return items_.size() < capacity_; }) || stop.stop_requested()) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  /// Nothing if stopped, or if the queue is closed and empty.
  std::optional<T> pop(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, stop, [this] { return closed_ || !items_.empty(); });
    if (stop.stop_requested() || items_.empty()) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  std::size_t size() const {
    const std::lock_guard lock{mutex_};
    return items_.size();
  }

  /// No item will follow.
  void close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    changed_.notify_all();
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace tributary::segmenter
