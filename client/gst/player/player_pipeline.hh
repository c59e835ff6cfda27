#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gst/main_context.hh"
#include "gst/pipeline/picture_branch.hh"
#include "gst/pipeline/sound_branch.hh"
#include "gst/player/player.hh"
#include "gst/source/multilink_source.hh"
#include "gst/source/source_body.hh"

namespace tributary {

/// The elements of a player: source -> picture branch, sound branch. Knows how they are put together, not when to play.
/// All calls in the thread of the main context; messages come there, too.
class PlayerPipeline {
 public:
  using OnMessage = std::function<void(GstMessage*)>;

  PlayerPipeline(const Player::Options& options, const MainContext& context, OnMessage on_message);
  /// All threads have ended then.
  ~PlayerPipeline();
  PlayerPipeline(const PlayerPipeline&) = delete;
  PlayerPipeline& operator=(const PlayerPipeline&) = delete;

  /// Begins to stream. The listener must outlive this.
  void open(const std::string& url, Duration start, double speed, StreamListener& listener);
  /// Makes the branches that the tracks need, and links them. What is missing; if the first is fatal, nothing was made.
  std::vector<PlayerProblem> build(const StreamInfo& info, Player::ShowFrame show);
  void set_playing(bool playing);
  /// Its number; nothing: it could not be done. What the pipeline says of pictures before the source's element message of that
  /// number is of the time before the seek.
  std::optional<guint32> seek(Duration position, double speed);
  bool is_flush_of(guint32 seek, GstMessage* message) const;

  SourceBody& source() { return source_body(source_); }
  const SourceBody& source() const { return source_body(source_); }
  const std::optional<PictureBranch>& picture() const { return picture_; }
  void fit_pictures(PictureSize box);
  std::optional<SoundBranch>& sound() { return sound_; }
  bool is_source(GstObject* object) const { return object == GST_OBJECT(source_); }
  bool is_whole(GstObject* object) const { return object == GST_OBJECT(pipeline_.get()); }

 private:
  void add(GstElement* bin);
  std::optional<PlayerProblem> add_picture(const Track& track, Player::ShowFrame show);
  std::optional<PlayerProblem> add_sound(const Track& track);

  const Player::Options& options_;
  OnMessage on_message_;
  GstHandle<GstElement> pipeline_;
  GstElement* source_;  // of the pipeline
  GSource* bus_watch_;
  PictureSize box_;
  std::optional<PictureBranch> picture_;
  std::optional<SoundBranch> sound_;
};

}  // namespace tributary
