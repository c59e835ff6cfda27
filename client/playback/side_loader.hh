#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "manifests/from_hls/side_list.hh"
#include "manifests/from_hls/side_playlist.hh"
#include "playback/status/stream_status.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "units/data_size.hh"

namespace tributary {

/// What a file is for those who show it.
struct SideContent {
  virtual ~SideContent() = default;
};

/// The links that texts and thumbnails may be fetched over, in the order in which they are tried: those that cost nothing
/// first. Links that the user does not want, that are down or have brought all that they may are not among them. Nothing:
/// none may be used. An empty name: no link is known, and the routing table chooses.
std::vector<std::string> links_for_side_files(const std::vector<LinkStatus>& links);

/// Fetches files beside the segments of a title when they are wanted, one after the other, each over the first link that
/// can, in a thread of its own. Keeps those that are nearest to where files are wanted. What cannot be had is asked for
/// again after a pause, which doubles. A live playlist is fetched again when it has probably grown, as long as files are
/// wanted. Calls may come from any thread; times are those of the files' starts.
class SideLoader {
 public:
  struct Source {
    SideFiles files;
    std::string base;              // address of the manifest, where a file's is relative
    transport::LinkRules rules{};  // of the title
    DataSize largest{16'000'000};  // of one file; what is larger is refused
    std::size_t kept = 64;         // files
  };
  /// Makes something of a file's bytes, and of its init segment's. Called in the loader's thread; throws
  /// std::runtime_error for bytes that are of no use.
  using Read = std::function<std::shared_ptr<const SideContent>(const std::string& bytes, const std::string& init)>;
  /// Called in the loader's thread: something new is kept, or the text of the first error since something was. A live
  /// file may not be there yet: its first failure is not told.
  struct News {
    std::function<void()> loaded;
    std::function<void(const std::string& error)> failed;
  };

  SideLoader(Source source, Read read, News news);
  ~SideLoader();  // no news after it
  SideLoader(const SideLoader&) = delete;
  SideLoader& operator=(const SideLoader&) = delete;

  /// A file between `begin` and `end`, or a newer playlist, is missing, and will not come by itself.
  bool lacks(Duration begin, Duration end) const;
  /// From now on the files between `begin` and `end` are wanted, the first ones first, and no others.
  void want(Duration begin, Duration end, std::vector<std::string> links);

  struct Held {
    SideFile file;
    SideStretch stretch;
    std::shared_ptr<const SideContent> content;
  };
  /// The files that are here, of those between `begin` and `end`, by their starts.
  std::vector<Held> held(Duration begin, Duration end) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Failure {
    Clock::time_point again;
    Duration pause;
  };
  struct Kept {
    std::shared_ptr<const SideContent> content;
    Duration start;  // of the file
  };
  static constexpr std::size_t kPlaylist = static_cast<std::size_t>(-1);  // in place of the number of a file

  std::vector<std::size_t> missing(Duration begin, Duration end) const;
  bool is_missing(std::size_t file) const;
  bool fails(std::size_t file);
  void run();
  void work(std::size_t file);
  void load(std::size_t file);
  void load_playlist();
  FetchedFile fetch(const Resource& resource, std::size_t file);
  FetchedFile fetch_over_links(const Resource& resource, std::size_t file);
  std::string init_of(const SideStretch& stretch, std::size_t file);
  bool wanted(std::size_t file) const;
  void forget_some();

  const Source source_;
  const Read read_;
  const News news_;
  transport::CurlLoop loop_;
  std::map<std::string, std::string> inits_;  // by address and range; of the thread
  SidePlaylist playlist_;                     // of the thread
  bool told_ = false;                         // an error, since something was loaded; of the thread
  const std::shared_ptr<SideList> files_;

  mutable std::mutex mutex_;
  std::optional<Clock::time_point> playlist_due_;  // nothing: no playlist, or none that changes
  std::vector<std::size_t> queue_;                 // one of them may be on its way
  std::vector<std::string> links_;
  Duration around_{};  // where files were wanted last
  std::map<std::size_t, Kept> held_;
  std::map<std::size_t, Failure> failed_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace tributary
