#pragma once

#include <string>
#include <vector>

#include "gst/player/player.hh"
#include "player/texts/track_names.hh"
#include "player/window/play_window.hh"
#include "player/window/playback_view.hh"

namespace tributary::play {

/// Shows the state of the player and of its stream in the window.
class PlaybackPresenter {
 public:
  PlaybackPresenter(const Player& player, PlayWindow& window, std::uint32_t buffer_segments)
      : player_{player}, window_{window}, buffer_segments_{buffer_segments} {}

  void opening(const std::string& title);
  void opened(const StreamInfo& info, const TrackNames& names);
  /// Something is left out there.
  void skipped(Duration position);
  /// To be called several times a second. `position`: the one to show.
  void refresh(Duration position, bool links_panel);

 private:
  PlaybackView view(const StreamStatus& status, Duration position) const;
  std::string waiting_for(const StreamStatus& status) const;
  bool at_the_edge(const StreamStatus& status) const;

  const Player& player_;
  PlayWindow& window_;
  std::uint32_t buffer_segments_;
  std::string title_;
  TrackNames names_;
  bool live_ = false;
  double segment_seconds_ = 2;
  std::vector<Duration> skips_;
};

/// "2 · 5.9 Mbit/s": the number of links that bring bytes, and their rate.
std::string links_text(const StreamStatus& status);

}  // namespace tributary::play
