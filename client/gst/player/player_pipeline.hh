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

/// The elements of a player: source -> picture branch, sound branch. Knows how they are linked, not when they play.
/// All calls, and all messages, are made in the thread of the main context.
class PlayerPipeline {
 public:
  using OnMessage = std::function<void(GstMessage*)>;

  /// Options and `show` must outlive this.
  PlayerPipeline(const Player::Options& options, const Player::ShowFrame& show, const MainContext& context,
                 OnMessage on_message);
  /// Returns after all threads of the pipeline have ended.
  ~PlayerPipeline();
  PlayerPipeline(const PlayerPipeline&) = delete;
  PlayerPipeline& operator=(const PlayerPipeline&) = delete;

  /// Begins to stream. The listener must outlive this.
  void open(const std::string& url, Duration start, double speed, StreamListener& listener);
  /// Makes the branches that the title needs, and links them. Returns what is missing; if the first problem is fatal,
  /// no branch was made.
  std::vector<PlayerProblem> build(const StreamInfo& info, const TitleContents& contents, Decoders decoders);
  /// Takes another decoder of the pictures, where one in hardware was taken; else returns false. A seek must follow.
  bool decode_in_software();
  void set_playing(bool playing);
  /// The number of the seek; nothing: the seek failed. Until the source posts its "flushed" message of that number, the
  /// pipeline's messages about pictures are of the time before the seek.
  std::optional<guint32> seek(Duration position, double speed);
  /// The number of the seek that the source has carried out, as its message of an element says.
  std::optional<guint32> flushed_by(GstMessage* message) const;

  SourceBody& source() { return source_body(source_); }
  const SourceBody& source() const { return source_body(source_); }
  std::optional<PictureBranch>& picture() { return picture_; }
  const std::optional<PictureBranch>& picture() const { return picture_; }
  /// Null in a title without pictures.
  PictureCaptions* captions() { return picture_ ? &picture_->captions() : nullptr; }
  void fit_pictures(PictureSize box);
  std::optional<SoundBranch>& sound() { return sound_; }
  /// Where playout is: the picture tells, or the sound in a title without pictures. Nothing before the first frame.
  std::optional<Duration> position() const;
  /// Whose media an error is about: its message comes from a branch, or from the source's pad for that branch.
  std::optional<TrackKind> part_of(GstMessage* error) const;
  bool is_source(GstObject* object) const { return object == GST_OBJECT(source_); }
  bool has(GstObject* object) const { return gst_object_has_as_ancestor(object, GST_OBJECT(pipeline_.get())) != FALSE; }
  bool is_whole(GstObject* object) const { return object == GST_OBJECT(pipeline_.get()); }

 private:
  void add(GstElement* bin);
  std::optional<PlayerProblem> add_picture(const Track& track, const GstCaps& caps, Decoders decoders);
  std::optional<PlayerProblem> add_sound(const GstCaps& caps);

  const Player::Options& options_;
  const Player::ShowFrame& show_;
  OnMessage on_message_;
  GstHandle<GstElement> pipeline_;
  GstElement* source_;  // of the pipeline
  GSource* bus_watch_;
  PictureSize box_;
  GstHandle<GstCaps> picture_caps_;
  std::optional<PictureBranch> picture_;
  std::optional<SoundBranch> sound_;
};

}  // namespace tributary
