#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/links/link_use.hh"
#include "proxy/held/held_answer.hh"
#include "transport/connections/link_rules.hh"
#include "units/data_rate.hh"

namespace tributary::proxy {

/// What is known of a link that may be asked.
struct HeldLink {
  std::optional<DataRate> rate{};
  std::optional<Duration> round_trip{};
  bool costs = false;  // media that grow do not come over it
};

/// Over which links held answers come.
struct HeldRules {
  std::vector<std::string> links{};  // empty: all that lead to the origin
  UseOfLink use =
      use_any_link;  // those that cost something when needed; called in the object's thread, as the next one
  std::function<HeldLink(const std::string& link)> known = [](const std::string& /*link*/) { return HeldLink{}; };
  transport::LinkRules rules{};
};

/// Brings answers that an origin holds back until they can be given, and files that it makes while it sends them: playlists
/// that are asked for ahead (_HLS_msn), parts that are announced (EXT-X-PRELOAD-HINT), segments that grow. Nobody knows how long
/// these are, so each comes in one answer over one link. All wait side by side, in one thread.
///
/// The link is the one that answers soonest, and for files the one with the most room. A link that brings nothing new for
/// longer than the origin may hold the answer is overdue: another one is asked for the rest, and whoever brings something
/// first goes on alone. Thread-safe.
class HeldAnswers {
 public:
  static constexpr std::size_t kMost = 64;  // at once; one more fails with 503

  explicit HeldAnswers(HeldRules rules);
  /// All that has not come fails.
  ~HeldAnswers();
  HeldAnswers(const HeldAnswers&) = delete;

  /// `held_for`: how long the origin may hold it. `done` is called once, in the object's thread, also if `left` says that nobody
  /// waits any more.
  void document(const std::string& url, Duration held_for, std::stop_token left,
                std::function<void(HeldDocument)> done);

  struct Wanted {
    std::string url;
    std::optional<DataSize> from{};  // the place where `file` begins; nothing: at the front
    Duration held_for{};             // until the first byte
    DataRate rate{};                 // at which it is made, about
    std::shared_ptr<IncomingFile> file;
    /// Only links that cost something are left. Called in the object's thread; null: the file fails.
    std::function<void()> otherwise{};
  };
  void file(std::uint64_t number, Wanted wanted);
  /// The file fails, if it has not come.
  void not_wanted(std::uint64_t number);

  /// Bytes of files by link.
  std::map<std::string, DataSize> carried() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary::proxy
