#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accounts/link_budget.hh"
#include "accounts/link_terms.hh"
#include "core/links/link_use.hh"
#include "memory/link_memory.hh"
#include "playback/status/stream_status.hh"
#include "proxy/files/incoming_file.hh"
#include "proxy/held/held_answers.hh"
#include "proxy/titles/own_cmcd.hh"
#include "proxy/titles/spend_for.hh"
#include "proxy/titles/waits.hh"
#include "transport/connections/link_rules.hh"
#include "units/byte_range.hh"
#include "units/session_clock.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary::proxy {

/// Which links bring the files of a title, and on which terms.
struct LinkWishes {
  std::vector<std::string> links{};      // empty: all that lead to the origin
  TermsOfLink terms = terms_from({});    // costs; called from any thread
  UseOfLink use = use_any_link;          // as the user wants it; called from any thread
  std::shared_ptr<LinkBudget> budget{};  // counts the bytes of links that cost something; null: they are not counted
  std::shared_ptr<LinkMemory> memory{};  // measurements of earlier sessions; null: none
  transport::LinkRules rules{};          // of connections; the link is set for each
  std::uint32_t duplicates_percent = 5;  // SessionOptions::duplicates_percent
  std::uint32_t connections = 0;         // SessionOptions::connections
  SpendFor spend_for{};
  bool refuses_large_ranges = false;                                                       // the origin does
  std::function<void(const std::string& what)> tell = [](const std::string& /*what*/) {};  // from any thread
};

/// Files of which one is brought for a segment: the session chooses when it begins. Thread-safe.
class Renditions {
 public:
  struct File {
    std::string url;
    std::optional<ByteRange> range;
    DataSize estimate;
  };
  /// `files`: of the same media, the lowest quality first; at least one. `in_hand`: how long the player can play without.
  Renditions(std::vector<File> files, Duration in_hand) : files_{std::move(files)}, in_hand_{in_hand} {}

  const std::vector<File>& files() const { return files_; }
  Duration in_hand() const { return in_hand_; }
  /// Nothing: the session has not begun with it.
  const File* chosen() const { return chosen_.load(); }
  void choose(const File& file) { chosen_ = &file; }
  /// The one that stands for a quality of a session that has `qualities` of them.
  const File& of_quality(std::size_t quality, std::size_t qualities) const {
    return files_[qualities < 2 ? files_.size() - 1 : quality * (files_.size() - 1) / (qualities - 1)];
  }

 private:
  const std::vector<File> files_;
  const Duration in_hand_;
  std::atomic<const File*> chosen_ = nullptr;  // one of files_
};

/// Where a segment is among those of its rendition: players need them in this order, even if they ask for several at once.
struct PlayoutPlace {
  std::string rendition{};  // empty: the file is no segment
  std::uint64_t number = 0;

  bool is_behind(const PlayoutPlace& other) const {
    return !rendition.empty() && rendition == other.rendition && number > other.number;
  }
};

/// A file, or a range of one, that a player wants, or will want.
struct WantedMedia {
  std::string url;                      // absolute
  std::optional<ByteRange> range = {};  // of the file; its size is exact then
  DataSize estimate{200'000};           // of the size, where it is not known
  /// Of a file whose size is not known: about so much of its front, if it is longer (IncomingFile::is_front_of). An origin that
  /// knows no ranges brings all of it.
  std::optional<DataSize> at_most{};
  Duration duration = std::chrono::seconds{2};
  PlayoutPlace place{};
  std::optional<Duration> due_in;            // nothing: nobody waits for it
  std::optional<Duration> player_lasts{};    // until the player stands still without it; nothing: not known
  std::shared_ptr<Renditions> renditions{};  // one of them is brought for it; null: the file itself
  std::optional<OwnCmcd> cmcd{};             // the origin is told; nothing: it is told nothing
  /// The origin may hold it so long, or sends it while it makes it: it comes in one answer. Of a range only the begin counts then.
  /// Nothing: it is there.
  std::optional<Duration> held_for{};
};

/// Brings files over all links when a player wants them: one session of the core (StreamingMode::kDemanded) in a thread
/// of its own. Files that are due earlier come first. A session that can bring nothing any more ends, and fails its
/// files; the next file begins another one. Every call returns at once, and may come from any thread.
class DemandedFiles {
 public:
  /// `home`: the address of the title's manifest, whose origin has most of the files.
  DemandedFiles(std::string home, LinkWishes wishes);
  /// Files that are on their way fail.
  ~DemandedFiles();
  DemandedFiles(const DemandedFiles&) = delete;

  /// Files will be wanted soon: connects over all links that cost nothing, unless a session has done so.
  void expect();
  struct Demanded {
    std::uint64_t number = 0;
    std::shared_ptr<IncomingFile> file;
  };
  Demanded want(WantedMedia wanted);
  /// The file is wanted at another time than was told before.
  void due(std::uint64_t number, std::optional<Duration> in, std::optional<Duration> player_lasts = std::nullopt);
  void not_wanted(std::uint64_t number);
  void use_link(const std::string& name, LinkUse use);
  /// Bitrates of the qualities that Renditions have, the lowest first, and which of them is spent for (SpendFor::rung). Counts
  /// for the next session; before it is told, nothing is chosen, and of renditions the highest is brought.
  void lead(std::vector<DataRate> bitrates, std::optional<std::size_t> spent_for);

  /// What the origin holds, or makes while it sends it.
  HeldAnswers& held();

  /// Bytes of media by link, over all sessions.
  std::map<std::string, DataSize> carried() const;
  /// Of the links, and what they carry. Its playout says nothing: the player is somebody else's.
  StreamStatus status() const;
  std::vector<Wait> waits() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary::proxy
