#include "manifests/live/live_mpd.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "dash/mpd_error.hh"
#include "dash/reading/mpd_reader.hh"
#include "dash/segments/segment_list.hh"
#include "manifests/manifest.hh"
#include "transport/connections/origin.hh"
#include "units/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongestWindow = 6h;   // of what is there when the stream begins; each segment needs memory
constexpr Duration kShortestUpdate = 1s;  // between two fetches of an MPD with a template
constexpr Duration kBetweenDoubts = 3s;   // between two fetches when segments are not there
constexpr Duration kMargin = 10s;         // of what is listed once more, of tracks that are not cut alike
constexpr Duration kFromTheBeginning = -24h;

std::chrono::milliseconds ms(Duration time) { return std::chrono::ceil<std::chrono::milliseconds>(time); }
TimePoint point(UtcTime time) { return TimePoint{time.time_since_epoch()}; }

const dash::SegmentTimes* times_of(const dash::Representation& representation) {
  if (const auto* list = std::get_if<dash::ListAddressing>(&representation.addressing)) return &list->times;
  if (const auto* pattern = std::get_if<dash::TemplateAddressing>(&representation.addressing)) return &pattern->times;
  return nullptr;
}

/// A timeline lists what there is, whatever our clock says.
bool lists_segments(const dash::Representation& representation) {
  const auto* times = times_of(representation);
  return times != nullptr && times->timeline && !times->timeline->empty() && times->timeline->back().count;
}

/// Whether a clock alone brings further segments: those of a template, or of a timeline that lists what is to come.
bool lists_later_ones(const dash::Representation& representation, const dash::Segments& there) {
  if (!lists_segments(representation)) return true;
  const dash::TimelineRun& last = times_of(representation)->timeline->back();
  return there.list.empty() ||
         there.list.back().start + there.list.back().duration < last.start + *last.count * last.duration;
}

/// Where a timeline begins, since the period does.
std::optional<Duration> listed_begin(const dash::Representation& representation) {
  const auto* times = times_of(representation);
  if (times == nullptr || !times->timeline || times->timeline->empty()) return std::nullopt;
  const std::int64_t begin = times->timeline->front().start - times->presentation_time_offset;
  return from_seconds(static_cast<double>(begin) / times->timescale);
}

/// Segments are asked for when they are complete. Our clock may be a segment behind the origin's: what a timeline lists
/// counts as complete that much earlier, unless the MPD says that it lists segments before they are.
void set_availability(dash::Mpd& mpd) {
  for (dash::Period& period : mpd.periods) {
    for (dash::AdaptationSet& set : period.sets) {
      for (dash::Representation& representation : set.representations) {
        const bool early = representation.availability_offset > Duration{};
        representation.availability_offset = {};
        if (early || !lists_segments(representation)) continue;
        const auto* times = times_of(representation);
        representation.availability_offset =
            from_seconds(static_cast<double>(times->timeline->back().duration) / times->timescale);
      }
    }
  }
}

}  // namespace

LiveMpd::LiveMpd(dash::Mpd mpd, std::string url, UtcTime now)
    : url_{std::move(url)}, next_url_{url_}, period_id_{mpd.periods.front().id}, fetched_{now} {
  read(std::move(mpd));
  const MpdTracks tracks{mpd_, mpd_.periods[period_], url_};
  left_out_ = tracks.left_out();
  for (const std::string& place : tracks.beside())
    left_out_.push_back(place + ": texts and thumbnails of live titles are not shown yet");
  choose(tracks, list_all(tracks, now, kFromTheBeginning));
  expect_next(list(now, since_zero(now) - kMargin), now);
}

/// The first set of pictures, as far as its qualities can take each other's place, and all sounds.
void LiveMpd::choose(const MpdTracks& tracks, const Listing& listing) {
  const auto is_picture = [](const ListedTrack& listed) { return listed.track.kind == TrackKind::kVideo; };
  const auto first = std::ranges::find_if(listing.tracks, is_picture);
  if (first == listing.tracks.end())
    throw ManifestError{mpd_.periods[period_].place + ": there is no picture, and sound alone cannot be played yet"};
  for (std::size_t i = 0; i < listing.tracks.size(); ++i) {
    const ListedTrack& listed = listing.tracks[i];
    std::optional<std::string> why;
    if (is_picture(listed) && &listed != &*first)
      why = listed.track.group == first->track.group ? why_not_switchable(listed, *first)
                                                     : "one set of pictures only is played of a live MPD";
    if (why) {
      left_out_.push_back(fmt::format("{}: {}", tracks.chosen()[i].representation->place, *why));
    } else {
      played_.insert(is_picture(listed)
                         ? played_.begin() + std::ranges::count_if(played_,
                                                                   [&](const std::string& id) {
                                                                     return std::ranges::any_of(
                                                                         listing.tracks, [&](const ListedTrack& other) {
                                                                           return other.track.id == id &&
                                                                                  is_picture(other);
                                                                         });
                                                                   })
                         : played_.end(),
                     listed.track.id);
    }
  }
}

void LiveMpd::read(dash::Mpd mpd) {
  mpd_ = std::move(mpd);
  set_availability(mpd_);
  const auto found = std::ranges::find(mpd_.periods, period_id_, &dash::Period::id);
  if (found == mpd_.periods.end())
    throw ManifestError{"the period that was played has left the MPD, and another one cannot be played yet"};
  period_ = static_cast<std::size_t>(found - mpd_.periods.begin());
  by_timeline_ = std::ranges::any_of(found->sets, [](const dash::AdaptationSet& set) {
    return set.kind == dash::MediaKind::kVideo && std::ranges::any_of(set.representations, lists_segments);
  });
  if (!mpd_.locations.empty()) next_url_ = absolute_url(url_, mpd_.locations.front());
}

Duration LiveMpd::since_zero(UtcTime now) const {
  return now - mpd_.availability_start.value_or(UtcTime{}) - mpd_.periods[period_].start.value_or(Duration{});
}

Duration LiveMpd::depth() const {
  return std::min(mpd_.time_shift_buffer_depth.value_or(kLongestWindow), kLongestWindow);
}

/// The same MPD for those who look for segments that end after `after`.
dash::Mpd LiveMpd::window(UtcTime now, Duration after) const {
  dash::Mpd window;
  window.dynamic = mpd_.dynamic;
  window.availability_start = mpd_.availability_start;
  window.publish_time = mpd_.publish_time;
  window.time_shift_buffer_depth = std::clamp(since_zero(now) - after + kMargin, Duration{}, depth());
  return window;
}

Listing LiveMpd::list_all(const MpdTracks& tracks, UtcTime now, Duration after) const {
  const dash::Mpd window = this->window(now, after);
  const dash::Period& period = mpd_.periods[period_];
  Listing listing;
  bool more = false;
  for (const MpdTracks::Chosen& chosen : tracks.chosen()) {
    if (!played_.empty() && std::ranges::find(played_, chosen.track.id) == played_.end()) continue;
    const dash::AvailableSegments there = dash::available_segments(window, period, *chosen.representation, now);
    listing.tracks.push_back({tracks.track_of(chosen, there.segments), tracks.listed(chosen, there.segments)});
    if (!there.next) continue;
    more = true;
    if (!lists_later_ones(*chosen.representation, there.segments)) continue;
    listing.next = std::min(listing.next.value_or(*there.next), *there.next);
  }
  listing.complete = !more && (!mpd_.dynamic || !mpd_.minimum_update_period || !period.duration ||
                               since_zero(fetched_) >= *period.duration);
  return listing;
}

Listing LiveMpd::list(UtcTime now, Duration after) {
  try {
    const dash::Period& period = mpd_.periods[period_];
    const MpdTracks tracks{mpd_, period, url_};
    Listing all = list_all(tracks, now, after);
    Listing listing{
        .tracks = {}, .window_begin = since_zero(now) - depth(), .complete = all.complete, .next = all.next};
    for (const std::string& id : played_) {
      const auto found = std::ranges::find(all.tracks, id, [](const ListedTrack& listed) { return listed.track.id; });
      if (found == all.tracks.end())
        throw ManifestError{fmt::format("{}: the representation \"{}\" is gone", period.place, id)};
      listing.tracks.push_back(std::move(*found));
    }
    const auto first = std::ranges::find(tracks.chosen(), played_.front(),
                                         [](const MpdTracks::Chosen& chosen) { return chosen.track.id; });
    if (const auto begin = listed_begin(*first->representation))
      listing.window_begin = std::max(listing.window_begin, *begin);
    if (listing.complete && period_ + 1 < mpd_.periods.size())
      throw ManifestError{"another period begins, which cannot be played yet"};
    return listing;
  } catch (const dash::MpdError& error) {
    throw ManifestError{error.what()};
  }
}

std::vector<WantedFile> LiveMpd::due(UtcTime now) {
  const auto next = next_due();
  if (!next || *next > now) return {};
  return {{next_url_, std::nullopt}};
}

std::optional<UtcTime> LiveMpd::next_due() const {
  if (!mpd_.dynamic || !mpd_.minimum_update_period) return std::nullopt;
  const Duration least = std::max(*mpd_.minimum_update_period, by_timeline_ ? Duration{} : kShortestUpdate);
  const UtcTime allowed = fetched_ + ms(look_again_ ? std::min<Duration>(least, kBetweenDoubts) : least);
  if (!by_timeline_) return allowed;
  return std::max(allowed, UtcTime{ms(clock_.next_look().time_since_epoch())});
}

void LiveMpd::take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) {
  const FetchedFile& file = files.front();
  look_again_ = false;
  if (!file.unchanged) {
    try {
      url_ = file.url;
      read(dash::read_mpd(file.bytes));
    } catch (const dash::MpdError& error) {
      throw UnreadableForNow{error.what()};
    }
  }
  if (by_timeline_) {
    const Listing listing = list(now, since_zero(now) - kMargin);
    const auto& segments = listing.tracks.front().segments;
    if (segments.empty() || segments.back().start + segments.back().duration <= listed_end_) {
      clock_.missed(point(now));
      return;  // the next one need not wait for minimumUpdatePeriod: it is over, or it is not kept
    }
    clock_.found(point(sent));
    expect_next(listing, now);
  }
  fetched_ = sent;
}

void LiveMpd::expect_next(const Listing& listing, UtcTime now) {
  const ListedTrack& first = listing.tracks.front();
  if (!by_timeline_ || first.segments.empty()) return;
  const ListedSegment& last = first.segments.back();
  listed_end_ = last.start + last.duration;
  const auto time = [&](std::int64_t ticks) {
    return from_seconds(static_cast<double>(ticks) / first.track.timescale);
  };
  const Duration due = now.time_since_epoch() - since_zero(now) + time(listed_end_ + last.duration);
  clock_.expect(TimePoint{due}, time(last.duration), point(now));
}

}  // namespace tributary
