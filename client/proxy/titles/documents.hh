#pragma once

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <optional>
#include <string>

#include "manifests/manifest_files.hh"
#include "proxy/titles/demanded_files.hh"

namespace tributary::proxy {

/// Fetches manifests and playlists, each over the first link that can (first_link.hh), some at once, in threads of its
/// own.
class Documents {
 public:
  Documents() = default;
  /// Gives up what is being fetched, and tells so.
  ~Documents();
  Documents(const Documents&) = delete;

  struct Fetched {
    std::optional<FetchedFile> file;
    unsigned status = 200;  // of HTTP, for the player
    std::string why;        // it could not be fetched
  };
  /// `done` is called once, in a thread of the object. `use`: of links, at that time.
  void fetch(const std::string& url, const LinkWishes& wishes, UseOfLink use, std::function<void(Fetched)> done);

 private:
  static constexpr std::size_t kAtOnce = 8;

  std::atomic<bool> stopped_ = false;
  boost::asio::thread_pool threads_{kAtOnce};
};

}  // namespace tributary::proxy
