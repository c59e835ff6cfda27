#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/playout/playout_state.hh"
#include "core/session_options.hh"
#include "playback/media_segment.hh"
#include "playback/stream_status.hh"
#include "presentation/presentation.hh"
#include "transport/connections/link_rules.hh"
#include "worlds/accounts/link_budget.hh"
#include "worlds/accounts/link_terms.hh"
#include "worlds/discovery/first_link.hh"
#include "worlds/memory/link_memory.hh"

namespace tributary {

/// What is known once the index has been read.
struct StreamInfo {
  Presentation presentation;
  std::vector<std::size_t> qualities;      // tracks of the ladder, lowest first
  std::vector<std::size_t> sounds, texts;  // tracks that can be chosen
  std::optional<std::size_t> sound;        // that is streamed
  bool live = false;
};

/// Why a stream ended before its time.
struct StreamFailure {
  enum class Kind { kNoLink, kNoAddress, kCertificate, kNotFound, kNoRanges, kIndex, kLiveEnded, kOther };
  Kind kind = Kind::kOther;
  std::string what;    // one sentence for the user
  std::string detail;  // what was tried on each link and what came back
};

/// Hears of a stream. Called in the stream's thread, one call at a time; must return at once, and call nothing of the
/// stream but status().
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void opened(const StreamInfo& info) = 0;
  /// In playout order, each once for each generation.
  virtual void segment(MediaSegment segment) = 0;
  virtual void skipped(SegmentIndex segment, Duration lag, const std::string& reason) = 0;
  /// Enough is buffered: playout may start, or go on after a stall.
  virtual void may_play(std::uint32_t generation) = 0;
  /// No further segment will come in this generation, unless there is a seek.
  virtual void ended(std::uint32_t generation) = 0;
  virtual void failed(const StreamFailure& failure) = 0;
};

/// What the player does, told whenever it changes and twice a second while it plays.
struct PlayoutReport {
  using State = PlayoutState;
  std::uint32_t generation = 0;
  State state = State::kPaused;
  Duration position{};  // on the presentation's timeline
  double speed = 1;
};

/// A presentation that is streamed over all links, in a thread of its own. Every call returns at once and may come from
/// any thread. The destructor ends the thread within a second, whatever the links do; after it no listener is called.
class Stream {
 public:
  /// Playout begins with the first segment, in a quality that comes at once. When nothing comes, it is waited for: only
  /// the user knows for how long.
  static SessionOptions default_session();
  struct Options {
    /// Of the mode only kLiveUnbuffered matters, for what is live; playout and stays_open are the stream's own.
    SessionOptions session = default_session();
    std::vector<std::string> links{};      // empty: all that can be used
    TermsOfLinks terms{};                  // what using them costs
    UseOfLink use = use_any_link;          // of links, until the user says something else
    std::shared_ptr<LinkBudget> budget{};  // counts what is used of those that cost something; or nobody does
    std::shared_ptr<LinkMemory> memory{};  // what links could do in earlier sessions; or that is not known
    std::string ca_file{};
    Duration live_ended_after = std::chrono::seconds{60};  // a server that answers, and adds nothing for so long
    transport::HttpVersion http = transport::HttpVersion::kAuto;
    DataSize cache{96'000'000};  // segments kept after delivery, so that a seek need not fetch them again
  };

  /// `url`: of an index.json. The listener must outlive the stream.
  Stream(std::string url, Options options, StreamListener& listener);
  ~Stream();

  /// The next segment is the one that contains the position. Returns the new generation.
  std::uint32_t seek(Duration position);
  /// The same, with another sound from here on.
  std::uint32_t choose_sound(std::size_t track, Duration position);
  /// Nothing: as the adaptation decides. From the next segment that is requested on.
  void choose_quality(std::optional<QualityIndex> quality);
  void use_link(const std::string& name, LinkUse use);
  void report(const PlayoutReport& report);

  StreamStatus status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary
