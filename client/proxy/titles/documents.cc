#include "proxy/titles/documents.hh"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "units/text/redacted_url.hh"
#include "worlds/channel_search.hh"

namespace tributary::proxy {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds{100};  // whether to stop

}  // namespace

class Documents::TakenConnections {
 public:
  TakenConnections(std::mutex& mutex, IdleConnections& idle) : mutex_{mutex}, idle_{idle} {
    const std::lock_guard lock{mutex_};
    if (idle_.empty()) idle_.push_back(std::make_shared<transport::KeptConnections>());
    connections_ = std::move(idle_.back());
    idle_.pop_back();
  }
  ~TakenConnections() {
    const std::lock_guard lock{mutex_};
    idle_.push_back(std::move(connections_));
  }
  TakenConnections(const TakenConnections&) = delete;
  const std::shared_ptr<transport::KeptConnections>& operator*() const { return connections_; }

 private:
  std::mutex& mutex_;
  IdleConnections& idle_;
  std::shared_ptr<transport::KeptConnections> connections_;
};

Documents::~Documents() {
  stopped_ = true;
  threads_.join();
}

void Documents::run(std::function<void()> work) { boost::asio::post(threads_, std::move(work)); }

std::vector<Documents::Fetched> Documents::get_all(const std::vector<WantedFile>& wanted,
                                                   const LinkWishes& wishes) const {
  std::vector<Fetched> fetched(wanted.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < wanted.size(); i = next++) fetched[i] = get(wanted[i], wishes);
  };
  std::vector<std::jthread> threads;
  while (threads.size() + 1 < std::min(kAtOnce, wanted.size())) threads.emplace_back(work);
  work();
  threads.clear();  // waits
  return fetched;
}

PresentationSearch Documents::search_for(const std::string& url, const LinkWishes& wishes,
                                         std::shared_ptr<transport::KeptConnections> kept) const {
  PresentationSearch search{url, wishes.links, wishes.rules};
  search.rules.kept = std::move(kept);
  search.use = free_links_first(wishes.use, wishes.terms);
  search.wait = [this](transport::CurlLoop& loop, std::optional<Duration> at_most) {
    if (stopped_) throw std::runtime_error{"the proxy ends"};
    loop.wait(std::min(at_most.value_or(kLookAgain), kLookAgain));
  };
  return search;
}

FoundManifest Documents::find(const std::string& url, const LinkWishes& wishes) const {
  const TakenConnections taken{mutex_, idle_};
  PresentationSearch search = search_for(url, wishes, *taken);
  return find_manifest(search);
}

FileLook Documents::look_at_file(const std::string& url, const LinkWishes& wishes) const try {
  const TakenConnections taken{mutex_, idle_};
  return tributary::look_at_file(search_for(url, wishes, *taken));
} catch (const NoLinkWorked&) {
  return {};
}

Documents::Fetched Documents::get(const WantedFile& wanted, const LinkWishes& wishes) const {
  const TakenConnections taken{mutex_, idle_};
  const PresentationSearch search = search_for(wanted.url, wishes, *taken);
  try {
    return {.file = std::move(fetch_files(search, {&wanted, 1}).front()), .status = 200, .why = ""};
  } catch (const NoLinkWorked& error) {
    return {.file = {}, .status = error.reason == FailureReason::kNotFound ? 404U : 502U, .why = error.what()};
  } catch (const std::exception& error) {
    return {.file = {}, .status = 502, .why = error.what()};
  }
}

}  // namespace tributary::proxy
