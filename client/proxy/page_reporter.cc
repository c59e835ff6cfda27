#include "proxy/page_reporter.hh"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace tributary::proxy {
namespace {

constexpr auto kEvery = std::chrono::seconds{1};

}  // namespace

PageReporter::PageReporter(std::function<std::string()> status)
    : status_{std::move(status)}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

PageReporter::~PageReporter() {
  thread_.request_stop();
  look_now();
}

void PageReporter::add(Send send) {
  {
    const std::lock_guard lock{mutex_};
    new_.push_back(std::move(send));
  }
  changed_.notify_all();
}

void PageReporter::look_now() {
  {
    const std::lock_guard lock{mutex_};
    look_now_ = true;
  }
  changed_.notify_all();
}

void PageReporter::run(const std::stop_token& stop) {
  std::vector<Send> pages;
  while (true) {
    {
      std::unique_lock lock{mutex_};
      const auto news = [&] { return !new_.empty() || look_now_ || stop.stop_requested(); };
      if (pages.empty())
        changed_.wait(lock, news);
      else
        changed_.wait_for(lock, kEvery, news);
      look_now_ = false;
      for (Send& page : std::exchange(new_, {})) pages.push_back(std::move(page));
    }
    if (stop.stop_requested()) return;
    if (pages.empty()) continue;
    const std::string piece = fmt::format("event: status\ndata: {}\n\n", status_());
    std::erase_if(pages, [&](const Send& send) { return !send(piece); });
  }
}

}  // namespace tributary::proxy
