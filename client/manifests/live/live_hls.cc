#include "manifests/live/live_hls.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "manifests/manifest.hh"
#include "units/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFilesTogether = 16;

}  // namespace

LiveHls::LiveHls(PlayedPlaylists played, std::span<const FetchedFile> files, const FetchFiles& fetch, UtcTime now)
    : variables_{std::move(played.variables)}, timeline_{std::move(played.timeline)} {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Rendition rendition;
    rendition.listed = std::move(played.playlists[i]);
    rendition.fetched = now;
    try {
      const hls::MediaPlaylist playlist = read(files[i]);
      keys_.fetch(playlist, files[i].url, fetch);
      if (renditions_.empty()) take_delay(playlist);
      rendition.known.begin({playlist, files[i].url, keys_}, first());
      rendition.listed.track.timescale = kHlsTimescale;
    } catch (const std::runtime_error& error) {
      throw ManifestError{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    }
    renditions_.push_back(std::move(rendition));
  }
  const auto ms = [](std::int64_t ticks) {
    return std::chrono::floor<std::chrono::milliseconds>(from_seconds(static_cast<double>(ticks) / kHlsTimescale));
  };
  const auto date = first()->zero_date;
  zero_ = date ? *date - ms(first()->date_shift) : now - ms(first()->end());
  leave_out_what_differs();
  if (timeline_) timeline_->set(*first());
}

void LiveHls::take_delay(const hls::MediaPlaylist& playlist) {
  delay_ = playlist.server_control.hold_back;
  if (!delay_ && playlist.start && playlist.start->offset < Duration{}) delay_ = -playlist.start->offset;
}

/// Throws ManifestError, or UnreadableForNow.
hls::MediaPlaylist LiveHls::read(const FetchedFile& file) const {
  try {
    hls::Playlist read = hls::read_playlist(file.bytes, {variables_, hls_query(file.url)});
    auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw UnreadableForNow{"this is no media playlist"};
    if (media->segments.empty()) throw UnreadableForNow{"there is no segment"};
    if (const auto why = hls::why_unplayable(*media)) throw ManifestError{*why};
    return std::move(*media);
  } catch (const hls::PlaylistError& error) {
    throw UnreadableForNow{error.what()};
  }
}

/// Qualities that are cut at other places than the first one, or have another codec.
void LiveHls::leave_out_what_differs() {
  const Listing all = list({}, -24h);
  const ListedTrack& first = all.tracks.front();
  std::vector<Rendition> played;
  for (std::size_t i = 0; i < all.tracks.size(); ++i) {
    const ListedTrack& listed = all.tracks[i];
    std::optional<std::string> why;
    if (i > 0 && listed.track.kind == TrackKind::kVideo)
      why = listed.track.group == first.track.group ? why_not_switchable(listed, first)
                                                    : fmt::format("has another codec than {}", first.track.id);
    if (why) {
      left_out_.push_back(fmt::format("{}: {}", listed.track.id, *why));
    } else {
      played.push_back(std::move(renditions_[i]));
    }
  }
  renditions_ = std::move(played);
}

Listing LiveHls::list(UtcTime /*now*/, Duration after) {
  Listing listing;
  listing.complete = true;
  const double least = to_seconds(after);
  for (const Rendition& rendition : renditions_) {
    ListedTrack& track = listing.tracks.emplace_back(ListedTrack{rendition.listed.track, {}});
    for (const auto& [number, beginning] : rendition.known.stretches) track.stretches.emplace(number, beginning.how);
    for (const ListedSegment& segment : rendition.known.segments) {
      if (static_cast<double>(segment.start + segment.duration) / kHlsTimescale > least)
        track.segments.push_back(segment);
    }
    if (rendition.listed.track.kind != TrackKind::kVideo) continue;
    listing.complete = listing.complete && rendition.known.ended;
    listing.window_begin =
        std::max(listing.window_begin,
                 from_seconds(static_cast<double>(rendition.known.segments.front().start) / kHlsTimescale));
  }
  return listing;
}

UtcTime LiveHls::Rendition::due() const {
  return fetched + std::chrono::ceil<std::chrono::milliseconds>(grew ? known.target : known.target / 2);
}

std::optional<UtcTime> LiveHls::next_due() const {
  if (!waiting_.empty()) return waiting_since_;
  std::optional<UtcTime> next;
  for (const Rendition& rendition : renditions_) {
    if (!rendition.known.ended) next = std::min(next.value_or(rendition.due()), rendition.due());
  }
  return next;
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
  for (std::size_t i = 0; i < renditions_.size() && wanted.size() < kFilesTogether; ++i) {
    const Rendition& rendition = renditions_[i];
    if (rendition.known.ended || rendition.due() - rendition.known.target / 8 > now) continue;
    asked_.push_back(i);
    wanted.push_back({rendition.listed.url, std::nullopt});
  }
  return wanted;
}

void LiveHls::take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) {
  try {
    if (asked_keys_.empty())
      take_playlists(files, sent);
    else
      take_keys(files);
  } catch (const UnreadableForNow&) {
    go_on_with_keys(now);
    throw;
  }
  go_on_with_keys(now);
}

void LiveHls::go_on_with_keys(UtcTime now) {
  const auto has_its_keys = [&](const Waiting& one) { return keys_.missing(one.playlist, one.url).empty(); };
  for (const Waiting& one : waiting_) {
    if (!has_its_keys(one)) continue;
    const HlsRendition* const beside = one.rendition == 0 ? nullptr : first();
    renditions_[one.rendition].known.go_on({one.playlist, one.url, keys_}, beside);
    if (timeline_ && one.rendition == 0) timeline_->set(*first());
  }
  std::erase_if(waiting_, has_its_keys);
  waiting_since_ = now;
}

void LiveHls::take_keys(std::span<const FetchedFile> files) {
  keys_.forget_if_many();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].unchanged) keys_.add(asked_keys_[i], files[i].bytes);
  }
}

void LiveHls::take_playlists(std::span<const FetchedFile> files, UtcTime sent) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    Rendition& rendition = renditions_[asked_[i]];
    bool grew = false;
    try {
      if (!files[i].unchanged) {
        hls::MediaPlaylist playlist = read(files[i]);
        grew = playlist.segments.back().sequence >= rendition.known.next_number();
        waiting_.push_back({asked_[i], std::move(playlist), files[i].url});
      }
    } catch (const UnreadableForNow& error) {
      throw UnreadableForNow{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    } catch (const ManifestError& error) {
      throw ManifestError{fmt::format("{}: {}", redacted(files[i].url), error.what())};
    }
    rendition.grew = grew;
    rendition.fetched = sent;
  }
}

}  // namespace tributary
