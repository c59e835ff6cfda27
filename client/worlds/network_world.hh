#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/session.hh"
#include "core/world.hh"
#include "links/interfaces/link_monitor.hh"
#include "memory/link_measurements.hh"
#include "sink/segment_sink.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/http_transport.hh"
#include "worlds/asked_sizes.hh"
#include "worlds/discovery/first_link.hh"
#include "worlds/discovery/live_origin.hh"
#include "worlds/discovery/live_replay.hh"
#include "worlds/event_source.hh"
#include "worlds/front_frames.hh"
#include "worlds/pieces/piece_transport.hh"
#include "worlds/received_parts.hh"

namespace tributary {

/// The real world: one transport per link that the monitor knows, the wall clock, and a sink. Everything happens in the
/// thread that calls next_event(). The clock is read once per wake-up; all that is found then happened then.
///
/// Keeps the bytes of the segments that are being received; a segment goes to the sink whole, or frame by frame where it
/// plays while it comes, and is forgotten.
class NetworkWorld : public World {
 public:
  struct Connections {
    /// A transport over the link of this name.
    std::function<std::unique_ptr<transport::HttpTransport>(const std::string& link)> over;
    /// The request target of a file of the presentation.
    std::function<std::string(const std::string& uri)> target;
  };
  struct Options {
    bool live_replay = false;                  // publish the prepared content in real time
    LiveOrigin* live_origin = nullptr;         // or follow one that publishes
    EventSource* others = nullptr;             // what happens beside the network
    LinkMeasurements* measurements = nullptr;  // for later sessions, and of earlier ones
    UseOfLink use = use_any_link;              // of links that come up
    int stop_fd = -1;                          // the session is to end when this is readable
    SegmentSink* sink = nullptr;               // optional
    /// Where all segments are in one file that is known: every link must give out the same one.
    std::optional<DataSize> file_size = {};
    /// An answer tells the size of a part that was not known. Returns how many bytes from the front of the part are
    /// brought; the part ends there for the session. Nothing: all of them.
    std::function<DataSize(RequestId request, DataSize stated)> brought_of = {};
    /// Whether only the front of a part is brought if that is long. Nothing: of none.
    std::function<bool(RequestId request)> brings_front = {};
    /// The rate of a connection beside the session, if that does not fill its link. Nothing: there is no such connection.
    std::function<std::optional<DataRate>(const std::string& link)> one_connection = {};
    /// Further fields of a request. Nothing: there are none.
    std::function<transport::RequestFields(RequestId request)> fields_of = {};
  };

  /// All that it is given must outlive the world. The session starts now.
  NetworkWorld(const Session& session, transport::CurlLoop& loop, LinkMonitor& monitor, Connections connections,
               Options options);

  TimedEvent next_event(std::optional<TimePoint> deadline) override;
  void perform(const Action& action, TimePoint now) override;
  /// The monitor has something to say, though its file descriptor does not tell.
  void look_at_links_again() { links_changed_ = true; }
  /// The session was ended through stop_fd.
  bool stopped() const { return stop_; }

 private:
  TimedEvent wait_for_event(std::optional<TimePoint> deadline);
  struct Link {
    LinkId id{};
    bool up = false;
    std::unique_ptr<transport::HttpTransport> transport;
  };
  transport::HttpTransport& transport_of(LinkId id);
  PieceTransport& pieces_over(LinkId id);
  void close_all_of(LinkId link);
  void learn_init(RequestId request);
  TimePoint now() const;
  void look_around();
  void look_at_links();
  void tell_what_plays(QualityIndex quality);
  void open(LinkId lane);
  void take_events(LinkId id, transport::HttpTransport& transport);
  void store(const transport::BodyReceived& body);
  std::vector<std::string> links_to_use() const;
  void deliver(const action::DeliverSegment& complete);
  void deliver(const action::DeliverFrames& frames);
  void forget(SegmentIndex segment);
  void gather(std::optional<TimePoint> deadline);
  void wait(std::optional<TimePoint> deadline);

  transport::CurlLoop& loop_;
  LinkMonitor& monitor_;
  Connections connections_;
  Options options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  TimePoint now_;
  std::map<std::string, Link> links_;
  std::map<LinkId, std::unique_ptr<transport::HttpTransport>> lanes_;
  std::map<std::size_t, InitFacts> inits_;   // by track, of titles with files that grow
  std::map<LinkId, PieceTransport> pieces_;  // of links that were asked for such
  std::optional<LiveReplay> live_;
  const SegmentTable& table_;
  ReceivedParts parts_;
  std::optional<FrontFrames> frames_;  // where segments may play in part
  AskedSizes asked_sizes_;
  std::deque<TimedEvent> happened_;
  DataSize came_;              // since the last wait
  bool links_changed_ = true;  // the monitor has not been asked yet
  bool stop_ = false;
};

}  // namespace tributary
