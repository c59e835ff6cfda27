#include "manifests/mpd_presentation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dash/segments/segment_list.hh"
#include "dash/unplayable.hh"
#include "dash/url_query.hh"
#include "manifests/joined_periods.hh"
#include "manifests/listed_track.hh"
#include "manifests/segment_indexes.hh"

namespace tributary {
namespace {

constexpr std::int64_t kEnoughForSound = 192'000;  // bit/s; more is hardly heard, and taken from the picture

std::optional<std::string> role_of(const dash::Descriptor& role) {
  if (role.scheme != "urn:mpeg:dash:role:2011") return std::nullopt;
  return role.value;
}

TrackLabel label_of(const dash::AdaptationSet& set) {
  TrackLabel label{.language = set.lang, .name = set.label, .roles = {}};
  for (const std::vector<dash::Descriptor>* descriptors : {&set.roles, &set.accessibility}) {
    for (const dash::Descriptor& descriptor : *descriptors) {
      const auto value = role_of(descriptor);
      const auto role = value ? track_role_from(*value) : std::nullopt;
      if (role && !label.has(*role)) label.roles.push_back(*role);
    }
  }
  std::ranges::sort(label.roles);
  return label;
}

/// One period on the way to a presentation.
class MpdTitle {
 public:
  MpdTitle(const dash::Mpd& mpd, const dash::Period& period, const std::string& url, const FetchFiles& fetch)
      : mpd_{mpd}, period_{period}, url_{url}, fetch_{fetch} {}

  Opened read();

 private:
  struct Chosen {
    const dash::AdaptationSet* set;
    const dash::Representation* representation;
  };
  void choose();
  void choose_pictures(const dash::AdaptationSet& set);
  void choose_sound(const dash::AdaptationSet& set);
  void leave_out(const std::string& place, const std::string& why) {
    opened_.left_out.push_back(fmt::format("{}: {}", place, why));
  }
  std::string address(const Chosen& chosen, const std::string& uri) const;
  Track track_of(const Chosen& chosen, const std::optional<IndexedFile>& index);
  dash::Segments segments_of(const Chosen& chosen, const std::optional<IndexedFile>& index) const;

  const dash::Mpd& mpd_;
  const dash::Period& period_;
  const std::string& url_;
  const FetchFiles& fetch_;
  TrackNames names_;
  std::vector<Chosen> chosen_;
  Opened opened_;
};

Opened MpdTitle::read() {
  if (const auto why = dash::why_unplayable(period_)) throw ManifestError{fmt::format("{}: {}", period_.place, *why)};
  choose();
  std::vector<WantedFile> wanted;
  std::vector<std::optional<std::size_t>> index_of;
  for (const Chosen& chosen : chosen_) {
    const auto* indexed = std::get_if<dash::IndexedAddressing>(&chosen.representation->addressing);
    index_of.push_back(indexed != nullptr ? std::optional{wanted.size()} : std::nullopt);
    if (indexed != nullptr) wanted.push_back({address(chosen, indexed->index.uri), indexed->index.range});
  }
  std::vector<IndexedFile> indexes = fetch_segment_indexes(wanted, fetch_);
  std::vector<Track>& tracks = opened_.presentation.tracks;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    Track track = track_of(chosen_[i], index_of[i] ? std::optional{std::move(indexes[*index_of[i]])} : std::nullopt);
    const auto first = std::ranges::find(tracks, track.group, &Track::group);
    if (first != tracks.end()) {
      if (const auto why = why_not_switchable(track, *first)) {
        leave_out(chosen_[i].representation->place, *why);
        continue;
      }
    }
    tracks.push_back(std::move(track));
    check_segments(tracks);
  }
  return std::move(opened_);
}

void MpdTitle::choose() {
  for (const dash::AdaptationSet& set : period_.sets) {
    if (set.trick_mode) continue;
    switch (set.kind) {
      case dash::MediaKind::kVideo:
        choose_pictures(set);
        break;
      case dash::MediaKind::kAudio:
        choose_sound(set);
        break;
      case dash::MediaKind::kText:
        leave_out(set.place, "texts of MPDs are not shown yet");
        break;
      case dash::MediaKind::kImage:
        leave_out(set.place, "thumbnails of MPDs are not shown yet");
        break;
      case dash::MediaKind::kOther:
        leave_out(set.place, "neither picture, sound nor text");
        break;
    }
  }
}

void MpdTitle::choose_pictures(const dash::AdaptationSet& set) {
  for (const dash::Representation& representation : set.representations) {
    if (const auto protection = dash::protection_of(representation)) {
      leave_out(representation.place, *protection);
    } else if (chosen_.size() >= kMostTracks) {
      leave_out(representation.place, "too many tracks");
    } else {
      chosen_.push_back({&set, &representation});
    }
  }
}

/// The best that is enough, or else the least.
void MpdTitle::choose_sound(const dash::AdaptationSet& set) {
  const dash::Representation* best = nullptr;
  const auto better = [&](const dash::Representation& a) {
    const bool a_fits = a.bandwidth <= kEnoughForSound, b_fits = best->bandwidth <= kEnoughForSound;
    return a_fits != b_fits ? a_fits : a_fits == (a.bandwidth > best->bandwidth);
  };
  for (const dash::Representation& representation : set.representations) {
    if (const auto protection = dash::protection_of(representation)) {
      leave_out(representation.place, *protection);
    } else if (best == nullptr || better(representation)) {
      best = &representation;
    }
  }
  if (best == nullptr) return;
  if (chosen_.size() >= 2 * kMostTracks) return leave_out(best->place, "too many tracks");
  chosen_.push_back({&set, best});
}

std::string MpdTitle::address(const Chosen& chosen, const std::string& uri) const {
  const std::array<const dash::BaseUrls*, 4> levels{&mpd_.base_urls, &period_.base_urls, &chosen.set->base_urls,
                                                    &chosen.representation->base_urls};
  const std::string address = dash::addresses_of(url_, levels, uri, absolute_url).front();
  return dash::with_queries(address, chosen.representation->url_queries, url_);
}

dash::Segments MpdTitle::segments_of(const Chosen& chosen, const std::optional<IndexedFile>& index) const {
  if (index)
    return dash::indexed_segments(std::get<dash::IndexedAddressing>(chosen.representation->addressing),
                                  index->timescale, index->parts);
  return dash::all_segments(period_, *chosen.representation);
}

Track MpdTitle::track_of(const Chosen& chosen, const std::optional<IndexedFile>& index) {
  const dash::Representation& representation = *chosen.representation;
  const bool picture = chosen.set->kind == dash::MediaKind::kVideo;
  Track track;
  track.id = names_.take(representation.id.empty() ? (picture ? "video" : "audio") : representation.id);
  track.kind = picture ? TrackKind::kVideo : TrackKind::kAudio;
  const auto set = static_cast<std::size_t>(chosen.set - period_.sets.data());
  track.group = fmt::format("{}-{}", picture ? "video" : "audio", set);
  track.codec = representation.codecs;
  track.mime = representation.mime_type;
  track.width = representation.width.value_or(0);
  track.height = representation.height.value_or(0);
  if (const auto& rate = representation.frame_rate) {
    track.frame_rate_num = rate->numerator;
    track.frame_rate_den = rate->denominator;
  }
  track.sample_rate = representation.audio_sampling_rate.value_or(0);
  track.channels = representation.channels.value_or(0);
  track.label = label_of(*chosen.set);
  const auto stated = DataRate::bits_per_second(static_cast<double>(representation.bandwidth));
  const DataRate bandwidth = stated > DataRate{} ? stated : kUnstatedBitrate;
  track.bitrate = {bandwidth, bandwidth, bandwidth, bandwidth};

  const dash::Segments segments = segments_of(chosen, index);
  track.timescale = segments.timescale;
  track.offset = segments.presentation_time_offset;
  if (segments.init) track.init = init_section(address(chosen, segments.init->uri), segments.init->range);
  std::vector<ListedSegment> listed;
  for (const dash::Segment& segment : segments.list)
    listed.push_back({address(chosen, segment.uri), segment.range, segment.start - segments.presentation_time_offset,
                      segment.duration});
  set_segments(track, listed, representation.place);
  return track;
}

}  // namespace

Opened presentation_of_mpd(const dash::Mpd& mpd, const std::string& url, const FetchFiles& fetch) {
  if (mpd.dynamic) throw ManifestError{"this MPD is live (type=\"dynamic\"), which cannot be played yet"};
  std::vector<PeriodTitle> periods;
  for (const dash::Period& period : mpd.periods) {
    if (!period.start) continue;  // available early, and not to be played yet
    periods.push_back({period.place, *period.start, MpdTitle{mpd, period, url, fetch}.read()});
  }
  if (periods.empty()) throw ManifestError{"no period of this MPD has a start"};
  Opened opened = periods.size() == 1 ? std::move(periods.front().opened) : joined(periods);
  check_segments(opened.presentation.tracks);
  opened.left_out.insert(opened.left_out.begin(), mpd.left_out.begin(), mpd.left_out.end());
  Presentation& presentation = opened.presentation;
  presentation.own_grids = true;
  return opened;
}

}  // namespace tributary
