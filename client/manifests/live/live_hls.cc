#include "manifests/live/live_hls.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "manifests/manifest.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFilesTogether = 16;
constexpr Duration kLongestHole = 1h;  // of an encoder that was away
constexpr Duration kOverdue = 200ms;   // for an answer that nobody holds

/// A playlist whose encoder has not begun, or has begun anew.
class EmptyForNow : public UnreadableForNow {
 public:
  using UnreadableForNow::UnreadableForNow;
};

}  // namespace

LiveHls::LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, const FetchFiles& fetch, UtcTime now)
    : variables_{std::move(played.variables)}, timeline_{std::move(played.timeline)}, by_parts_{played.by_parts} {
  std::exception_ptr first_fault;
  for (std::size_t i = 0; i < files.size(); ++i) {
    FollowedPlaylist& rendition = renditions_.emplace_back();
    rendition.listed = std::move(played.playlists[i]);
    rendition.listed.track.timescale = kHlsTimescale;
    rendition.fetched = now;
    rendition.known.by_parts = played.by_parts;
    try {
      begin(rendition, files[i], fetch);
      rendition.grow(now);
    } catch (const std::runtime_error& error) {
      const bool is_empty = rendition.is_picture() && dynamic_cast<const NothingPublishedYet*>(&error) != nullptr;
      if (!first_fault || is_empty) first_fault = std::current_exception();
      rendition.is_there = false;
      rendition.fail(error.what(), now);
      left_out_.push_back(fmt::format("{}: {}", rendition.listed.track.id, error.what()));
    }
  }
  const FollowedPlaylist* const first = reference(renditions_);
  if (first == nullptr) std::rethrow_exception(first_fault);
  const auto ms = [](std::int64_t ticks) {
    return std::chrono::floor<std::chrono::milliseconds>(from_seconds(static_cast<double>(ticks) / kHlsTimescale));
  };
  const auto date = first->known.zero_date;
  zero_ = date ? *date - ms(first->known.date_shift) : now - ms(first->known.end());
  leave_out_what_differs();
  list_the_same_in_parts();
  tell_timeline();
}

void LiveHls::begin(FollowedPlaylist& rendition, const FetchedFile& file, const FetchFiles& fetch) {
  if (!file.failure.empty()) throw ManifestError{file.failure};
  try {
    hls::MediaPlaylist playlist = read(file);
    keys_.fetch(playlist, file.url, fetch);
    if (beside(rendition) == nullptr) take_delay(playlist);
    rendition.known.begin({playlist, file.url, keys_}, beside(rendition));
    rendition.deltas.took(std::move(playlist));
  } catch (const EmptyForNow& error) {
    throw NothingPublishedYet{fmt::format("{}: {}", redacted(file.url), error.what())};
  } catch (const std::runtime_error& error) {
    throw ManifestError{fmt::format("{}: {}", redacted(file.url), error.what())};
  }
}

const HlsRendition* LiveHls::beside(const FollowedPlaylist& rendition) const {
  const FollowedPlaylist* const first = reference(renditions_);
  return first == nullptr || first == &rendition ? nullptr : &first->known;
}

void LiveHls::tell_timeline() {
  const FollowedPlaylist* const first = reference(renditions_);
  if (timeline_ && first != nullptr) timeline_->set(first->known);
}

void LiveHls::take_delay(const hls::MediaPlaylist& playlist) {
  const hls::ServerControl& control = playlist.server_control;
  delay_ = by_parts_ && control.part_hold_back ? control.part_hold_back : control.hold_back;
  if (!delay_ && playlist.start && playlist.start->offset < Duration{}) delay_ = -playlist.start->offset;
}

/// Throws ManifestError, or UnreadableForNow.
hls::MediaPlaylist LiveHls::read(const FetchedFile& file, const hls::MediaPlaylist* before) const {
  try {
    hls::Playlist read = hls::read_playlist(file.bytes, {variables_, hls_query(file.url)}, before);
    auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw UnreadableForNow{"this is no media playlist"};
    if (media->segments.empty()) throw EmptyForNow{"there is no segment"};
    if (const auto why = hls::why_unplayable(*media)) throw ManifestError{*why};
    return std::move(*media);
  } catch (const hls::PlaylistError& error) {
    throw UnreadableForNow{error.what()};
  }
}

/// Qualities that are cut at other places than the first one, or have another codec.
void LiveHls::leave_out_what_differs() {
  const ListedTrack first = reference(renditions_)->whole();
  std::vector<FollowedPlaylist> played;
  for (FollowedPlaylist& rendition : renditions_) {
    const Track& track = rendition.listed.track;
    std::optional<std::string> why;
    if (rendition.is_picture() && track.group != first.track.group)
      why = fmt::format("has another codec than {}", first.track.id);
    else if (rendition.is_picture() && rendition.is_known() && track.id != first.track.id)
      why = why_not_switchable(rendition.whole(), first);
    if (why) {
      left_out_.push_back(fmt::format("{}: {}", track.id, *why));
    } else {
      played.push_back(std::move(rendition));
    }
  }
  renditions_ = std::move(played);
}

/// They did not come at the same moment: of those that came later, older parts have left.
void LiveHls::list_the_same_in_parts() {
  std::int64_t begin = 0;
  for (const FollowedPlaylist& rendition : renditions_) {
    if (rendition.goes_by_parts()) begin = std::max(begin, rendition.known.parts_begin());
  }
  for (FollowedPlaylist& rendition : renditions_) {
    if (rendition.goes_by_parts()) rendition.known.list_whole_before(begin);
  }
}

Listing LiveHls::list(UtcTime now, Duration after) {
  leave_out_and_take_back(renditions_, now, notes_);
  Listing listing;
  listing.complete = true;
  const double least = to_seconds(after);
  for (const FollowedPlaylist& rendition : renditions_) {
    ListedTrack& track = listing.tracks.emplace_back(rendition.track());
    std::erase_if(track.segments, [&](const ListedSegment& segment) {
      return static_cast<double>(segment.start + segment.duration) / kHlsTimescale <= least;
    });
    if (!rendition.is_picture() || !rendition.is_there) continue;
    listing.complete = listing.complete && rendition.known.ended;
    listing.window_begin =
        std::max(listing.window_begin,
                 from_seconds(static_cast<double>(rendition.known.segments.front().start) / kHlsTimescale));
  }
  return listing;
}

std::optional<UtcTime> LiveHls::next_due() const {
  if (!waiting_.empty()) return waiting_since_;
  std::optional<UtcTime> next;
  for (const FollowedPlaylist& rendition : renditions_) {
    if (!rendition.known.ended) next = std::min(next.value_or(due_of(rendition)), due_of(rendition));
  }
  return next;
}

/// The picture that is played, or the first one; there is one.
const FollowedPlaylist& LiveHls::leading() const {
  const auto played = std::ranges::find_if(renditions_, [](const FollowedPlaylist& one) {
    return one.is_picture() && one.is_played && one.goes_by_parts();
  });
  return played != renditions_.end() ? *played : *reference(renditions_);
}

/// The picture that is played lists the segment that this one is asked for: the origin has it.
bool LiveHls::lags(const FollowedPlaylist& rendition) const {
  return rendition.goes_by_parts() && leading().known.next_part() > rendition.wanted_part();
}

UtcTime LiveHls::due_of(const FollowedPlaylist& rendition) const {
  if (!rendition.goes_by_parts()) return rendition.due();
  if (rendition.is_played || lags(rendition) || leading().known.next_part().part == 0) return rendition.part_due();
  return std::max(rendition.due(), rendition.part_due());
}

std::optional<Duration> LiveHls::overdue_after() const {
  if (!goes_by_parts()) return std::nullopt;
  return kOverdue + held() * 3 / 4;  // half of that is when the next part is due
}

bool LiveHls::goes_by_parts() const {
  const FollowedPlaylist* const first = reference(renditions_);
  return first != nullptr && first->goes_by_parts();
}

bool LiveHls::play(const std::vector<std::size_t>& tracks) {
  bool joins = false;
  for (std::size_t i = 0; i < renditions_.size(); ++i) {
    const bool was_played = renditions_[i].is_played;
    renditions_[i].is_played = std::ranges::find(tracks, i) != tracks.end();
    const bool is_asked = std::ranges::find(asked_, i) != asked_.end();
    joins = joins || (renditions_[i].is_played && !was_played && renditions_[i].is_held() && !is_asked);
  }
  return joins;
}

Duration LiveHls::held() const {
  Duration longest{};
  for (const FollowedPlaylist& rendition : renditions_) {
    if (rendition.is_held()) longest = std::max(longest, 2 * rendition.known.part_target);
  }
  return longest;
}

void LiveHls::held_in_vain(UtcTime now) {
  for (const std::size_t asked : asked_) renditions_[asked].hold_in_vain(now);
}

/// Keys that are missing come first. Playlists that are nearly due come along with others.
std::vector<WantedFile> LiveHls::due(UtcTime now) {
  asked_.clear();
  asked_keys_.clear();
  const auto next = next_due();
  if (!next || *next > now) return {};
  std::vector<WantedFile> wanted;
  for (const Waiting& waiting : waiting_) {
    for (WantedFile& key : keys_.missing(waiting.playlist, waiting.url)) {
      if (wanted.size() == kFilesTogether || std::ranges::find(asked_keys_, key.url) != asked_keys_.end()) continue;
      asked_keys_.push_back(key.url);
      wanted.push_back(std::move(key));
    }
  }
  if (!wanted.empty()) return wanted;
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < renditions_.size(); ++i) {
    const FollowedPlaylist& rendition = renditions_[i];
    const Duration nearly = rendition.goes_by_parts() ? Duration{} : rendition.known.target / 8;
    if (!rendition.known.ended && due_of(rendition) - nearly <= now) due.push_back(i);
  }
  // What can be had at once does not wait for what is held.
  const auto waits = [&](std::size_t i) {
    const FollowedPlaylist& one = renditions_[i];
    return !one.is_answered_at_once() && (one.is_played || !lags(one));
  };
  if (!std::ranges::all_of(due, waits)) std::erase_if(due, waits);
  if (due.size() > kFilesTogether) due.resize(kFilesTogether);
  for (const std::size_t i : due) {
    FollowedPlaylist& rendition = renditions_[i];
    asked_.push_back(i);
    wanted.push_back({rendition.address(now), std::nullopt});
    rendition.asked_to_skip = rendition.may_skip(now);
    rendition.reported.reset();
  }
  return wanted;
}

void LiveHls::take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) {
  if (asked_keys_.empty())
    take_playlists(files, sent);
  else
    take_keys(files, sent);
  go_on_with_keys(now);
  leave_out_and_take_back(renditions_, now, notes_);
  for (const FollowedPlaylist& rendition : renditions_) {
    if (rendition.is_there && !rendition.failure.empty()) throw UnreadableForNow{rendition.failure};
  }
}

/// Beside a playlist that has begun (anew) already; else where its dates say, or behind all that is known.
void LiveHls::begin(FollowedPlaylist& rendition, const KnownPlaylist& playlist) {
  const HlsRendition* const other = beside(rendition);
  if (other != nullptr && (!rendition.is_there || other->begun > rendition.known.begun))
    return rendition.known.begin(playlist, other);
  std::int64_t start = rendition.known.end();
  for (const FollowedPlaylist& one : renditions_) {
    if (one.is_picture() && one.is_there) start = std::max(start, one.known.end());
  }
  const auto date = rendition.known.dated(playlist.playlist.segments.front());
  const std::int64_t missed = date ? *date + rendition.known.date_shift - rendition.known.end() : -1;
  if (missed >= 0 && missed < hls_ticks(kLongestHole)) start = rendition.known.end() + missed;
  rendition.known.begin(playlist, nullptr, start);
  notes_.push_back(fmt::format("{} began anew, and goes on with what is sent now", rendition.listed.track.id));
}

void LiveHls::go_on_with_keys(UtcTime now) {
  const auto has_its_keys = [&](const Waiting& one) { return keys_.missing(one.playlist, one.url).empty(); };
  for (Waiting& one : waiting_) {
    if (!has_its_keys(one)) continue;
    FollowedPlaylist& rendition = renditions_[one.rendition];
    const KnownPlaylist playlist{one.playlist, one.url, keys_};
    if (one.begins)
      begin(rendition, playlist);
    else
      rendition.known.go_on(playlist, beside(rendition));
    rendition.grow(now);
    rendition.deltas.took(std::move(one.playlist));
  }
  std::erase_if(waiting_, has_its_keys);
  waiting_since_ = now;
  tell_timeline();
}

/// Throws ManifestError if it is the only picture.
void LiveHls::failed(FollowedPlaylist& rendition, const std::string& why, UtcTime sent) {
  const bool is_only_one = rendition.is_picture() && std::ranges::none_of(renditions_, [&](const auto& other) {
                             return &other != &rendition && other.is_picture() && other.is_there;
                           });
  if (is_only_one) throw ManifestError{why};
  rendition.fail(why, sent);
}

/// Without one of them, its playlists do not count.
void LiveHls::take_keys(std::span<const FetchedFile> files, UtcTime sent) {
  keys_.forget_if_many();
  std::string failure;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      if (!files[i].failure.empty())
        failure = files[i].failure;
      else if (!files[i].unchanged)
        keys_.add(asked_keys_[i], files[i].bytes);
    } catch (const ManifestError& error) {
      for (const Waiting& one : waiting_) failed(renditions_[one.rendition], error.what(), sent);
      failure = error.what();
    }
  }
  if (failure.empty()) return;
  std::erase_if(waiting_, [&](const Waiting& one) {
    const bool lacks_one = !keys_.missing(one.playlist, one.url).empty();
    if (lacks_one) renditions_[one.rendition].fail(failure, sent);
    return lacks_one;
  });
}

void LiveHls::take_playlists(std::span<const FetchedFile> files, UtcTime sent) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    FollowedPlaylist& rendition = renditions_[asked_[i]];
    try {
      take_playlist(asked_[i], files[i], sent);
    } catch (const UnreadableForNow& error) {
      rendition.fail(
          files[i].failure.empty() ? fmt::format("{}: {}", redacted(files[i].url), error.what()) : error.what(), sent);
    } catch (const ManifestError& error) {
      failed(rendition, fmt::format("{}: {}", redacted(files[i].url), error.what()), sent);
    }
  }
  asked_.clear();
}

void LiveHls::take_playlist(std::size_t index, const FetchedFile& file, UtcTime sent) {
  FollowedPlaylist& rendition = renditions_[index];
  bool grew = false;
  if (!file.failure.empty()) {
    if (rendition.asked_to_skip) rendition.deltas.was_in_vain();
    throw UnreadableForNow{file.failure};
  }
  if (file.unchanged) {
    rendition.deltas.took_nothing();
  } else {
    std::optional<hls::MediaPlaylist> playlist;
    try {
      playlist = read(file, rendition.deltas.last());
    } catch (const std::runtime_error&) {
      if (!rendition.asked_to_skip) throw;
    }
    const bool begins = playlist && (!rendition.is_known() || rendition.began_anew(*playlist, sent));
    // Of an encoder that began anew, segments that are left out are others than those that are known.
    if (!playlist || (begins && playlist->skipped > 0)) return rendition.deltas.was_in_vain();
    grew = begins || rendition.known.grows_by(*playlist);
    take_reports(*playlist, file.url);
    waiting_.push_back({index, *std::move(playlist), file.url, begins});
  }
  if (rendition.is_held()) rendition.unheld_for = {};
  rendition.grew = grew;
  rendition.fetched = sent;
}

/// Addresses may differ in what stands behind "?".
void LiveHls::take_reports(const hls::MediaPlaylist& playlist, const std::string& url) {
  for (const hls::RenditionReport& report : playlist.reports) {
    if (!report.last_part) continue;
    const std::string reported = absolute_url(url, report.uri);
    const auto is_of = [&](auto&& part_of) {
      return [&](const FollowedPlaylist& one) { return part_of(one.listed.url) == part_of(reported); };
    };
    const auto path = [](const std::string& address) { return address.substr(0, address.find_first_of("?#")); };
    auto found = std::ranges::find_if(renditions_, is_of(std::identity{}));
    if (found == renditions_.end() && std::ranges::count_if(renditions_, is_of(path)) == 1)
      found = std::ranges::find_if(renditions_, is_of(path));
    if (found != renditions_.end()) found->reported = HlsRendition::Part{report.last_segment, *report.last_part};
  }
}

}  // namespace tributary
