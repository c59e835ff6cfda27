#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "gst/source/media_feed.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary::testing {

/// What a directory gives of the presentation in it, and when.
struct DirectoryPlan {
  std::filesystem::path directory;
  /// Its segments of MPEG-TS are given, as a playlist would list them: sound is within, and codecs are not stated.
  bool transport_streams = false;
  /// Of each segment.
  std::function<std::size_t(std::size_t segment)> quality = [](std::size_t) { return std::size_t{0}; };
  /// Live: from this segment on, playout is steered to this speed.
  std::function<double(std::size_t segment)> speed{};
  /// Never given, as if playout were too late for them.
  std::set<std::size_t> skipped{};
  /// Changes what is given: the bytes of a segment's sound or picture.
  std::function<void(std::size_t segment, TrackKind kind, MediaBytes& bytes)> damage{};
  /// The same of the init segments.
  std::function<void(TrackKind kind, MediaBytes& bytes)> damage_init{};
  /// How long before a segment comes.
  std::function<Duration(std::size_t segment)> delay{};
  /// Nothing is given that is further than this ahead of playout; zero: everything at once.
  Duration ahead{};
  /// The presentation ends after so many segments.
  std::size_t most = SIZE_MAX;
};

/// A feed without a network: a presentation in a directory, with a thread of its own as a Stream has.
class DirectoryFeed final : public MediaFeed {
 public:
  DirectoryFeed(DirectoryPlan plan, StreamListener& listener);
  ~DirectoryFeed() override;

  std::uint32_t seek(Duration position) override { return seek_to(position, std::nullopt); }
  std::uint32_t choose_sound(std::size_t track, Duration position) override { return seek_to(position, track); }
  void choose_quality(const QualityWish& wish) override;
  void use_link(const std::string& /*name*/, LinkUse /*use*/) override {}
  void report(const PlayoutReport& report) override;
  StreamStatus status() const override;

 private:
  std::uint32_t seek_to(Duration position, std::optional<std::size_t> sound);
  void run();
  bool wait_for_turn(std::unique_lock<std::mutex>& lock);
  MediaSegment read(std::size_t segment, std::size_t quality, std::size_t sound);
  MediaSegment::Part part(std::size_t segment, std::size_t track, bool init) const;

  const DirectoryPlan plan_;
  StreamListener& listener_;
  SegmentTable table_;
  std::vector<std::size_t> ladder_;
  std::set<std::size_t> initialised_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool closing_ = false;
  std::uint32_t generation_ = 0;
  std::size_t next_ = 0;
  std::size_t sound_ = 0;
  std::optional<std::size_t> quality_;
  PlayoutReport report_;
  bool playable_said_ = false, ended_said_ = false;
  std::thread thread_;  // last
};

/// For SourceSettings and Player's options.
OpenFeed open_directory(DirectoryPlan plan);

}  // namespace tributary::testing
