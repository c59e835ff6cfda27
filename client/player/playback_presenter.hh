#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gst/player/player.hh"
#include "player/glib/g_handles.hh"
#include "player/open_title.hh"
#include "player/texts/problem_texts.hh"
#include "player/window/play_window.hh"
#include "player/window/playback_view.hh"
#include "player/window/thumbnails.hh"

namespace tributary::play {

/// Shows the state of the player and of its stream in the window.
class PlaybackPresenter {
 public:
  /// All of these must outlive it. `title`: the one that is open.
  PlaybackPresenter(const Player& player, PlayWindow& window, const OpenTitle& title, std::uint32_t buffer_segments)
      : player_{player}, window_{window}, title_{title}, buffer_segments_{buffer_segments} {}

  // What happens to the title.
  void opening();
  void opened();
  void closed();
  void show_tracks();
  /// A part of the title is left out. Several of them in a short time make one message.
  void skipped(const SkippedSegment& skipped);
  /// The title plays on without that.
  void lacks(const ProblemText& problem);
  /// Explains what it lacks.
  void explain() { window_.explain(lacking_.what, lacking_.advice + "\n\n" + lacking_.detail); }
  /// To be called several times a second. `position`: the one to show.
  void refresh(Duration position, bool links_panel);

 private:
  PlaybackView view(const StreamStatus& status, Duration position) const;
  std::string waiting_for(const StreamStatus& status) const;
  bool at_the_edge(const StreamStatus& status) const;
  void show_thumbnails();

  const Player& player_;
  PlayWindow& window_;
  const OpenTitle& title_;
  std::uint32_t buffer_segments_;
  std::vector<Duration> skips_;
  ProblemText lacking_;
  std::unique_ptr<Thumbnails> thumbnails_;  // null: the title has none
  Timer told_of_skip_;                      // while it runs, further skips make no message
  unsigned refreshed_ = 0;
};

/// "2 · 5.9 Mbit/s": the number of links that bring bytes, and their rate.
std::string links_text(const StreamStatus& status);

}  // namespace tributary::play
