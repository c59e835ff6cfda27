#include "manifests/mpd_tracks.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dash/unplayable.hh"
#include "dash/url_query.hh"
#include "manifests/manifest.hh"

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

bool has_pictures(const dash::Period& period) {
  return std::ranges::any_of(period.sets, [](const dash::AdaptationSet& set) {
    return set.kind == dash::MediaKind::kVideo && !set.trick_mode;
  });
}

std::string_view family_of(const dash::Representation& representation) {
  return std::string_view{representation.codecs}.substr(0, representation.codecs.find('.'));
}

}  // namespace

MpdTracks::MpdTracks(const dash::Mpd& mpd, const dash::Period& period, const std::string& url)
    : mpd_{mpd}, period_{period}, url_{url}, sound_alone_{std::ranges::none_of(mpd.periods, has_pictures)} {
  if (const auto why = dash::why_unplayable(period_)) throw ManifestError{fmt::format("{}: {}", period_.place, *why)};
  choose();
}

void MpdTracks::leave_out(const std::string& place, const std::string& why) {
  left_out_.push_back(fmt::format("{}: {}", place, why));
}

void MpdTracks::choose() {
  for (const dash::AdaptationSet& set : period_.sets) {
    if (set.trick_mode) continue;
    switch (set.kind) {
      case dash::MediaKind::kVideo:
        choose_ladder(set);
        break;
      case dash::MediaKind::kAudio:
        if (!sound_alone_)
          choose_sound(set);
        else if (chosen_.empty())
          choose_ladder(set);
        else
          leave_out(set.place, "one sound only is played of a title without pictures");
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

void MpdTracks::choose_ladder(const dash::AdaptationSet& set) {
  for (const dash::Representation& representation : set.representations) {
    if (const auto protection = dash::protection_of(representation)) {
      leave_out(representation.place, *protection);
    } else if (sound_alone_ && family_of(representation) != family_of(set.representations.front())) {
      leave_out(representation.place, "has another codec than the first one of its set");
    } else if (chosen_.size() >= kMostTracks) {
      leave_out(representation.place, "too many tracks");
    } else {
      choose(set, representation);
    }
  }
}

/// The best that is enough, or else the least.
void MpdTracks::choose_sound(const dash::AdaptationSet& set) {
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
  choose(set, *best);
}

void MpdTracks::choose(const dash::AdaptationSet& set, const dash::Representation& representation) {
  const bool picture = set.kind == dash::MediaKind::kVideo || sound_alone_;
  Track track;
  track.id = names_.take(representation.id.empty() ? (picture ? "video" : "audio") : representation.id);
  track.kind = picture ? TrackKind::kVideo : TrackKind::kAudio;
  track.group = fmt::format("{}-{}", picture ? "video" : "audio", &set - period_.sets.data());
  if (!sound_alone_) track.codec = representation.codecs;
  track.mime = representation.mime_type;
  track.width = representation.width.value_or(0);
  track.height = representation.height.value_or(0);
  if (const auto& rate = representation.frame_rate) {
    track.frame_rate_num = rate->numerator;
    track.frame_rate_den = rate->denominator;
  }
  track.sample_rate = representation.audio_sampling_rate.value_or(0);
  track.channels = representation.channels.value_or(0);
  track.label = label_of(set);
  const auto stated = DataRate::bits_per_second(static_cast<double>(representation.bandwidth));
  const DataRate bandwidth = stated > DataRate{} ? stated : kUnstatedBitrate;
  track.bitrate = {bandwidth, bandwidth, bandwidth, bandwidth};
  chosen_.push_back({&set, &representation, std::move(track)});
}

std::string MpdTracks::address(const Chosen& chosen, const std::string& uri) const {
  const std::array<const dash::BaseUrls*, 4> levels{&mpd_.base_urls, &period_.base_urls, &chosen.set->base_urls,
                                                    &chosen.representation->base_urls};
  const std::string address = dash::addresses_of(url_, levels, uri, absolute_url).front();
  return dash::with_queries(address, chosen.representation->url_queries, url_);
}

Track MpdTracks::track_of(const Chosen& chosen, const dash::Segments& segments) const {
  Track track = chosen.track;
  track.timescale = segments.timescale;
  track.offset = segments.presentation_time_offset;
  if (segments.init) track.init = init_section(address(chosen, segments.init->uri), segments.init->range);
  return track;
}

std::vector<ListedSegment> MpdTracks::listed(const Chosen& chosen, const dash::Segments& segments) const {
  std::vector<ListedSegment> listed;
  listed.reserve(segments.list.size());
  for (const dash::Segment& segment : segments.list)
    listed.push_back({address(chosen, segment.uri), segment.range, segment.start - segments.presentation_time_offset,
                      segment.duration});
  return listed;
}

}  // namespace tributary
