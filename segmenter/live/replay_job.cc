#include "segmenter/live/replay_job.hh"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "media/iso_box.hh"
#include "presentation/json/json_index.hh"
#include "segmenter/encode/encode_plan.hh"
#include "segmenter/encode/encode_progress.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/track_time.hh"
#include "segmenter/live/replay_parts.hh"
#include "segmenter/publish/file_bytes.hh"
#include "system/utc_now.hh"

namespace tributary::segmenter {
namespace {

using Clock = std::chrono::steady_clock;

Presentation read_prepared(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / kIndexName;
  const auto text = read_file(path);
  if (!text) throw Failure{ExitCode::kInput, fmt::format("cannot read {}", path.string())};
  try {
    Presentation prepared = read_index(*text);
    if (!prepared.complete) throw Failure{ExitCode::kInput, fmt::format("{}: is not complete", path.string())};
    // Without texts, because their times would have to be moved with each round.
    std::erase_if(prepared.tracks, [](const Track& track) { return track.kind == TrackKind::kText; });
    return prepared;
  } catch (const IndexError& error) {
    throw Failure{ExitCode::kInput, fmt::format("{}: {}", path.string(), error.what())};
  }
}

/// A prepared track that is repeated on the air. The first track, a picture, decides when each round begins. So sound
/// does not drift, although its rounds are longer or shorter by half a frame.
class RepeatedTrack {
 public:
  RepeatedTrack(const Track& prepared, const Track& leading, const LiveBeginning& beginning)
      : prepared_{prepared},
        round_seconds_{static_cast<long double>(total_ticks(leading)) / leading.timescale},
        start_{ticks(to_seconds(beginning.start))} {
    std::uint64_t at = 0;
    for (const std::uint64_t duration : prepared.durations) {
      begins_.push_back(at);
      at += duration;
    }
  }

  const Track& prepared() const { return prepared_; }
  /// Seconds from the beginning of a round at which the segment begins.
  double begin_in_round(std::size_t segment) const { return seconds_of(begins_[segment]); }
  double seconds_of(std::uint64_t ticks) const { return static_cast<double>(ticks) / prepared_.timescale; }
  std::uint64_t start() const { return start_; }
  /// Ticks of the live timeline at which a segment of a round begins.
  std::uint64_t begin(std::uint64_t round, std::size_t segment) const { return round_begin(round) + begins_[segment]; }
  std::uint64_t duration(std::uint64_t round, std::size_t segment, bool last_of_all) const {
    if (segment + 1 < begins_.size() || last_of_all) return prepared_.durations[segment];
    return round_begin(round + 1) - begin(round, segment);
  }
  /// Ticks by which the timestamps in the prepared files must be moved.
  std::uint64_t moved(std::uint64_t round) const { return round_begin(round) - prepared_.start; }

 private:
  std::uint64_t ticks(long double seconds) const {
    return static_cast<std::uint64_t>(std::llround(seconds * prepared_.timescale));
  }
  std::uint64_t round_begin(std::uint64_t round) const {
    return start_ + ticks(round_seconds_ * static_cast<long double>(round));
  }

  const Track& prepared_;
  long double round_seconds_;
  std::uint64_t start_;
  std::vector<std::uint64_t> begins_;
};

std::string prepared_bytes(const std::filesystem::path& directory, const Resource& resource) {
  const std::filesystem::path path = directory / resource.uri;
  auto content = read_file(path);
  const auto end = static_cast<std::size_t>(resource.range.end.bytes());
  if (!content || content->size() < end || (resource.whole_file && content->size() != end))
    throw Failure{ExitCode::kInput, fmt::format("{} is not what the index says", path.string())};
  return content->substr(static_cast<std::size_t>(resource.range.begin.bytes()),
                         static_cast<std::size_t>(resource.range.size().bytes()));
}

class Replay {
 public:
  Replay(const ReplayOptions& options, const std::atomic<bool>& stop, ProgressReport& progress)
      : options_{options},
        stop_{stop},
        progress_{progress},
        prepared_{read_prepared(options.input)},
        parts_{prepared_.tracks[0], prepared_.nominal_segment_seconds, options.part},
        publication_{options.output, Publication::Existing::kContinue},
        beginning_{find_beginning(publication_, utc_now())},
        live_{publication_, beginning_, options.window} {
    std::vector<Track> tracks = prepared_.tracks;
    for (const Track& track : prepared_.tracks) tracks_.emplace_back(track, prepared_.tracks[0], beginning_);
    for (std::size_t i = 0; i < tracks.size(); ++i) prepare(tracks[i], tracks_[i]);
    on_air_ = tracks;
    progress_.event(plan_event(plan_of(tracks, prepared_.nominal_segment_seconds, expected())));
    live_.set_tracks(std::move(tracks), prepared_.nominal_segment_seconds);
    live_.set_title(prepared_.title);
  }

  ReplayResult run() {
    const auto segments = prepared_.tracks[0].sizes.size();
    for (std::uint64_t round = 0; !stop_ && (round == 0 || options_.repeat); ++round) {
      for (std::size_t segment = 0; segment < segments; ++segment) {
        if (!(parts_.any() ? publish_in_parts(round, segment) : publish_whole(round, segment))) break;
      }
    }
    live_.end();
    progress_.last(state());
    return {live_.segments(), beginning_.first_number, media_};
  }

 private:
  /// Turns the track into the one on the air: with files of its own, and without segments.
  void prepare(Track& track, const RepeatedTrack& repeated) {
    if (track.init) {
      const std::string content = prepared_bytes(options_.input, *track.init);
      track.init = Resource{track.id + "/init.mp4", {{}, track.init->range.size()}, true};
      publication_.publish_once(track.init->uri, std::as_bytes(std::span{content}));
      inits_.push_back(read_init(bytes_of(content)));
    } else {
      inits_.emplace_back();
    }
    const std::string extension = track.kind == TrackKind::kData ? ".bin" : ".m4s";
    track.uri = track.id + "/{n:05}" + extension;
    track.first_number = beginning_.first_number;
    track.start = repeated.start();
    track.sizes.clear();
    track.durations.clear();
    track.file_offsets.clear();
    track.frames.reset();
    track.metrics = {};
    if (parts_.any())
      track.parts =
          TrackParts{track.id + "/{n:05}.{p}" + extension, parts_.target(track, longest_sample(repeated)), {}};
  }

  /// Of the first segment, in ticks; 0 for plain bytes.
  std::uint64_t longest_sample(const RepeatedTrack& track) const {
    if (!inits_.back()) return 0;
    const Resource first = track.prepared().segment(SegmentIndex{});
    return read_segment(bytes_of(prepared_bytes(options_.input, first)), *inits_.back()).longest_sample();
  }

  /// Waits until that tick of the leading track has passed, from the beginning of its segment on.
  bool wait_for(std::uint64_t round, std::size_t segment, std::uint64_t tick) const {
    using namespace std::chrono_literals;
    const RepeatedTrack& leading = tracks_[0];
    const std::uint64_t end = leading.begin(round, segment) + tick - leading.start();
    const auto due = began_ + from_seconds(leading.seconds_of(end));
    for (auto now = Clock::now(); now < due; now = Clock::now()) {
      if (stop_) return false;
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(due - now, 50ms));
    }
    return !stop_;
  }

  bool publish_whole(std::uint64_t round, std::size_t segment) {
    if (!wait_for(round, segment, prepared_.tracks[0].durations[segment])) return false;
    const std::uint64_t number = next_number();
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      const RepeatedTrack& track = tracks_[i];
      const Resource resource = track.prepared().segment(static_cast<SegmentIndex>(segment));
      const std::string name = on_air_[i].segment_uri(number);
      const bool as_it_is = track.prepared().kind == TrackKind::kData || track.moved(round) == 0;
      if (as_it_is && resource.whole_file) {
        publication_.publish_link(name, options_.input / resource.uri);
      } else {
        const std::string content = prepared_bytes(options_.input, resource);
        publication_.publish(name, as_it_is ? content : moved(resource.uri, content, track.moved(round)));
      }
    }
    for (std::size_t i = 0; i < tracks_.size(); ++i)
      tell(i, number, prepared_.tracks[i].sizes[segment], tracks_[i].duration(round, segment, is_last(segment)));
    progress_.update(state());
    return true;
  }

  bool publish_in_parts(std::uint64_t round, std::size_t segment) {
    const std::uint64_t number = next_number();
    std::vector<std::vector<CutPart>> tracks;
    for (std::size_t i = 0; i < tracks_.size(); ++i) tracks.push_back(cut(i, round, segment));
    std::uint64_t end = 0;
    for (std::size_t part = 0; part < tracks[0].size(); ++part) {
      end += tracks[0][part].part.ticks;
      if (!wait_for(round, segment, end)) return false;
      for (std::size_t i = 0; i < tracks.size(); ++i)
        publication_.publish(on_air_[i].parts->part_uri(number, part), tracks[i][part].content);
      for (std::size_t i = 0; i < tracks.size(); ++i)
        live_.part_written({on_air_[i].id, number, part, tracks[i][part].part});
    }
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      std::string whole;
      for (const CutPart& part : tracks[i]) whole += part.content;
      publication_.publish(on_air_[i].segment_uri(number), whole);
      tell(i, number, size_of(bytes_of(whole)), tracks_[i].duration(round, segment, is_last(segment)));
    }
    progress_.update(state());
    return true;
  }

  std::vector<CutPart> cut(std::size_t i, std::uint64_t round, std::size_t segment) {
    const RepeatedTrack& track = tracks_[i];
    const Resource resource = track.prepared().segment(static_cast<SegmentIndex>(segment));
    const std::string content = prepared_bytes(options_.input, resource);
    const std::uint64_t duration = track.duration(round, segment, is_last(segment));
    std::vector<std::uint64_t> cuts;
    for (const double cut : parts_.cuts(tracks_[0].seconds_of(prepared_.tracks[0].durations[segment]))) {
      const double after = tracks_[0].begin_in_round(segment) + cut - track.begin_in_round(segment);
      cuts.push_back(static_cast<std::uint64_t>(std::llround(after * track.prepared().timescale)));
    }
    try {
      if (!inits_[i]) return cut_bytes(content, duration, cuts);
      std::vector<CutPart> parts = cut_samples(content, *inits_[i], cuts, track.moved(round), fragment_);
      fragment_ += static_cast<std::uint32_t>(parts.size());
      // Lists state the last segment of a round so that nothing drifts.
      parts.back().part.ticks += duration - track.prepared().durations[segment];
      return parts;
    } catch (const BoxError& error) {
      throw Failure{ExitCode::kInput, fmt::format("{}: {}", resource.uri, error.what())};
    }
  }

  void tell(std::size_t track, std::uint64_t number, DataSize size, std::uint64_t ticks) {
    const WrittenSegment written{on_air_[track].id, number, size, ticks, tracks_[track].seconds_of(ticks)};
    live_.segment_written(written);
    progress_.event(segment_event(written));
    if (track == 0) media_ += from_seconds(written.seconds);
  }

  std::uint64_t next_number() const { return beginning_.first_number + live_.segments(); }
  bool is_last(std::size_t segment) const {
    return !options_.repeat && segment + 1 == prepared_.tracks[0].sizes.size();
  }

  /// The whole duration; nothing: it goes on for ever.
  std::optional<Duration> expected() const {
    const Track& leading = prepared_.tracks[0];
    if (options_.repeat) return std::nullopt;
    return from_seconds(static_cast<double>(total_ticks(leading)) / leading.timescale);
  }

  ProgressState state() const {
    return {.pictures = std::nullopt,
            .media = media_,
            .expected = expected(),
            .segment = beginning_.first_number + live_.segments(),
            .elapsed = Clock::now() - began_};
  }

  static std::string moved(const std::string& name, const std::string& content, std::uint64_t ticks) {
    try {
      return move_in_time(content, ticks);
    } catch (const BoxError& error) {
      throw Failure{ExitCode::kInput, fmt::format("{}: {}", name, error.what())};
    }
  }

  const ReplayOptions& options_;
  const std::atomic<bool>& stop_;
  ProgressReport& progress_;
  const Presentation prepared_;
  const ReplayParts parts_;
  const Publication publication_;
  const LiveBeginning beginning_;
  LivePublication live_;
  std::vector<RepeatedTrack> tracks_;
  std::vector<Track> on_air_;
  std::vector<std::optional<InitFacts>> inits_;  // by track
  std::uint32_t fragment_ = 1;                   // number of the next
  const Clock::time_point began_ = Clock::now();
  Duration media_{};  // duration of the segments on the air
};

}  // namespace

ReplayResult replay_live(const ReplayOptions& options, const std::atomic<bool>& stop, ProgressReport& progress) {
  return Replay{options, stop, progress}.run();
}

std::string move_in_time(std::string segment, std::uint64_t ticks) {
  const auto bytes = std::as_bytes(std::span{segment});
  std::vector<std::span<const std::byte>> times;
  for (const Box& box : boxes_in("the segment", bytes)) {
    if (box.type != "moof") continue;
    for (const Box& fragment : box.children()) {
      if (fragment.type == "traf") times.push_back(fragment.child("tfdt").body);
    }
  }
  if (times.empty()) throw BoxError{"no moof"};
  for (const std::span<const std::byte> body : times) {
    ByteReader reader{"tfdt", body};
    const std::size_t size = reader.u8() == 0 ? 4 : 8;
    reader.skip(3);
    std::uint64_t time = reader.number(size) + ticks;
    if (size == 4 && time > 0xffffffff) throw BoxError{"tfdt: the time does not fit in 32 bits"};
    const auto at = static_cast<std::size_t>(body.data() - bytes.data()) + 4;
    for (std::size_t i = size; i-- > 0; time >>= 8) segment[at + i] = static_cast<char>(time & 0xff);
  }
  return segment;
}

}  // namespace tributary::segmenter
