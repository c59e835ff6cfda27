#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "directory_feed.hh"
#include "gst/gst_handles.hh"
#include "gst/source/source_body.hh"
#include "marks.hh"

namespace tributary::testing {

struct ShownPicture {
  std::optional<PictureMark> mark;  // nothing: it could not be read
  Duration at{};                    // on the presentation's timeline
  Duration running{};
};

/// The source element with decoders behind it, in a pipeline as any application makes one, that does what
/// BUFFERING messages say. Keeps what comes out.
class SourcePipeline {
 public:
  struct Options {
    bool real_time = false;  // otherwise as fast as it can be decoded
    std::string decoder = "avdec_h264 max-threads=2";
    SourceSettings source{};
  };

  explicit SourcePipeline(DirectoryPlan plan) : SourcePipeline{std::move(plan), Options{}} {}
  SourcePipeline(DirectoryPlan plan, Options options);
  ~SourcePipeline();
  SourcePipeline(const SourcePipeline&) = delete;
  SourcePipeline& operator=(const SourcePipeline&) = delete;

  /// Plays, or goes on, until the end, an error, or for so long. True at the end.
  bool play(Duration at_most);
  void set_playing(bool playing);
  /// Waits until the pipeline is in the state it was set to.
  bool settled(Duration at_most);
  bool seek(Duration position, double speed = 1, GstSeekFlags how = GST_SEEK_FLAG_ACCURATE);
  void forget();  // what has come out so far
  /// The picture that is shown while it is paused.
  std::optional<PictureMark> still() const;

  SourceBody& source();
  GstElement* element() const { return pipeline_.get(); }
  std::vector<ShownPicture> pictures() const;
  SoundMarks sound() const;
  const std::vector<std::string>& errors() const { return errors_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  unsigned pauses() const { return pauses_; }  // that BUFFERING messages asked for, after it once played

 private:
  void take_picture(GstSample* sample);
  void take_sound(GstSample* sample);
  bool handle(GstMessage* message);  // true: it is the end

  GstHandle<GstElement> pipeline_;
  bool wants_to_play_ = false, has_played_ = false;
  std::vector<std::string> errors_, warnings_;
  unsigned pauses_ = 0;

  mutable std::mutex mutex_;
  std::vector<ShownPicture> pictures_;
  SoundMarks sound_;
};

/// What is wrong with pictures that should be all from `first` to `last`, of the quality that was planned for their
/// segments; empty: nothing.
std::string defects(const std::vector<ShownPicture>& pictures, unsigned first, unsigned last,
                    unsigned pictures_per_segment, const std::function<std::size_t(std::size_t)>& quality);

}  // namespace tributary::testing
