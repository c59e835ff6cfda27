#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accounts/link_budget.hh"
#include "accounts/link_terms.hh"
#include "core/playout/playout_state.hh"
#include "core/session_options.hh"
#include "memory/link_memory.hh"
#include "playback/media_segment.hh"
#include "playback/quality_wish.hh"
#include "playback/status/stream_status.hh"
#include "presentation/presentation.hh"
#include "transport/connections/link_rules.hh"
#include "units/text/sentence.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// The facts of a stream that the index tells.
struct StreamInfo {
  Presentation presentation;
  std::vector<std::size_t> qualities;      // tracks of the ladder, lowest first
  std::vector<std::size_t> sounds, texts;  // tracks that can be chosen
  std::optional<std::size_t> sound;        // the one that is streamed
  bool live = false;
  transport::LinkRules rules{};  // for files beside the segments

  /// The one that all others follow.
  const Track& leading_track() const { return presentation.tracks.at(qualities.at(0)); }
};

/// The reason why a stream ended early.
struct StreamFailure {
  /// kPart: the server lacks a part of the title.
  enum class Kind { kNoLink, kNoAddress, kCertificate, kNotFound, kPart, kNoRanges, kIndex, kLiveEnded, kOther };
  Kind kind = Kind::kOther;
  Sentence what;       // one, for the user
  std::string detail;  // the attempt and its result for each link
};

/// A segment that does not come.
struct SkippedSegment {
  SegmentIndex segment{};
  Duration lag{};         // live: how far behind the edge it would have been
  std::string reason;     // for experts
  std::string missing{};  // the file that the server does not have; empty: the segment is left out for its lag
};

/// Gets the messages of a stream, in the stream's thread, one call at a time. Must return at once, and may call no
/// function of the stream but status().
class StreamListener {
 public:
  virtual ~StreamListener() = default;
  virtual void opened(const StreamInfo& info) = 0;
  /// Segments come in playout order, each at most once for each generation. One that plays while it comes, comes in
  /// several pieces (MediaSegment::goes_on).
  virtual void segment(MediaSegment segment) = 0;
  virtual void skipped(const SkippedSegment& skipped) = 0;
  /// Enough is buffered: playout may start, or go on after a stall.
  virtual void may_play(std::uint32_t generation) = 0;
  /// Live: from the next segment on, playout is to have this speed, with the pitch kept, so that it stays as far behind the live
  /// edge as it should be. Does not concern a player whose user chose another speed.
  virtual void steered(double /*speed*/) {}
  /// No further segment will come in this generation.
  virtual void ended(std::uint32_t generation) = 0;
  virtual void failed(const StreamFailure& failure) = 0;
};

/// The state of the player, to be told at each change, and twice a second during playback.
struct PlayoutReport {
  using State = PlayoutState;
  std::uint32_t generation = 0;
  State state = State::kPaused;
  Duration position{};  // on the presentation's timeline
  double speed = 1;
};

/// Streams a presentation over all links, in a thread of its own. Every call returns at once and may come from any
/// thread. The destructor ends the thread within a second, for any state of the links; after it, no listener is called.
class Stream {
 public:
  /// Playout begins with the first segment, in a quality that comes at once. If no bytes come, the stream waits without
  /// a limit: only the user knows how long.
  static SessionOptions default_session();
  struct Options {
    /// Of `mode` only kLiveUnbuffered matters, for a live presentation. The stream sets `playout` and `stays_open`
    /// itself.
    SessionOptions session = default_session();
    /// Live: how far behind the edge. Nothing: as the title states, if it is published in partial segments, or else by whole
    /// segments. Zero: by whole segments.
    std::optional<Duration> latency{};
    /// Further behind than that, segments are skipped (SessionOptions::latency_limit). Nothing: ten seconds behind the latency.
    std::optional<Duration> latency_limit{};
    std::vector<std::string> links{};      // empty: all that can be used
    TermsOfLinks terms{};                  // costs of the links
    UseOfLink use = use_any_link;          // of links, until the user chooses another use
    std::shared_ptr<LinkBudget> budget{};  // counts the bytes of spared links; null: they are not counted
    std::shared_ptr<LinkMemory> memory{};  // measurements of earlier sessions; null: none
    transport::LinkRules rules{};          // of connections; link, guard and cookies are the stream's
    Duration live_ended_after = std::chrono::seconds{60};  // time without a new segment from a server that answers
    DataSize cache{96'000'000};  // segments kept after delivery, so that a seek need not fetch them again
    /// What happened to a part of the title, one line for experts, in the stream's thread; null: nobody is told.
    std::function<void(const std::string& note)> tell{};
    std::string sound{};  // its language or name; empty, or if the title has none such: the first sound
  };

  /// `url`: of an index.json. The listener must outlive the stream.
  Stream(std::string url, Options options, StreamListener& listener);
  ~Stream();

  /// Goes on with the segment that contains the position. Returns the new generation.
  std::uint32_t seek(Duration position);
  /// Seeks, with another sound from there on. Returns the new generation.
  std::uint32_t choose_sound(std::size_t track, Duration position);
  /// Takes effect with the next requested segment.
  void choose_quality(const QualityWish& wish);
  void use_link(const std::string& name, LinkUse use);
  void report(const PlayoutReport& report);

  StreamStatus status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary
