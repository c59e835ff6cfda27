#include "manifests/mpd_presentation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "dash/segments/segment_list.hh"
#include "dash/unplayable.hh"
#include "manifests/joined_periods.hh"
#include "manifests/listed_track.hh"
#include "manifests/live/live_mpd.hh"
#include "manifests/live/live_title.hh"
#include "manifests/live/origin_time.hh"
#include "manifests/mpd_tracks.hh"
#include "manifests/segment_indexes.hh"
#include "media/track_clock.hh"

namespace tributary {
namespace {

WantedFile wanted_file(std::vector<std::string> addresses, const std::optional<ByteRange>& range) {
  WantedFile file{addresses.front(), range};
  file.also_at.assign(std::next(addresses.begin()), addresses.end());
  return file;
}

/// The segments of all tracks; `sidx` boxes are fetched, all at once. Nothing for a track whose index cannot be had: `left_out`
/// says so.
std::vector<std::optional<dash::Segments>> segments_of(const MpdTracks& tracks, const dash::Period& period,
                                                       const FetchFiles& fetch, std::vector<std::string>& left_out) {
  std::vector<WantedIndex> wanted;
  for (const MpdTracks::Chosen& chosen : tracks.chosen()) {
    if (const auto* indexed = std::get_if<dash::IndexedAddressing>(&chosen.representation->addressing))
      wanted.push_back({wanted_file(tracks.addresses(chosen, indexed->index.uri), indexed->index.range),
                        wanted_file(tracks.addresses(chosen, ""), std::nullopt)});
  }
  const std::vector<IndexedFile> indexes = fetch_segment_indexes(wanted, fetch);
  auto index = indexes.begin();
  std::vector<std::optional<dash::Segments>> segments;
  std::size_t count = 0;
  for (const MpdTracks::Chosen& chosen : tracks.chosen()) {
    if (const auto* indexed = std::get_if<dash::IndexedAddressing>(&chosen.representation->addressing)) {
      const IndexedFile& file = *index++;
      if (!file.failure.empty()) {
        left_out.push_back(fmt::format("{}: {}", chosen.representation->place, file.failure));
        segments.emplace_back();
        continue;
      }
      segments.push_back(dash::indexed_segments(*indexed, file.timescale, file.parts));
    } else {
      segments.push_back(dash::all_segments(period, *chosen.representation));
    }
    count += segments.back()->list.size();
    check_segments(count);
  }
  return segments;
}

/// Throws ManifestError if the period has pictures, and all of them are left out.
void check_pictures_are_left(const MpdTracks& tracks, const Opened& opened) {
  const auto is_picture = [](const Track& track) { return track.kind == TrackKind::kVideo; };
  const auto had = std::ranges::any_of(tracks.chosen(), [&](const auto& chosen) { return is_picture(chosen.track); });
  if (had && std::ranges::none_of(opened.presentation.tracks, is_picture))
    throw ManifestError{fmt::format("no picture can be played: {}", fmt::join(opened.left_out, "; "))};
}

Opened title_of(const dash::Mpd& mpd, const dash::Period& period, const std::string& url, const FetchFiles& fetch) {
  const MpdTracks chosen{mpd, period, url};
  Opened opened;
  opened.left_out = chosen.left_out();
  const auto segments = segments_of(chosen, period, fetch, opened.left_out);
  opened.alternatives = chosen.alternatives();
  std::vector<Track>& tracks = opened.presentation.tracks;
  for (std::size_t i = 0; i < chosen.chosen().size(); ++i) {
    const MpdTracks::Chosen& one = chosen.chosen()[i];
    if (!segments[i]) continue;
    Track track = chosen.track_of(one, *segments[i]);
    set_segments(track, chosen.listed(one, *segments[i]), one.representation->place);
    const auto first = std::ranges::find(tracks, track.group, &Track::group);
    if (first != tracks.end()) {
      if (const auto why = why_not_switchable(track, *first)) {
        opened.left_out.push_back(fmt::format("{}: {}", one.representation->place, *why));
        continue;
      }
    }
    tracks.push_back(std::move(track));
    check_segments(count_segments(tracks));
  }
  check_pictures_are_left(chosen, opened);
  const auto all = [&](const dash::Representation& one) { return dash::all_segments(period, one); };
  opened.presentation.thumbnails = chosen.thumbnails(all, opened.left_out);
  std::size_t files = opened.presentation.thumbnails.files.size();
  for (Track& text : chosen.texts(all, opened.left_out)) {
    if (text.text.empty() && text.captions.empty()) continue;
    files += text.text.files.size();
    check_segments(files);
    tracks.push_back(std::move(text));
  }
  return opened;
}

Opened on_demand(const dash::Mpd& mpd, const std::string& url, const FetchFiles& fetch) {
  std::vector<PeriodTitle> periods;
  std::size_t segments = 0;
  for (const dash::Period& period : mpd.periods) {
    if (!period.start) continue;  // available early, and not to be played yet
    periods.push_back({period.place, *period.start, title_of(mpd, period, url, fetch)});
    segments += count_segments(periods.back().opened.presentation.tracks);
    check_segments(segments);
  }
  if (periods.empty()) throw ManifestError{"no period of this MPD has a start"};
  Opened opened = periods.size() == 1 ? std::move(periods.front().opened) : joined(periods);
  check_segments(count_segments(opened.presentation.tracks));  // short periods are joined again for each quality
  opened.presentation.own_grids = true;
  return opened;
}

/// The alternative addresses of all periods that can be played.
AlternativeAddresses alternatives_of(const dash::Mpd& mpd, const std::string& url) {
  AlternativeAddresses alternatives;
  for (const dash::Period& period : mpd.periods) {
    if (!dash::why_unplayable(period)) alternatives.add(MpdTracks{mpd, period, url}.alternatives());
  }
  return alternatives;
}

/// Where the last period ends, by the MPD itself, or by its periods if no later MPD can add to them.
std::optional<Duration> stated_end(const dash::Mpd& mpd) {
  if (mpd.presentation_duration) return mpd.presentation_duration;
  const dash::Period& last = mpd.periods.back();
  if (mpd.minimum_update_period || !last.start || !last.duration) return std::nullopt;
  return *last.start + *last.duration;
}

/// The MPD of a stream that is over: what it lists is all that there was.
bool ended_long_ago(const dash::Mpd& mpd, UtcTime now) {
  constexpr auto kLongAgo = std::chrono::minutes{10};  // clocks differ, and the last segments are on their way
  if (mpd.availability_end && *mpd.availability_end + kLongAgo < now) return true;
  const auto end = stated_end(mpd);
  return end && mpd.availability_start &&
         *mpd.availability_start + std::chrono::ceil<std::chrono::milliseconds>(*end) + kLongAgo < now;
}

/// The same title, on demand. An end that only the clock states is that of its last period.
dash::Mpd as_on_demand(dash::Mpd mpd) {
  mpd.dynamic = false;
  dash::Period& last = mpd.periods.back();
  if (!last.duration && last.start && mpd.availability_start && mpd.availability_end)
    last.duration = std::max<Duration>(*mpd.availability_end - *mpd.availability_start - *last.start, Duration{});
  return mpd;
}

/// By how much later than it was captured a moment is, by the clock of the MPD, from which latency is counted.
Duration since_capture(const dash::Mpd& mpd) {
  const dash::Period& period = mpd.periods.back();
  const auto told = std::ranges::find_if(period.sets, [](const auto& set) { return set.producer_time.has_value(); });
  if (told == period.sets.end() || !period.start || !mpd.availability_start) return {};
  const auto* const pattern = std::get_if<dash::TemplateAddressing>(&told->representations.front().addressing);
  if (pattern == nullptr) return {};
  const dash::SegmentTimes& times = pattern->times;
  const auto in_period =
      ticks_to_time(told->producer_time->presentation_time - times.presentation_time_offset, times.timescale);
  if (!in_period) return {};
  return *mpd.availability_start - told->producer_time->wall_clock + *period.start + *in_period;
}

/// A target counts from the capture. What passes before a moment is there by the clock cannot be made up for.
std::optional<Duration> target_of(const dash::Mpd& mpd) {
  if (!mpd.target_latency) return std::nullopt;
  const Duration since = std::clamp(since_capture(mpd), Duration{}, *mpd.target_latency / 2);
  return *mpd.target_latency - since;
}

Opened live(dash::Mpd mpd, const std::string& url, const FetchFiles& fetch, const ManifestMoment& moment) {
  const auto began = std::chrono::steady_clock::now();
  const OriginTime clock = origin_time(mpd, url, fetch, moment);
  const Duration since = std::chrono::steady_clock::now() - began;
  const std::optional<Duration> delay = mpd.suggested_presentation_delay;
  const UtcTime now = moment.now + std::chrono::floor<std::chrono::milliseconds>(since + clock.offset.least());
  Opened opened;
  opened.alternatives = alternatives_of(mpd, url);
  const std::optional<Duration> target = target_of(mpd);
  auto manifest = std::make_unique<LiveMpd>(std::move(mpd), url, now, moment.by_parts);
  const bool in_parts = manifest->goes_by_parts();
  opened.left_out = manifest->left_out();
  const UtcTime zero = manifest->zero();
  opened.live = std::make_unique<LiveTitle>(std::move(manifest), clock.offset, clock.stated);
  opened.presentation = opened.live->begin(now);
  opened.presentation.live = LiveWindow{.availability_start = zero};
  opened.presentation.in_parts = in_parts;
  opened.presentation.suggested_delay = in_parts && target ? target : delay;
  return opened;
}

}  // namespace

Opened presentation_of_mpd(dash::Mpd mpd, const std::string& url, const FetchFiles& fetch,
                           const ManifestMoment& moment) {
  const std::vector<std::string> left_out = mpd.left_out;
  const std::string title = mpd.title;
  if (mpd.dynamic && ended_long_ago(mpd, moment.now)) mpd = as_on_demand(std::move(mpd));
  Opened opened = mpd.dynamic ? live(std::move(mpd), url, fetch, moment) : on_demand(mpd, url, fetch);
  opened.left_out.insert(opened.left_out.begin(), left_out.begin(), left_out.end());
  opened.presentation.title = title;
  return opened;
}

}  // namespace tributary
