#include "proxy/rewriting/title_files.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dash/reading/mpd_reader.hh"
#include "hls/playlist_reader.hh"
#include "manifests/listed_track.hh"
#include "manifests/manifest.hh"
#include "manifests/manifest_kind.hh"
#include "manifests/reader_errors.hh"
#include "presentation/json/json_index.hh"
#include "proxy/rewriting/asset_list.hh"
#include "proxy/rewriting/playlist_rewriting.hh"
#include "proxy/rewriting/rewriting_limits.hh"
#include "units/text/data_address.hh"
#include "units/text/utf16.hh"

namespace tributary::proxy {
namespace {

/// Of a sound with a playlist of its own, whose bit rate is within that of its variants.
constexpr auto kSoundBitrate = DataRate::bits_per_second(128'000);

Address required_address(const std::string& url) {
  auto address = address_from(url);
  if (!address) throw ManifestError{"this is not an address of http or https"};
  return *std::move(address);
}

/// The same manifest has the same key, whichever version of it a player waits for.
std::string key_of(Address address) {
  address.query = divided(address.query).rest;
  return address.url();
}

bool has_playlist(const hls::MultivariantPlaylist& playlist, const std::string& group) {
  return std::ranges::any_of(playlist.renditions, [&](const hls::Rendition& rendition) {
    return rendition.kind == hls::RenditionKind::kAudio && rendition.group == group && rendition.uri;
  });
}

DataRate bitrate_of(const hls::MultivariantPlaylist& playlist, const hls::Variant& variant) {
  const DataRate stated = variant.average_bandwidth.value_or(variant.bandwidth);
  if (stated <= DataRate{}) return kUnstatedBitrate;
  return has_playlist(playlist, variant.audio) && stated > 2.0 * kSoundBitrate ? stated - kSoundBitrate : stated;
}

/// A player's clock may be ahead of ours: the segment is taken to be like the last one.
std::optional<MediaFile> not_listed_yet(const FileList& list, const std::string& url) {
  if (list.files().empty() || list.files().back().init) return std::nullopt;
  const MediaFile& last = list.files().back();
  MediaFile file{.url = url, .duration = last.duration, .estimate = last.estimate};
  constexpr int kFarAhead = 2;  // segments: no clock is further ahead
  if (last.made_until)
    file.made_until = *last.made_until + kFarAhead * std::chrono::ceil<std::chrono::milliseconds>(last.duration);
  return file;
}

}  // namespace

TitleFiles::TitleFiles(std::string prefix, std::string outside) : names_{std::move(prefix), std::move(outside)} {}
TitleFiles::~TitleFiles() = default;
TitleFiles::TitleFiles(TitleFiles&&) noexcept = default;
TitleFiles& TitleFiles::operator=(TitleFiles&&) noexcept = default;

/// What a manifest told of another one, which it may have named with directives.
template <typename Test>
Announcement TitleFiles::announced_as(const Address& asked, Test test) const {
  for (const std::string& name : {asked.url(), key_of(asked)}) {
    for (const auto& [url, manifest] : manifests_) {
      const Announcement* const found = manifest.announced.find(name);
      if (found != nullptr && test(*found)) return *found;
    }
  }
  return {};
}

TitleFiles::Rewritten TitleFiles::take_in(const std::string& text, const std::string& found, const std::string& asked) {
  if (text.size() > kMostText) throw ManifestError{fmt::format("it has more than {} bytes", kMostText)};
  if (const auto utf8 = from_utf16(text)) return take_in(*utf8, found, asked);
  const Address asked_at = required_address(asked);
  Base base{required_address(found)};
  base.local = base.address.origin == asked_at.origin && base.address.folder() == asked_at.folder();
  const std::string key = key_of(asked_at);
  for (const Address& address : {asked_at, base.address}) names_.number_of_origin(address.origin);

  const auto kind = manifest_kind(text);
  const auto part =
      kind ? Announcement{} : announced_as(asked_at, [](const Announcement& each) { return !!each.around; });
  const bool is_asset_list = kind == ManifestKind::kIndex && announced_as(asked_at, [](const Announcement& each) {
                                                               return each.may_be_asset_list;
                                                             }).may_be_asset_list;
  if (!kind && !part.around)
    throw ManifestError{fmt::format("this is no manifest (index.json, MPD or m3u8): it is {}", looks_like(text))};

  Manifest manifest;
  manifest.number = ++taken_;
  std::size_t kept = kKeptBehind;
  Rewritten rewritten = with_manifest_errors([&] {
    if (part.around) return take_part(text, *part.around, manifest);
    if (is_asset_list) return take_asset_list(text, base, manifest);
    if (kind == ManifestKind::kIndex) return take_index(text, base.address, manifest);
    if (kind == ManifestKind::kMpd) return take_mpd(text, base, key, manifest);
    return take_playlist(text, base, asked_at, manifest, kept);
  });
  manifest.live = rewritten.live;
  Manifest& known = manifests_[key];
  manifest.announced.keep(std::move(known.announced), kept, kept > kKeptBehind);
  known = std::move(manifest);
  make_room(key);
  forget_queries();
  return rewritten;
}

// ---- The kinds

/// All of its names are relative, and stay.
TitleFiles::Rewritten TitleFiles::take_index(const std::string& text, const Address& found, Manifest& manifest) {
  const Presentation presentation = read_index(text);
  const auto announce = [&](const std::string& name, FileKind kind, ListPlace place = {}) {
    if (const auto address = resolved(found, name)) manifest.announced.add(*address, {kind, place});
  };
  for (const auto* const other : {&presentation.hls, &presentation.dash}) {
    if (*other) announce(**other, FileKind::kManifest);
  }
  for (std::size_t t = 0; t < presentation.tracks.size(); ++t) {
    const Track& track = presentation.tracks[t];
    const ListPlace place{.rendition = static_cast<std::uint32_t>(t)};
    const FileKind kind = track.kind == TrackKind::kText ? FileKind::kOther : FileKind::kMedia;
    if (track.init) announce(track.init->uri, kind, place);
    for (std::size_t i = 0; i < track.sizes.size(); ++i)
      announce(track.segment(static_cast<SegmentIndex>(i)).uri, kind, place);
    if (track.frames) announce(*track.frames, FileKind::kOther);
    if (track.whole) announce(*track.whole, FileKind::kOther);
  }
  manifest.listing = listing_of(presentation, found);
  return {text, "application/json", !presentation.complete};
}

TitleFiles::Rewritten TitleFiles::take_mpd(const std::string& text, const Base& found, const std::string& key,
                                           Manifest& manifest) {
  NameWriter writer{names_, manifest.announced};
  RewrittenMpd rewritten = rewrite_mpd(text, found, writer);
  try {
    dash::Mpd mpd = dash::read_mpd(text);
    manifest.ladders = ladders_of(mpd, rewritten.representations, key);
    manifest.listing = listing_of(std::move(mpd), std::move(rewritten.representations));
  } catch (const dash::MpdError&) {  // it is for a player to say so
  }
  return {std::move(rewritten.text), "application/dash+xml", rewritten.dynamic};
}

TitleFiles::Rewritten TitleFiles::take_part(const std::string& text, const std::vector<Base>& around,
                                            Manifest& manifest) {
  NameWriter writer{names_, manifest.announced};
  return {rewrite_mpd_part(text, around, writer), "application/xml", false};
}

TitleFiles::Rewritten TitleFiles::take_asset_list(const std::string& text, const Base& found, Manifest& manifest) {
  NameWriter writer{names_, manifest.announced};
  return {rewrite_asset_list(text, found, writer), "application/json", false};
}

TitleFiles::Rewritten TitleFiles::take_playlist(const std::string& text, const Base& found, const Address& asked,
                                                Manifest& manifest, std::size_t& kept) {
  const auto role = announced_as(asked, [](const Announcement& each) { return !!each.role; }).role;
  PlaylistContext context;
  context.outside.query = divided(found.address.query).rest;
  if (role) {
    context.outside.of_multivariant = role->variables;
    context.segments = role->segments;
  }
  announce_playlists(text, found, context.outside, manifest);
  NameWriter writer{names_, manifest.announced};
  RewrittenPlaylist rewritten = rewrite_playlist(text, found, context, writer);
  kept += rewritten.skipped;
  if (!rewritten.multivariant) {
    try {
      const std::size_t skipped = rewritten.skipped;
      const auto playlist = hls::read_playlist(skipped > 0 ? without_skipped(text, skipped) : text, context.outside);
      if (const auto* const media = std::get_if<hls::MediaPlaylist>(&playlist)) {
        const auto before = manifests_.find(key_of(asked));
        manifest.listing = listing_of(*media, found.address, role ? std::optional{role->bitrate} : std::nullopt,
                                      before == manifests_.end() ? nullptr : before->second.listing.get(), skipped);
        manifest.edge = edge_of(*media);
      }
    } catch (const hls::PlaylistError&) {  // it is for a player to say so
    }
  }
  return {std::move(rewritten.text), "application/vnd.apple.mpegurl", !rewritten.multivariant && !rewritten.ended};
}

/// With what a multivariant playlist tells of them.
void TitleFiles::announce_playlists(const std::string& text, const Base& found, const hls::PlaylistVariables& outside,
                                    Manifest& manifest) const {
  try {
    const auto read = hls::read_playlist(text, outside);
    const auto* const playlist = std::get_if<hls::MultivariantPlaylist>(&read);
    if (playlist == nullptr) return;
    const auto announce = [&](const std::string& uri, DataRate bitrate, FileKind segments) {
      const auto address = resolved(found.address, uri);
      if (!address) return;
      PlaylistRole role{playlist->variables, bitrate, segments};
      manifest.announced.add(*address,
                             {FileKind::kManifest, {}, std::make_shared<const PlaylistRole>(std::move(role))});
    };
    for (const hls::Variant& variant : playlist->variants)
      announce(variant.uri, bitrate_of(*playlist, variant), FileKind::kMedia);
    manifest.ladders = ladders_of(
        *playlist,
        [&](const std::string& uri) {
          const auto address = resolved(found.address, uri);
          return address ? std::optional{key_of(*address)} : std::nullopt;
        },
        [&](const hls::Variant& variant) { return bitrate_of(*playlist, variant); });
    for (const hls::Variant& variant : playlist->i_frame_variants)
      announce(variant.uri, bitrate_of(*playlist, variant), FileKind::kMedia);
    for (const hls::Variant& variant : playlist->image_variants)
      announce(variant.uri, bitrate_of(*playlist, variant), FileKind::kOther);
    for (const hls::Rendition& rendition : playlist->renditions) {
      if (!rendition.uri) continue;
      const bool text_file = rendition.kind == hls::RenditionKind::kSubtitles;
      announce(*rendition.uri, rendition.kind == hls::RenditionKind::kVideo ? kUnstatedBitrate : kSoundBitrate,
               text_file ? FileKind::kOther : FileKind::kMedia);
    }
  } catch (const hls::PlaylistError&) {  // its addresses are announced without what is told of them
  }
}

// ---- Bounds

/// Those are forgotten first whose segments take the room, and of them the one that was taken in first.
void TitleFiles::make_room(const std::string& for_key) {
  constexpr std::size_t kMany = 1'000;
  for (;;) {
    std::size_t addresses = 0, bytes = 0;
    for (const auto& [key, manifest] : manifests_) {
      addresses += manifest.announced.address_count();
      bytes += manifest.announced.bytes();
    }
    const bool fits = addresses <= kMostAddresses && bytes <= kMostAddressBytes && manifests_.size() <= kMostManifests;
    if (fits || manifests_.size() < 2) return;
    const auto rank = [&](const auto& each) {
      return std::tuple{each.first == for_key, each.second.announced.address_count() < kMany, each.second.number};
    };
    manifests_.erase(std::ranges::min_element(manifests_, {}, rank));
  }
}

/// When half of those that are kept are of no address any more.
void TitleFiles::forget_queries() {
  constexpr std::size_t kFew = 1'000;
  if (names_.query_count() < 2 * queries_in_use_ + kFew) return;
  std::unordered_set<std::string> used;
  given_.collect_queries(used);
  for (const auto& [key, manifest] : manifests_) manifest.announced.collect_queries(used);
  names_.keep_queries(used);
  queries_in_use_ = names_.query_count();
}

// ---- Names

std::string TitleFiles::local(const std::string& url, FileKind otherwise) {
  const Address address = required_address(url);
  if (given_.address_count() >= kMostManifests) given_ = {};
  given_.add(address, {kind(url) == FileKind::kOther ? otherwise : kind(url)});
  return names_.target(address);
}

std::optional<std::string> TitleFiles::upstream(std::string_view target) const {
  const auto asked = names_.read(target);
  if (!asked) return std::nullopt;
  auto found = given_.find(*asked);
  for (auto each = manifests_.begin(); !found && each != manifests_.end(); ++each)
    found = each->second.announced.find(*asked);
  if (!found) return std::nullopt;
  if (asked->directives.empty() || kind(found->url) != FileKind::kManifest) return found->url;
  return fmt::format("{}{}{}", found->url, found->url.find('?') == std::string::npos ? '?' : '&', asked->directives);
}

FileKind TitleFiles::kind(const std::string& url) const {
  const auto address = address_from(url);
  if (!address) return FileKind::kOther;
  const std::string key = key_of(*address), whole = address->url();
  if (manifests_.contains(key)) return FileKind::kManifest;
  // A manifest may have written the directives itself.
  const FileKind as_written = announced_kind(whole);
  return as_written != FileKind::kOther || key == whole ? as_written : announced_kind(key);
}

FileKind TitleFiles::announced_kind(const std::string& url) const {
  if (const Announcement* const found = given_.find(url)) return found->kind;
  for (const auto& [asked, manifest] : manifests_) {
    const Announcement* const found = manifest.announced.find(url);
    if (found != nullptr && found->kind != FileKind::kOther) return found->kind;
  }
  return FileKind::kOther;
}

// ---- Files

std::optional<MediaFile> TitleFiles::file(const std::string& url, std::optional<ByteRange> range, UtcTime now) const {
  const auto address = address_from(url);
  if (!address) return std::nullopt;
  const std::string plain = address->url();
  std::optional<MediaFile> best;
  for (const auto& [key, manifest] : manifests_) {
    const Announcement* const found = manifest.announced.find(plain);
    if (found == nullptr || !manifest.listing) continue;
    ListPlace parts = found->place;
    parts.parts = true;
    for (const ListPlace& place : {found->place, parts}) {
      const FileList* const list = manifest.listing->list(place, now);
      if (list == nullptr) continue;
      const auto at = list->find(plain, range);
      if (!at && !best && manifest.listing->is_open(place)) best = not_listed_yet(*list, plain);
      if (!at || (best && best->range != range && list->files()[*at].range != range)) continue;
      best = list->files()[*at];
      best->manifest = key;
      best->rendition = fmt::format("{} {}{}", key, place.rendition, place.parts ? " parts" : "");
      best->place = place;
      if (best->range == range) return best;
    }
  }
  return best;
}

std::optional<MediaFile> TitleFiles::next(const MediaFile& file, UtcTime now) const {
  const auto manifest = manifests_.find(file.manifest);
  if (file.init || manifest == manifests_.end() || !manifest->second.listing) return std::nullopt;
  const Announcement* const found = manifest->second.announced.find(file.url);
  if (found == nullptr) return std::nullopt;
  Listing& listing = *manifest->second.listing;
  const FileList* list = listing.list(file.place, now);
  if (list == nullptr) return std::nullopt;
  const auto at = list->find(file.url, file.range);
  if (!at) return std::nullopt;
  std::size_t index = *at + 1;
  if (index == list->files().size()) {
    const auto after = listing.after(file.place);
    list = after ? listing.list(*after, now) : nullptr;
    if (list == nullptr) return std::nullopt;
    index = static_cast<std::size_t>(std::ranges::find(list->files(), false, &MediaFile::init) - list->files().begin());
  }
  if (index >= list->files().size()) return std::nullopt;
  MediaFile next = list->files()[index];
  next.manifest = file.manifest;
  next.rendition = file.rendition;
  next.place = file.place;
  return next;
}

Duration TitleFiles::held_for(const std::string& url) const {
  const auto address = address_from(url);
  if (!address) return {};
  const auto manifest = manifests_.find(key_of(*address));
  if (manifest == manifests_.end() || !manifest->second.edge) return {};
  return proxy::held_for(divided(address->query).directives, *manifest->second.edge);
}

std::optional<MediaFile> TitleFiles::init_of(const std::string& playlist, UtcTime now) const {
  const auto address = address_from(playlist);
  const auto manifest = address ? manifests_.find(key_of(*address)) : manifests_.end();
  if (manifest == manifests_.end() || !manifest->second.listing) return std::nullopt;
  const FileList* list = manifest->second.listing->list(ListPlace{.rendition = 0}, now);
  if (list == nullptr || list->files().empty() || !list->files().front().init) return std::nullopt;
  MediaFile init = list->files().front();
  if (is_data_address(init.url)) return std::nullopt;
  init.manifest = manifest->first;
  return init;
}

// ---- Ladders

std::string TitleFiles::name_of(const std::string& url) { return key_of(required_address(url)); }

std::span<const Ladder> TitleFiles::ladders(const std::string& manifest) const {
  const auto found = manifests_.find(manifest);
  return found == manifests_.end() ? std::span<const Ladder>{} : found->second.ladders;
}

const Ladder* TitleFiles::ladder_below(const std::string& manifest, std::uint32_t rendition) const {
  for (const auto& [name, offering] : manifests_) {
    for (const Ladder& ladder : offering.ladders) {
      const Rung& top = ladder.rungs.back();
      if (top.manifest == manifest && top.rendition == rendition) return &ladder;
    }
  }
  return nullptr;
}

std::string TitleFiles::ladder_of(const MediaFile& file) const {
  for (const auto& [name, offering] : manifests_) {
    for (const Ladder& ladder : offering.ladders) {
      const bool has_it = std::ranges::any_of(ladder.rungs, [&](const Rung& rung) {
        return rung.manifest == file.manifest && rung.rendition == file.place.rendition;
      });
      if (has_it) return fmt::format("{} below {}", ladder.rungs.back().manifest, ladder.rungs.back().rendition);
    }
  }
  return file.rendition;
}

const FileList* TitleFiles::segments(const Rung& rung, UtcTime now) const {
  const auto found = manifests_.find(rung.manifest);
  if (found == manifests_.end() || !found->second.listing) return nullptr;
  return found->second.listing->list({.rendition = rung.rendition}, now);
}

bool TitleFiles::is_final(const std::string& manifest) const {
  const auto found = manifests_.find(manifest);
  return found != manifests_.end() && !found->second.live;
}

std::optional<PlayersManifest> manifest_for_players(const std::string& index, const std::string& url) {
  return with_manifest_errors([&]() -> std::optional<PlayersManifest> {
    const Presentation presentation = read_index(index);
    const auto& name = presentation.hls ? presentation.hls : presentation.dash;
    if (!name) return std::nullopt;
    const auto address = resolved(required_address(url), *name);
    if (!address) return std::nullopt;
    return PlayersManifest{.url = address->url(),
                           .kind = presentation.hls ? TitleKind::kHls : TitleKind::kDash,
                           .live = !presentation.complete};
  });
}

}  // namespace tributary::proxy
