#pragma once

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "manifests/manifest_files.hh"
#include "proxy/titles/demanded_files.hh"
#include "transport/connections/kept_connections.hh"
#include "worlds/file_look.hh"
#include "worlds/found_presentation.hh"

namespace tributary::proxy {

/// Fetches manifests and playlists, each over the first link that can (first_link.hh), those that cost nothing first, some
/// at once, in threads of its own. Keeps connections: a player that changes quality waits for its playlist.
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
  /// Waits for the answer. To be called in threads of the object: by what run() was given.
  Fetched get(const WantedFile& wanted, const LinkWishes& wishes) const;
  Fetched get(const std::string& url, const LinkWishes& wishes) const { return get(WantedFile{url, {}}, wishes); }
  /// The manifest at an address, or in the folder there. Throws what find_manifest() throws.
  FoundManifest find(const std::string& url, const LinkWishes& wishes) const;
  /// The same of several, at the same time.
  std::vector<Fetched> get_all(const std::vector<WantedFile>& wanted, const LinkWishes& wishes) const;
  /// At a title that is one file. Nothing is known of a file that cannot be had now.
  FileLook look_at_file(const std::string& url, const LinkWishes& wishes) const;
  /// Calls it in one of the threads.
  void run(std::function<void()> work);

 private:
  static constexpr std::size_t kAtOnce = 8;
  /// Connections for one search at a time. Those that were used last are taken first.
  class TakenConnections;
  using IdleConnections = std::vector<std::shared_ptr<transport::KeptConnections>>;

  PresentationSearch search_for(const std::string& url, const LinkWishes& wishes,
                                std::shared_ptr<transport::KeptConnections> kept) const;

  mutable std::mutex mutex_;
  mutable IdleConnections idle_;
  std::atomic<bool> stopped_ = false;
  boost::asio::thread_pool threads_{kAtOnce};
};

}  // namespace tributary::proxy
