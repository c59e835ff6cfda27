#include "manifests/live/live_periods.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "manifests/manifest.hh"
#include "manifests/period_tracks.hh"

namespace tributary {
namespace {

constexpr std::uint32_t kLeastTicks = 1'000;  // a second; coarser ones would put later periods at wrong times
constexpr std::uint32_t kEnoughTicks = 90'000;
constexpr std::size_t kEnoughToCompare = 3;  // segments
constexpr std::uint32_t kNanoseconds = 1'000'000'000;

/// Whole ticks of all tracks, and not too coarse for periods that are not known yet.
std::uint32_t timescale_of(const OverPeriods& tracks) {
  const std::uint32_t common = common_timescale(tracks);
  return common < kLeastTicks ? common * (kEnoughTicks / common) : common;
}

bool is_picture(const PeriodTrack& track) { return track.listed.track.kind == TrackKind::kVideo; }

/// The qualities list enough to see which of them are cut alike.
bool can_be_compared(const ListedPeriod& period) {
  const auto listed = [](const PeriodTrack& track) { return track.listed.segments.size(); };
  const auto enough = [&](const PeriodTrack& track) { return is_picture(track) && listed(track) >= kEnoughToCompare; };
  return std::ranges::any_of(period.tracks, enough) ||
         std::ranges::all_of(period.tracks,
                             [&](const PeriodTrack& track) { return !is_picture(track) || listed(track) > 0; });
}

/// The tracks of the period, without qualities that cannot take the place of the first one of their set.
Presentation choices_of(const ListedPeriod& period, std::vector<std::string>& left_out) {
  Presentation choices;
  for (const PeriodTrack& track : period.tracks) {
    const auto first = std::ranges::find(period.tracks, track.listed.track.group,
                                         [](const PeriodTrack& other) { return other.listed.track.group; });
    const bool compared = is_picture(track) && &*first != &track;
    if (const auto why = compared ? why_not_switchable(track.listed, first->listed) : std::nullopt)
      left_out.push_back(fmt::format("{}: {}", track.place, *why));
    else
      choices.tracks.push_back(track.listed.track);
  }
  return choices;
}

/// What becomes of a track of a period in the title's ticks.
class InTitle {
 public:
  InTitle(const ListedPeriod& period, const Track& track, std::uint32_t number)
      : zero_{rescaled(period.begin.count(), kNanoseconds, track.timescale)},
        timescale_{track.timescale},
        number_{number} {}

  ListedSegment segment(const ListedSegment& listed, std::uint32_t timescale) const {
    ListedSegment segment = listed;
    segment.start = zero_ + rescaled(listed.start, timescale, timescale_);
    segment.duration = zero_ + rescaled(listed.start + listed.duration, timescale, timescale_) - segment.start;
    segment.stretch = number_;
    return segment;
  }
  ListedSegment silence(const ListedSegment& listed, std::uint32_t timescale) const {
    ListedSegment silent = segment(listed, timescale);
    silent.url.clear();
    return silent;
  }
  StretchStart start(const Track& of_period) const {
    return {of_period.init, rescaled(of_period.offset, of_period.timescale, timescale_) - zero_};
  }

 private:
  std::int64_t zero_;
  std::uint32_t timescale_, number_;
};

}  // namespace

LivePeriods::LivePeriods(std::span<const ListedPeriod> known) {
  std::vector<const ListedPeriod*> begun;
  for (const ListedPeriod& period : known) {
    if (can_be_compared(period)) begun.push_back(&period);
    left_out_.insert(left_out_.end(), period.left_out.begin(), period.left_out.end());
  }
  if (begun.empty()) begun.push_back(&known.back());
  std::vector<Presentation> choices;
  for (const ListedPeriod* period : begun) choices.push_back(choices_of(*period, left_out_));
  std::vector<std::vector<const Track*>> ladders, sounds;
  for (const Presentation& period : choices) {
    ladders.push_back(ladder_of(period, ""));
    sounds.push_back(tracks_of(period, TrackKind::kAudio));
  }
  for (const Track* picture : richest(ladders)) tracks_.push_back(*picture);
  pictures_ = tracks_.size();
  for (const Track* sound : richest(sounds)) tracks_.push_back(*sound);
  texts_ = (*std::ranges::max_element(begun, {}, [](const ListedPeriod* one) { return one->texts.size(); }))->texts;
  for (Track& text : texts_) text.text = {};
  if (pictures_ == 0) throw ManifestError{begun.front()->place + ": there is neither picture nor sound"};

  std::vector<OverPeriods> over_periods(tracks_.size());
  OverPeriods pictures;
  for (std::size_t i = 0; i < begun.size(); ++i) {
    const Known& here = choose(*begun[i], choices[i]);
    for (std::size_t t = 0; t < tracks_.size(); ++t) {
      const Track* track = choices[i].find_track(here.of_track[t]);
      over_periods[t].push_back(track);
      if (t < pictures_) pictures.push_back(track);
    }
    for (const PeriodTrack& track : begun[i]->tracks) {
      const bool played = std::ranges::find(here.played, track.listed.track.id) != here.played.end();
      if (!played && is_picture(track) && choices[i].find_track(track.listed.track.id) != nullptr)
        left_out_.push_back(fmt::format("{}: one set of pictures only is played of a live MPD", track.place));
    }
  }
  // Segments of all qualities begin at the same tick.
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    tracks_[t].timescale = timescale_of(t < pictures_ ? pictures : over_periods[t]);
    tracks_[t].init.reset();
    tracks_[t].offset = 0;
  }
}

const std::vector<std::string>* LivePeriods::played(const std::string& key) const {
  const auto known = known_.find(key);
  return known == known_.end() ? nullptr : &known->second.played;
}

const LivePeriods::Known& LivePeriods::choose(const ListedPeriod& period, const Presentation& choices) {
  const std::vector<const Track*> ladder = ladder_of(choices, codec_family(tracks_.front()));
  if (ladder.empty()) throw ManifestError{period.place + ": there is no picture, but other periods have pictures"};
  Known known{.number = static_cast<std::uint32_t>(known_.size()), .of_track = {}, .played = {}};
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track* track = i < pictures_ ? picture_for(tracks_[i], ladder) : sound_for(tracks_[i], choices);
    known.of_track.push_back(track == nullptr ? "" : track->id);
    if (track != nullptr && std::ranges::find(known.played, track->id) == known.played.end())
      known.played.push_back(track->id);
  }
  return known_.insert_or_assign(period.key, std::move(known)).first->second;
}

void LivePeriods::append(const ListedPeriod& period, Listing& listing) {
  auto known = known_.find(period.key);
  if (known == known_.end()) {
    if (!can_be_compared(period)) return;
    std::vector<std::string> left_out;
    choose(period, choices_of(period, left_out));
    known = known_.find(period.key);
  }
  const auto of_period = [&](std::size_t track) -> const ListedTrack* {
    const std::string& id = known->second.of_track[track];
    if (id.empty()) return nullptr;
    const auto found = std::ranges::find(period.tracks, id, [](const PeriodTrack& one) { return one.listed.track.id; });
    if (found == period.tracks.end())
      throw ManifestError{fmt::format("{}: the representation \"{}\" is gone", period.place, id)};
    return &found->listed;
  };
  const ListedTrack& picture = *of_period(0);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const InTitle in_title{period, tracks_[i], known->second.number};
    ListedTrack& into = listing.tracks[i];
    if (const ListedTrack* track = of_period(i)) {
      into.stretches[known->second.number] = in_title.start(track->track);
      for (const ListedSegment& segment : track->segments)
        into.segments.push_back(in_title.segment(segment, track->track.timescale));
    } else {
      for (const ListedSegment& segment : picture.segments)
        into.segments.push_back(in_title.silence(segment, picture.track.timescale));
    }
  }
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (const Track* text = text_for(texts_[i], period.texts))
      tributary::append(listing.texts[i].text, text->text, period.begin);
  }
  tributary::append(listing.thumbnails, period.thumbnails, period.begin);
}

}  // namespace tributary
