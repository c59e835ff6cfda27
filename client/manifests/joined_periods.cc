#include "manifests/joined_periods.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "manifests/listed_track.hh"
#include "manifests/period_tracks.hh"

namespace tributary {
namespace {

/// One track of all periods. Its segments are appended period by period.
class JoinedTrack {
 public:
  JoinedTrack(const Track& described_by, std::uint32_t timescale) : track_{described_by}, timescale_{timescale} {
    track_.timescale = timescale;
    track_.init.reset();
    track_.durations.clear();
    track_.sizes.clear();
    track_.places.clear();
    track_.estimated.clear();
  }

  /// `begins`: when its period begins, from the first one on.
  void append(const Track& part, Duration begins) {
    const std::int64_t zero = rescaled(begins.count(), kNanoseconds, timescale_);
    const auto in_common = [&](std::int64_t ticks) { return rescaled(ticks, part.timescale, timescale_); };
    auto ticks = static_cast<std::int64_t>(part.start);
    end_before(zero + in_common(ticks));
    begin_stretch(part, in_common(part.offset) - zero);
    for (std::size_t i = 0; i < part.sizes.size(); ++i) {
      starts_.push_back(zero + in_common(ticks));
      ticks += static_cast<std::int64_t>(part.durations[i]);
      track_.sizes.push_back(part.sizes[i]);
      track_.places.push_back(part.places[i]);
      track_.estimated.push_back(part.is_estimate(static_cast<SegmentIndex>(i)));
    }
    end_ = zero + in_common(ticks);
  }

  Track take() {
    track_.start = static_cast<std::uint64_t>(starts_.front());
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::int64_t end = i + 1 < starts_.size() ? starts_[i + 1] : end_;
      track_.durations.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(end - starts_[i], 1)));
    }
    if (std::ranges::find(track_.estimated, true) == track_.estimated.end()) track_.estimated.clear();
    return std::move(track_);
  }

 private:
  static constexpr std::uint32_t kNanoseconds = 1'000'000'000;

  /// Segments that begin later belong to what comes now.
  void end_before(std::int64_t begin) {
    while (starts_.size() > 1 && starts_.back() >= begin) {
      starts_.pop_back();
      track_.sizes.pop_back();
      track_.places.pop_back();
      track_.estimated.pop_back();
    }
  }

  void begin_stretch(const Track& part, std::int64_t offset) {
    const auto first = static_cast<SegmentIndex>(starts_.size());
    while (!track_.stretches.empty() && track_.stretches.back().first >= first) track_.stretches.pop_back();
    if (starts_.empty()) {
      track_.init = part.init;
      track_.offset = offset;
    } else {
      track_.stretches.push_back({first, part.init, offset});
    }
  }

  Track track_;
  std::uint32_t timescale_;
  std::vector<std::int64_t> starts_;  // of its segments
  std::int64_t end_ = 0;              // of the last
};

class Joining {
 public:
  explicit Joining(std::span<const PeriodTitle> periods) : periods_{periods} {}

  Opened read() {
    for (const PeriodTitle& period : periods_) {
      if (ladder_of(period.opened.presentation, "").empty())
        throw ManifestError{period.place + ": there is no picture, but other periods have pictures"};
      for (const std::string& what : period.opened.left_out) opened_.left_out.push_back(what);
      opened_.alternatives.add(period.opened.alternatives);
    }
    join_pictures();
    join_sounds();
    join_texts();
    for (const PeriodTitle& period : periods_)
      append(opened_.presentation.thumbnails, period.opened.presentation.thumbnails, begins(period));
    return std::move(opened_);
  }

 private:
  void join_pictures() {
    std::vector<std::vector<const Track*>> ladders;
    for (const PeriodTitle& period : periods_) ladders.push_back(ladder_of(period.opened.presentation, ""));
    const std::vector<const Track*> qualities = richest(ladders);
    std::vector<OverPeriods> over_periods(qualities.size());
    for (const PeriodTitle& period : periods_) {
      const auto here = ladder_of(period.opened.presentation, codec_family(*qualities.front()));
      for (std::size_t i = 0; i < qualities.size(); ++i) over_periods[i].push_back(picture_for(*qualities[i], here));
    }
    // Equal ticks: segments of all qualities begin at the same time.
    OverPeriods all;
    for (const OverPeriods& tracks : over_periods) all.insert(all.end(), tracks.begin(), tracks.end());
    const std::uint32_t timescale = common_timescale(all);
    for (std::size_t i = 0; i < qualities.size(); ++i) {
      Track track = join(*qualities[i], over_periods[i], timescale);
      const auto& tracks = opened_.presentation.tracks;
      const auto why = tracks.empty() ? std::nullopt : why_not_switchable(track, tracks.front());
      if (why)
        opened_.left_out.push_back(fmt::format("{}: {}", track.id, *why));
      else
        opened_.presentation.tracks.push_back(std::move(track));
    }
  }

  void join_sounds() {
    std::vector<std::vector<const Track*>> sounds;
    for (const PeriodTitle& period : periods_)
      sounds.push_back(tracks_of(period.opened.presentation, TrackKind::kAudio));
    for (const Track* sound : richest(sounds)) {
      OverPeriods tracks;
      for (const PeriodTitle& period : periods_) tracks.push_back(sound_for(*sound, period.opened.presentation));
      opened_.presentation.tracks.push_back(join(*sound, tracks, common_timescale(tracks)));
    }
  }

  /// A period without a text of that language is silent.
  void join_texts() {
    std::vector<std::vector<const Track*>> texts;
    for (const PeriodTitle& period : periods_) texts.push_back(tracks_of(period.opened.presentation, TrackKind::kText));
    for (const Track* text : richest(texts)) {
      Track joined = *text;
      joined.text = {};
      for (const PeriodTitle& period : periods_) {
        if (const Track* here = text_for(*text, period.opened.presentation.tracks))
          append(joined.text, here->text, begins(period));
      }
      opened_.presentation.tracks.push_back(std::move(joined));
    }
  }

  Duration begins(const PeriodTitle& period) const { return period.start - periods_.front().start; }

  Track join(const Track& described_by, const OverPeriods& tracks, std::uint32_t timescale) const {
    JoinedTrack joined{described_by, timescale};
    for (std::size_t i = 0; i < periods_.size(); ++i) {
      if (tracks[i] != nullptr) joined.append(*tracks[i], begins(periods_[i]));
    }
    return joined.take();
  }

  std::span<const PeriodTitle> periods_;
  Opened opened_;
};

}  // namespace

Opened joined(std::span<const PeriodTitle> periods) { return Joining{periods}.read(); }

}  // namespace tributary
