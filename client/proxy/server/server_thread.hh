#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <utility>

namespace tributary::proxy {

/// Carries calls of any thread into the server's. Outlives the server; then it drops them.
class ServerThread {
 public:
  explicit ServerThread(boost::asio::io_context& context) : context_{&context} {}

  template <typename Call>
  void post(Call call) {
    const std::lock_guard lock{mutex_};
    if (context_ != nullptr) boost::asio::post(*context_, std::move(call));
  }

  void end() {
    const std::lock_guard lock{mutex_};
    context_ = nullptr;
  }

 private:
  std::mutex mutex_;
  boost::asio::io_context* context_;
};

}  // namespace tributary::proxy
