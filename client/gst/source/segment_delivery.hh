#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/playout/playout_timeline.hh"
#include "gst/readers/segment_readers.hh"
#include "gst/source/media_times.hh"
#include "gst/source/track_output.hh"
#include "playback/stream.hh"

namespace tributary {

/// Gives the samples of segments to the outputs of their kinds, and the events between them. Capabilities precede a
/// stream that has others than the one before; segment events relate running time to the timeline. Has no lock of its own.
class SegmentDelivery {
 public:
  struct Output {
    TrackKind kind;
    std::unique_ptr<TrackOutput> output;
    GstHandle<GstCaps>
        caps;  // sent where the first segment has nothing for it, and whose codec is the only one; may be null
  };

  void open(const StreamInfo& info);
  void close();
  void add_output(Output output) { outputs_.push_back(std::move(output)); }
  const std::vector<Output>& outputs() const { return outputs_; }

  /// Playout goes on at `position`; without one, where the next segment begins.
  void restart(std::optional<Duration> position, double speed, guint32 seqnum);
  /// Keeps the init data of a segment for the decoder. Call it for stale segments, too: later ones may need their init.
  void remember_init(const MediaSegment& segment);
  void deliver(const MediaSegment& segment);
  void end();

  bool delivered() const { return next_.has_value(); }  // any segment since the last restart
  Duration delivered_end() const { return delivered_end_; }
  const PlayoutTimeline& timeline() const { return timeline_; }
  std::optional<QualityIndex> quality_at(Duration position) const;
  /// How far times of the media are ahead of the timeline there, where times are measured; nothing: not known yet.
  std::optional<Duration> media_ahead(Duration position) const { return times_.ahead(position); }
  /// Faults found in segments since the last call.
  std::vector<std::string> take_complaints();

 private:
  /// The event that relates running time to the timeline from this position on. Samples up to `earlier` before the position are
  /// played, too.
  GstHandle<GstEvent> segment_event(Duration position, Duration earlier = {}) const;
  /// That of the segment, unless restart() was told another one than 1.
  double speed_of(const MediaSegment& segment) const { return start_.speed == 1 ? segment.speed : start_.speed; }
  std::vector<ReadPart> read_parts(const MediaSegment& segment);
  bool goes_to(const Output& output, const ReadPart& part, const ReadStream& stream) const;
  void push_caps(const Output& output, GstCaps* caps);
  /// False if there are none.
  bool push_samples(const Output& output, const MediaSegment& segment, const ReadPart& part, ReadStream& stream,
                    bool first);
  /// So that no sink waits for samples that will not come: unless an earlier segment's last until about the end.
  void push_gap(const Output& output, const MediaSegment& segment);
  void complain(const MediaSegment& segment, std::size_t track, const std::string& what);

  struct Fed {
    GstHandle<GstCaps> announced;   // the capabilities that were sent last
    std::optional<Duration> until;  // the end of the last sample
  };
  struct Start {
    std::optional<Duration> position;  // at which playout shall begin
    double speed = 1;
    guint32 seqnum = GST_SEQNUM_INVALID;
  };
  struct Played {
    Duration start;
    QualityIndex quality;
  };

  Presentation presentation_;
  MediaTimes times_{presentation_};
  bool sound_apart_ = false;  // the title's sound has tracks of its own
  bool live_ = false;         // what is silent for a while then has empty parts
  Duration around_{};         // by how much samples may be outside of their segment
  SegmentReaders readers_;
  std::vector<Output> outputs_;
  std::vector<std::string> complaints_;

  // Since the last restart:
  Start start_;
  std::map<const TrackOutput*, Fed> fed_;
  PlayoutTimeline timeline_;
  bool timeline_begun_ = false;
  std::optional<SegmentIndex> next_;  // the segment that would follow without a gap
  Duration delivered_end_{};
  std::deque<Played> played_;
};

}  // namespace tributary
