#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "directory_feed.hh"
#include "gst/pipeline/picture_scaler.hh"
#include "gst/player/player.hh"
#include "marks.hh"

namespace tributary::testing {

/// What a listener of a player was told.
class PlayerNotes : public PlayerListener {
 public:
  void state_changed(PlayerState state) override {
    states.push_back(state);
    then();
  }
  void opened(const StreamInfo& stream_info) override {
    info = stream_info;
    then();
  }
  void text_added(const StreamInfo& stream_info) override {
    info = stream_info;
    then();
  }
  void changed() override {
    ++changes;
    then();
  }
  void seeked(Duration position) override {
    seeks.push_back(position);
    then();
  }
  void skipped(const SkippedSegment& skipped) override {
    skips.push_back(skipped.segment);
    then();
  }
  void subtitle(const std::string& markup) override {
    subtitles.push_back(markup);
    then();
  }
  void problem(const PlayerProblem& problem) override {
    problems.push_back(problem);
    then();
  }

  std::function<void()> then = [] {};  // what the listener does whenever it is told something
  std::vector<PlayerState> states;
  std::optional<StreamInfo> info;
  int changes = 0;
  std::vector<Duration> seeks;
  std::vector<SegmentIndex> skips;
  std::vector<std::string> subtitles;
  std::vector<PlayerProblem> problems;
};

struct ShownFrame {
  std::optional<PictureMark> mark;  // of the whole picture
  Duration at{};
  PictureSize size, whole;
};

/// A player of a directory, or of an address, and the main context that it lives in.
class PlayerTest : public ::testing::Test {
 protected:
  /// Plays what the plan says; the URL does not matter then. Every picture is shown, on a slow machine late.
  Player& make(DirectoryPlan plan, Player::Options options = {});
  Player& make(Player::Options options);
  /// Lets the main context run until it is so. False: it did not come.
  bool wait_until(const std::function<bool()>& so, Duration at_most = std::chrono::seconds{30});
  bool wait_for_state(PlayerState state, Duration at_most = std::chrono::seconds{30});
  void run_for(Duration time);
  /// The numbers of the pictures that were shown.
  std::vector<unsigned> frames() const;

  std::vector<ShownFrame> shown() const;
  std::optional<PictureMark> last_mark() const;
  void forget();

  PlayerNotes notes_;

 private:
  mutable std::mutex mutex_;
  std::vector<ShownFrame> shown_;

 protected:
  std::unique_ptr<Player> player_;  // last: its threads use all of the above
};

/// Overwrites `count` bytes, which begin `from` bytes behind the name of the box.
void overwrite(MediaBytes& bytes, std::string_view box, std::size_t from, std::size_t count, std::byte with);

inline constexpr const char* kNoUrl = "http://directory/index.json";

}  // namespace tributary::testing
