#include "manifests/mpd_tracks.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "dash/unplayable.hh"
#include "dash/url_query.hh"
#include "manifests/caption_channels.hh"
#include "manifests/manifest.hh"
#include "media/track_clock.hh"

namespace tributary {
namespace {

constexpr std::int64_t kEnoughForSound = 192'000;  // bit/s; more is hardly heard, and taken from the picture

/// Stands for the end of a text in a period whose end is not known.
constexpr Duration kUnknownEnd = std::chrono::hours{24};

/// A text whose form we cannot read.
std::optional<std::string> why_not_shown(const dash::Representation& text) {
  const std::string_view mime = text.mime_type, codecs = text.codecs;
  if (codecs.find("im1i") != std::string_view::npos || codecs.find("im2i") != std::string_view::npos)
    return "subtitles that are pictures are not shown";
  const bool in_mp4 = mime == "application/mp4" && (codecs.starts_with("stpp") || codecs.starts_with("wvtt"));
  if (in_mp4 || mime == "text/vtt" || mime == "application/ttml+xml") return std::nullopt;
  return fmt::format("subtitles of the kind \"{} {}\" are not shown", mime, codecs);
}

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
        add_captions(set);
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
        choose_text(set);
        break;
      case dash::MediaKind::kImage:
        choose_thumbnails(set);
        break;
      case dash::MediaKind::kOther:
        leave_out(set.place, "neither picture, sound nor text");
        break;
    }
  }
}

/// The first set that states a channel counts.
void MpdTracks::add_captions(const dash::AdaptationSet& set) {
  for (const dash::Descriptor& descriptor : set.accessibility) {
    if (descriptor.scheme != kCaptionScheme) continue;
    for (const CaptionChannel& channel : caption_channels(descriptor.value)) {
      const auto same = [&](const Track& other) { return other.captions == channel.channel; };
      if (!is_shown_channel(channel.channel) || std::ranges::any_of(captions_, same)) continue;
      captions_.push_back(caption_track(channel));
      captions_.back().id = names_.take(channel.channel);
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

/// Its representations differ in form only.
void MpdTracks::choose_text(const dash::AdaptationSet& set) {
  std::optional<std::string> why = "no representation";
  for (const dash::Representation& representation : set.representations) {
    why = dash::protection_of(representation);
    if (!why) why = why_not_shown(representation);
    if (!why && texts_.size() >= kMostTracks) why = "too many tracks";
    if (why) continue;
    Track track;
    track.id = names_.take(representation.id.empty() ? "text" : representation.id);
    track.kind = TrackKind::kText;
    track.group = fmt::format("text-{}", &set - period_.sets.data());
    track.codec = representation.codecs;
    track.mime = representation.mime_type;
    track.label = label_of(set);
    texts_.push_back({&set, &representation, std::move(track)});
    return;
  }
  leave_out(set.place, *why);
}

void MpdTracks::choose_thumbnails(const dash::AdaptationSet& set) {
  const auto width = [](const dash::Representation& one) {
    return one.width.value_or(0) / (one.tiles ? std::max(one.tiles->columns, 1) : 1);
  };
  for (const dash::Representation& representation : set.representations) {
    if (dash::protection_of(representation)) continue;
    if (!thumbnails_ || is_better_thumbnail(width(representation), width(*thumbnails_->representation)))
      thumbnails_ = Chosen{&set, &representation, {}};
  }
}

/// The files of a representation, as the period counts time. Throws MpdError and ManifestError.
SideFiles MpdTracks::side_files(const Chosen& chosen, const SegmentsOf& segments_of) const {
  const dash::Representation& representation = *chosen.representation;
  SideFiles side;
  const dash::Tiles tiles = representation.tiles.value_or(dash::Tiles{});
  const std::vector<std::string> bases = bases_of(chosen);
  const dash::Resolve resolve = UrlResolver{};
  const auto add = [&](const std::string& uri, const std::optional<ByteRange>& range, Duration start, Duration length) {
    side.files.push_back({file_at(address(chosen, bases, uri, resolve), range),
                          start,
                          length,
                          0,
                          {tiles.columns, tiles.rows, Duration{}}});
  };
  if (const auto* indexed = std::get_if<dash::IndexedAddressing>(&representation.addressing)) {
    // A text is small: the file is fetched as a whole, without its index.
    const auto offset = ticks_to_time(indexed->presentation_time_offset, indexed->timescale);
    side.stretches.push_back({std::nullopt, -offset.value_or(Duration{})});
    add("", std::nullopt, Duration{}, period_.duration.value_or(kUnknownEnd));
    return side;
  }
  if (std::holds_alternative<dash::WholeFile>(representation.addressing)) {
    side.stretches.push_back({std::nullopt, Duration{}});
    add("", std::nullopt, Duration{}, period_.duration.value_or(kUnknownEnd));
    return side;
  }
  const dash::Segments segments = segments_of(representation);
  const auto offset = ticks_to_time(segments.presentation_time_offset, segments.timescale);
  std::optional<Resource> init;
  if (segments.init) init = file_at(address(chosen, bases, segments.init->uri, resolve), segments.init->range);
  side.stretches.push_back({std::move(init), -offset.value_or(Duration{})});
  for (const dash::Segment& segment : segments.list) {
    const Duration start = segments.time_in_period(segment.start);
    add(segment.uri, segment.range, start, segments.time_in_period(segment.start + segment.duration) - start);
  }
  return side;
}

std::vector<Track> MpdTracks::texts(const SegmentsOf& segments_of, std::vector<std::string>& left_out) const {
  std::vector<Track> texts;
  std::size_t files = 0;
  for (const Chosen& chosen : texts_) {
    try {
      Track track = chosen.track;
      track.text = side_files(chosen, segments_of);
      files += track.text.files.size();
      texts.push_back(std::move(track));
    } catch (const std::runtime_error& error) {  // of the MPD, or of an address
      left_out.push_back(error.what());
    }
    check_segments(files);
  }
  texts.insert(texts.end(), captions_.begin(), captions_.end());
  return texts;
}

SideFiles MpdTracks::thumbnails(const SegmentsOf& segments_of, std::vector<std::string>& left_out) const {
  if (!thumbnails_) return {};
  try {
    return side_files(*thumbnails_, segments_of);
  } catch (const std::runtime_error& error) {
    left_out.push_back(error.what());
    return {};
  }
}

std::vector<std::string> MpdTracks::bases_of(const Chosen& chosen) const {
  return dash::bases_of(url_, base_urls_of(chosen), absolute_url);
}

std::string MpdTracks::address(const Chosen& chosen, const std::vector<std::string>& bases, const std::string& uri,
                               const dash::Resolve& resolve) const {
  return dash::with_queries(dash::address_of(bases, uri, resolve), chosen.representation->url_queries, url_);
}

std::vector<std::string> MpdTracks::addresses(const Chosen& chosen, const std::string& uri) const {
  std::vector<std::string> addresses = dash::addresses_of(bases_of(chosen), uri, absolute_url);
  for (std::string& address : addresses)
    address = dash::with_queries(address, chosen.representation->url_queries, url_);
  return addresses;
}

AlternativeAddresses MpdTracks::alternatives() const {
  AlternativeAddresses alternatives;
  const auto add = [&](const Chosen& chosen) {
    const dash::Addressing& addressing = chosen.representation->addressing;
    const bool one_file = std::holds_alternative<dash::IndexedAddressing>(addressing) ||
                          std::holds_alternative<dash::WholeFile>(addressing);
    alternatives.add(one_file ? addresses(chosen, "") : dash::addresses_of(bases_of(chosen), ".", absolute_url));
  };
  std::ranges::for_each(chosen_, add);
  std::ranges::for_each(texts_, add);
  if (thumbnails_) add(*thumbnails_);
  return alternatives;
}

Track MpdTracks::track_of(const Chosen& chosen, const dash::Segments& segments) const {
  Track track = chosen.track;
  track.timescale = segments.timescale;
  track.offset = segments.presentation_time_offset;
  if (segments.init) track.init = init_section(addresses(chosen, segments.init->uri).front(), segments.init->range);
  return track;
}

std::vector<ListedSegment> MpdTracks::listed(const Chosen& chosen, const dash::Segments& segments) const {
  std::vector<ListedSegment> listed;
  listed.reserve(segments.list.size());
  const std::vector<std::string> bases = bases_of(chosen);
  const dash::Resolve resolve = UrlResolver{};
  for (const dash::Segment& segment : segments.list) {
    ListedSegment& one =
        listed.emplace_back(ListedSegment{address(chosen, bases, segment.uri, resolve), segment.range,
                                          segment.start - segments.presentation_time_offset, segment.duration});
    one.continues = chosen.track.kind == TrackKind::kVideo && segment.part > 0 &&
                    (segment.shares_file || !chosen.set->parts_begin_anew);
    if (segment.shares_file)
      one.piece = {static_cast<std::uint32_t>(segment.part), static_cast<std::uint32_t>(segment.parts)};
  }
  return listed;
}

}  // namespace tributary
