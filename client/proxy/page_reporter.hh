#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tributary::proxy {

/// Sends the status to all pages that are open: at once to a new one, then once a second, and when something changes. In a
/// thread of its own.
class PageReporter {
 public:
  /// `status`: of this moment, as text without line ends. Called in that thread, while there is a page.
  explicit PageReporter(std::function<std::string()> status);
  ~PageReporter();
  PageReporter(const PageReporter&) = delete;

  /// Sends a piece to a page; false: the page is gone.
  using Send = std::function<bool(std::string piece)>;
  void add(Send send);
  void look_now();

 private:
  void run(const std::stop_token& stop);

  const std::function<std::string()> status_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Send> new_;
  bool look_now_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace tributary::proxy
