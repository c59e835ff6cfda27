#include "proxy/titles/documents.hh"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "units/redacted_url.hh"
#include "worlds/found_presentation.hh"

namespace tributary::proxy {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds{100};  // whether to stop

}  // namespace

Documents::~Documents() {
  stopped_ = true;
  threads_.join();
}

void Documents::fetch(const std::string& url, const LinkWishes& wishes, UseOfLink use,
                      std::function<void(Fetched)> done) {
  PresentationSearch search{url, wishes.links, wishes.rules.ca_file};
  search.public_only = wishes.rules.public_only;
  search.use = std::move(use);
  search.wait = [this](transport::CurlLoop& loop, std::optional<Duration> at_most) {
    if (stopped_) throw std::runtime_error{"the proxy ends"};
    loop.wait(std::min(at_most.value_or(kLookAgain), kLookAgain));
  };
  boost::asio::post(threads_, [search = std::move(search), done = std::move(done)] {
    try {
      const WantedFile wanted{search.url, std::nullopt};
      done({.file = std::move(fetch_files(search, {&wanted, 1}).front()), .status = 200, .why = ""});
    } catch (const NoLinkWorked& error) {
      done({.file = {}, .status = error.reason == FailureReason::kNotFound ? 404U : 502U, .why = error.what()});
    } catch (const std::exception& error) {
      done({.file = {}, .status = 502, .why = error.what()});
    }
  });
}

}  // namespace tributary::proxy
