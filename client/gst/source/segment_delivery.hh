#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/playout/playout_timeline.hh"
#include "gst/readers/segment_readers.hh"
#include "gst/source/track_output.hh"
#include "media/track_clock.hh"
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
  std::optional<Duration> media_ahead(Duration position) const;
  /// Faults found in segments since the last call.
  std::vector<std::string> take_complaints();

 private:
  /// The event that relates running time to the timeline from this position on.
  GstHandle<GstEvent> segment_event(Duration position) const;
  std::vector<ReadPart> read_parts(const MediaSegment& segment);
  struct Measured {
    Duration stretch_begin;
    Duration of_media, position;  // this time of the media is at this position of the timeline
  };
  /// Where nobody has stated at which time of the media a stretch begins: the first picture that comes is where its
  /// segment is. It is measured again where the media leave the times that the manifest lists.
  void measure_times(const std::vector<ReadPart>& parts);
  Measured* measured(const ReadPart& part);
  TrackClock clock_of(const ReadPart& part);
  bool goes_to(const Output& output, const ReadPart& part, const ReadStream& stream) const;
  void push_caps(const Output& output, GstCaps* caps);
  /// False if there are none.
  bool push_samples(const Output& output, const MediaSegment& segment, const ReadPart& part, ReadStream& stream,
                    bool first);
  /// So that no sink waits for samples that will not come: unless an earlier segment's last until about the end.
  void push_gap(const Output& output, const MediaSegment& segment);
  void complain(const MediaSegment& segment, std::size_t track, const std::string& what);

  Presentation presentation_;
  std::size_t leading_ = 0;         // the track by which the timeline is counted
  std::vector<Measured> measured_;  // where times are measured
  bool sound_apart_ = false;        // the title's sound has tracks of its own
  bool live_ = false;               // what is silent for a while then has empty parts
  Duration around_{};               // by how much samples may be outside of their segment
  SegmentReaders readers_;
  std::vector<Output> outputs_;
  std::map<const TrackOutput*, GstHandle<GstCaps>> announced_;  // the capabilities that were sent last
  std::map<const TrackOutput*, Duration> pushed_until_;         // the end of the last sample since the last restart
  std::vector<std::string> complaints_;

  PlayoutTimeline timeline_;
  std::optional<Duration> wanted_;  // position at which playout shall begin
  double speed_ = 1;
  guint32 seqnum_ = GST_SEQNUM_INVALID;
  bool timeline_begun_ = false;
  std::optional<SegmentIndex> next_;  // the segment that would follow without a gap
  Duration delivered_end_{};
  struct Played {
    Duration start;
    QualityIndex quality;
  };
  std::deque<Played> played_;
};

}  // namespace tributary
