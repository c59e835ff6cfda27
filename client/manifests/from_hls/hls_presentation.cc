#include "manifests/from_hls/hls_presentation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "manifests/caption_channels.hh"
#include "manifests/from_hls/hls_keys.hh"
#include "manifests/from_hls/hls_stretches.hh"
#include "manifests/listed_track.hh"
#include "manifests/live/live_hls.hh"
#include "manifests/live/live_title.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr std::size_t kPlaylistsAtOnce = 16;                    // each may have 16 MB
constexpr std::size_t kMostAlternatives = 8;                    // of one playlist
constexpr Duration kPlaylistInTime = std::chrono::seconds{20};  // of several; a later one is left out
constexpr double kSoundBitrate = 128e3;                         // HLS states no bitrate of a sound

bool is_video_codec(std::string_view codec) {
  constexpr std::array<std::string_view, 9> kSound{"mp4a", "ac-3", "ec-3", "ac-4", "opus",
                                                   "Opus", "fLaC", "flac", "alac"};
  return std::ranges::none_of(kSound, [&](std::string_view sound) { return codec.starts_with(sound); });
}

bool is_text_codec(std::string_view codec) { return codec.starts_with("wvtt") || codec.starts_with("stpp"); }

}  // namespace

std::string first_codec(const std::string& codecs, bool of_picture) {
  for (std::size_t begin = 0; begin < codecs.size();) {
    const std::size_t end = std::min(codecs.find(',', begin), codecs.size());
    std::string codec{hls::trimmed(std::string_view{codecs}.substr(begin, end - begin))};
    if (!is_text_codec(codec) && is_video_codec(codec) == of_picture) return codec;
    begin = end + 1;
  }
  return "";
}

namespace {

/// Redundant variants differ in their addresses, their pathways and the names of their groups only (RFC 8216 section
/// 6.2.4). A variant of unknown bandwidth is redundant to none.
bool same_quality(const hls::Variant& a, const hls::Variant& b) {
  const auto stated = [](const hls::Variant& v) {
    return std::tie(v.bandwidth, v.average_bandwidth, v.codecs, v.supplemental_codecs, v.resolution, v.frame_rate,
                    v.video_range, v.name, v.score, v.stable_id);
  };
  return a.bandwidth > DataRate{} && stated(a) == stated(b);
}

std::string video_codec(const std::string& codecs) { return first_codec(codecs, true); }

/// "line 3, EXT-X-KEY: ..." of a playlist that is not the one that the user gave.
std::string named(const std::string& url, const std::string& error) {
  return fmt::format("{}: {}", redacted(url), error);
}

/// Sets the segments of a track from its playlist.
void read_media(Track& track, const hls::MediaPlaylist& playlist, const std::string& url, HlsKeys& keys,
                const FetchFiles& fetch) {
  if (const auto why = hls::why_unplayable(playlist)) throw ManifestError{*why};
  if (playlist.segments.empty()) throw ManifestError{"there is no segment"};
  keys.fetch(playlist, url, fetch);
  track.timescale = kHlsTimescale;
  std::vector<ListedSegment> listed;
  UrlResolver resolve;
  Duration start{};
  const hls::MediaSegment* before = nullptr;
  for (const hls::MediaSegment& segment : playlist.segments) {
    start += segment.duration;
    if (segment.gap) continue;  // a hole, which belongs to the segment before it
    if (before == nullptr) {
      track.init = stretch_start(playlist, segment, url, keys).init;
    } else if (goes_on_otherwise(playlist, *before, segment)) {
      const auto first = static_cast<SegmentIndex>(listed.size());
      track.stretches.push_back({first, stretch_start(playlist, segment, url, keys).init, 0});
    }
    before = &segment;
    const Duration begin = start - segment.duration;
    listed.push_back({resolve(url, segment.uri), segment.range, hls_ticks(begin), hls_ticks(start) - hls_ticks(begin),
                      segment.bitrate, keys.of(playlist, segment, url)});
  }
  set_segments(track, listed, "playlist");
}

/// Who a text is for. DASH states all of it by roles, HLS by attributes.
TrackLabel label_of_text(const hls::Rendition& text) {
  const auto is = [&](std::string_view characteristic) {
    return text.characteristics.find(characteristic) != std::string::npos;
  };
  TrackLabel label{.language = text.language, .name = text.name, .roles = {}};
  if (is("public.accessibility.transcribes-spoken-dialog") || is("public.accessibility.describes-music-and-sound"))
    label.roles.push_back(TrackRole::kCaption);
  if (text.forced) label.roles.push_back(TrackRole::kForced);
  if (is("public.easy-to-read")) label.roles.push_back(TrackRole::kEasyReader);
  return label;
}

/// The title of playlists that go on, as they were fetched just now.
Opened live_title(PlayedPlaylists played, const std::vector<FetchedFile>& files, const FetchFiles& fetch,
                  const ManifestMoment& moment) {
  const UtcTime now = moment.now + std::chrono::floor<std::chrono::milliseconds>(moment.origin.least());
  played.by_parts = moment.by_parts;
  auto manifest = std::make_unique<LiveHls>(std::move(played), files, fetch, now);
  Opened opened;
  opened.left_out = manifest->left_out();
  const LiveHls& playlists = *manifest;
  opened.live = std::make_unique<LiveTitle>(std::move(manifest), moment.origin, false);
  opened.presentation = opened.live->begin(now);
  opened.presentation.live = LiveWindow{.availability_start = playlists.zero()};
  opened.presentation.in_parts = playlists.goes_by_parts();
  opened.presentation.suggested_delay = playlists.delay();
  return opened;
}

class HlsTitle {
 public:
  HlsTitle(const hls::MultivariantPlaylist& playlist, const std::string& url, const FetchFiles& fetch,
           const ManifestMoment& moment)
      : playlist_{playlist}, url_{url}, fetch_{fetch}, moment_{moment} {}

  Opened read();

 private:
  void list_pictures();
  void list_sounds();
  bool has_texts() const;
  void add_texts();
  void add_captions(const std::string& group);
  void add_thumbnails();
  /// Shaka Packager lists the playlist of its key frames among the variants, too.
  bool shows_key_frames_only(const hls::Variant& variant) const {
    const auto lists = [](const auto& variants, const std::string& uri) {
      return std::ranges::find(variants, uri, &hls::Variant::uri) != variants.end();
    };
    return lists(playlist_.i_frame_variants, variant.uri) &&
           !std::ranges::all_of(playlist_.variants,
                                [&](const auto& other) { return lists(playlist_.i_frame_variants, other.uri); });
  }
  bool is_redundant(const hls::Variant& variant);
  std::vector<std::string> redundant_sounds(const hls::Variant& best, const hls::Rendition& sound) const;
  std::vector<FetchedFile> fetch_playlists(std::span<const ListedPlaylist> listed) const;
  void note_alternatives(const ListedPlaylist& listed, const FetchedFile& file);
  std::optional<hls::MediaPlaylist> read_if_good(const FetchedFile& file) const;
  bool goes_on(std::span<const FetchedFile> pictures);
  Track read_track(Track track, const FetchedFile& file);
  void add_track(const ListedPlaylist& listed, const FetchedFile& file);
  void check_pictures_are_left() const;
  void leave_out(const std::string& what, const std::string& why) {
    opened_.left_out.push_back(fmt::format("{}: {}", redacted(what), why));
  }

  const hls::MultivariantPlaylist& playlist_;
  const std::string& url_;
  const FetchFiles& fetch_;
  const ManifestMoment& moment_;
  HlsKeys keys_;
  TrackNames names_;
  std::vector<ListedPlaylist> listed_;
  std::vector<const hls::Variant*> pictures_;  // those that are listed, in the same order
  AlternativeAddresses alternatives_;
  bool live_ = false;
  std::shared_ptr<HlsTimeline> timeline_;     // of a live title with texts
  std::vector<FetchedFile> files_;            // of a live title
  std::exception_ptr first_fault_;            // of a playlist that is left out
  std::optional<std::uint64_t> last_number_;  // of the segments of playlists that have ended
  Opened opened_;
};

Opened HlsTitle::read() {
  if (const auto why = hls::why_unplayable(playlist_)) throw ManifestError{*why};
  list_pictures();
  list_sounds();
  for (std::size_t i = 0; i < listed_.size(); i += kPlaylistsAtOnce) {
    const std::span batch = std::span{listed_}.subspan(i, std::min(kPlaylistsAtOnce, listed_.size() - i));
    std::vector<FetchedFile> files = fetch_playlists(batch);
    for (std::size_t j = 0; j < batch.size(); ++j) note_alternatives(batch[j], files[j]);
    if (i == 0) live_ = goes_on(std::span{files}.first(std::min(pictures_.size(), files.size())));
    if (live_) {
      std::ranges::move(files, std::back_inserter(files_));
      continue;
    }
    for (std::size_t j = 0; j < batch.size(); ++j) add_track(batch[j], files[j]);
  }
  if (!live_) check_pictures_are_left();
  if (live_) {
    if (has_texts()) timeline_ = std::make_shared<HlsTimeline>();
    std::vector<std::string> left_out = std::move(opened_.left_out);
    opened_ = live_title({std::move(listed_), playlist_.variables, timeline_, false}, files_, fetch_, moment_);
    opened_.left_out.insert(opened_.left_out.begin(), left_out.begin(), left_out.end());
  }
  opened_.alternatives = std::move(alternatives_);
  opened_.presentation.title = playlist_.title;
  add_texts();
  add_thumbnails();
  return std::move(opened_);
}

/// Redundant playlists, and what stands beside each of them.
void HlsTitle::note_alternatives(const ListedPlaylist& listed, const FetchedFile& file) {
  if (listed.also_at.empty()) return;
  std::vector<std::string> playlists{file.url, listed.url};
  playlists.insert(playlists.end(), listed.also_at.begin(), listed.also_at.end());
  alternatives_.add(playlists);
  for (std::string& playlist : playlists) playlist = absolute_url(playlist, ".");
  alternatives_.add(playlists);
}

/// One that cannot be had is left out. If none can be had, the error is that of the first one.
std::vector<FetchedFile> HlsTitle::fetch_playlists(std::span<const ListedPlaylist> listed) const {
  std::vector<WantedFile> wanted;
  for (const ListedPlaylist& one : listed) {
    wanted.push_back({.url = one.url, .range = {}, .also_at = one.also_at});
    if (listed_.size() == 1) continue;
    wanted.back().may_fail = true;
    wanted.back().at_most = kPlaylistInTime;
  }
  std::vector<FetchedFile> files = fetch_(wanted);
  const bool is_first_batch = listed.data() == listed_.data();
  if (!is_first_batch || std::ranges::any_of(files, &std::string::empty, &FetchedFile::failure)) return files;
  wanted.front().may_fail = false;
  files.front() = std::move(fetch_(std::span{wanted}.first(1)).front());
  return files;
}

std::optional<hls::MediaPlaylist> HlsTitle::read_if_good(const FetchedFile& file) const {
  try {
    hls::Playlist read = hls::read_playlist(file.bytes, {playlist_.variables, hls_query(file.url)});
    auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media != nullptr) return std::move(*media);
  } catch (const hls::PlaylistError&) {
  }
  return std::nullopt;
}

/// A title is over if a playlist says so, and no other one lists more.
bool HlsTitle::goes_on(std::span<const FetchedFile> pictures) {
  std::optional<std::uint64_t> goes_on_at;
  for (const FetchedFile& file : pictures) {
    const auto media = file.failure.empty() ? read_if_good(file) : std::nullopt;
    if (!media || (media->ended && media->segments.empty())) continue;
    std::optional<std::uint64_t>& last = media->ended ? last_number_ : goes_on_at;
    last = std::max(last.value_or(0), media->segments.empty() ? 0 : media->segments.back().sequence);
  }
  return goes_on_at && (!last_number_ || *goes_on_at > *last_number_);
}

Track HlsTitle::read_track(Track track, const FetchedFile& file) {
  if (!file.failure.empty()) throw ManifestError{file.failure};
  try {
    const hls::Playlist read = hls::read_playlist(file.bytes, {playlist_.variables, hls_query(file.url)});
    const auto* media = std::get_if<hls::MediaPlaylist>(&read);
    if (media == nullptr) throw ManifestError{"this is no media playlist"};
    if (track.kind == TrackKind::kVideo && !media->ended && !media->segments.empty() &&
        media->segments.back().sequence < last_number_)
      throw ManifestError{"this playlist has no EXT-X-ENDLIST, and lists less than another one, which has"};
    read_media(track, *media, file.url, keys_, fetch_);
  } catch (const ManifestError& error) {
    throw ManifestError{named(file.url, error.what())};
  } catch (const hls::PlaylistError& error) {
    throw ManifestError{named(file.url, error.what())};
  }
  return track;
}

void HlsTitle::add_track(const ListedPlaylist& listed, const FetchedFile& file) {
  std::vector<Track>& tracks = opened_.presentation.tracks;
  Track track;
  try {
    track = read_track(listed.track, file);
  } catch (const std::runtime_error& error) {
    if (!first_fault_) first_fault_ = std::current_exception();
    return opened_.left_out.push_back(fmt::format("{}: {}", listed.track.id, error.what()));
  }
  const auto first = std::ranges::find(tracks, track.group, &Track::group);
  if (const auto why = first != tracks.end() ? why_not_switchable(track, *first) : std::nullopt)
    return leave_out(track.id, *why);
  tracks.push_back(std::move(track));
  check_segments(count_segments(tracks));
}

void HlsTitle::check_pictures_are_left() const {
  if (first_fault_ && std::ranges::find(opened_.presentation.tracks, TrackKind::kVideo, &Track::kind) ==
                          opened_.presentation.tracks.end())
    std::rethrow_exception(first_fault_);
}

/// Each playlist once: variants differ in their sounds, too. The codec of the first variant is the ladder's.
void HlsTitle::list_pictures() {
  std::set<std::string> known;
  const bool has_pictures = std::ranges::any_of(playlist_.variants, [](const hls::Variant& variant) {
    return variant.resolution || (!variant.codecs.empty() && !video_codec(variant.codecs).empty());
  });
  for (const hls::Variant& variant : playlist_.variants) {
    const std::string codec = video_codec(variant.codecs);
    if (has_pictures && !variant.resolution && !variant.codecs.empty() && codec.empty()) {
      leave_out(variant.uri, "sound without picture");
      continue;
    }
    if (!known.insert(variant.uri).second) continue;
    if (shows_key_frames_only(variant)) {
      leave_out(variant.uri, "only key frames, for searching");
      continue;
    }
    if (is_redundant(variant)) continue;
    if (listed_.size() >= kMostTracks) {
      leave_out(variant.uri, "too many tracks");
      continue;
    }
    Track track;
    track.kind = TrackKind::kVideo;
    track.group = "video-" + codec.substr(0, codec.find('.'));
    track.id = names_.take(!variant.name.empty() ? variant.name
                           : variant.resolution  ? fmt::format("{}p", variant.resolution->height)
                                                : fmt::format("{}k", variant.bandwidth.whole_bits_per_second() / 1000));
    track.codec = codec;
    track.mime = "video/mp4";
    if (variant.resolution) {
      track.width = static_cast<int>(variant.resolution->width);
      track.height = static_cast<int>(variant.resolution->height);
    }
    if (variant.frame_rate && *variant.frame_rate > 0 && *variant.frame_rate < 1000) {
      track.frame_rate_num = static_cast<int>(std::lround(*variant.frame_rate * 1000));
      track.frame_rate_den = 1000;
    }
    const double peak = (variant.bandwidth > DataRate{} ? variant.bandwidth : kUnstatedBitrate).bits_per_second();
    const double sound = variant.audio.empty() ? 0 : kSoundBitrate;  // all rates of a variant count its sound, too
    const double average = variant.average_bandwidth && *variant.average_bandwidth > DataRate{}
                               ? variant.average_bandwidth->bits_per_second()
                               : peak;
    const auto without_sound = [&](double rate) { return DataRate::bits_per_second(std::max(rate - sound, rate / 2)); };
    track.bitrate = {without_sound(average), without_sound(peak), without_sound(average), without_sound(peak)};
    listed_.push_back({std::move(track), absolute_url(url_, variant.uri)});
    pictures_.push_back(&variant);
  }
}

/// The same quality as one that is listed, at another place: in case that the first one fails.
bool HlsTitle::is_redundant(const hls::Variant& variant) {
  const auto first =
      std::ranges::find_if(pictures_, [&](const auto* listed) { return same_quality(*listed, variant); });
  if (first == pictures_.end()) return false;
  std::vector<std::string>& also_at = listed_[static_cast<std::size_t>(first - pictures_.begin())].also_at;
  if (also_at.size() < kMostAlternatives) also_at.push_back(absolute_url(url_, variant.uri));
  return true;
}

/// The playlists of this sound for variants that are redundant to the one that it belongs to.
std::vector<std::string> HlsTitle::redundant_sounds(const hls::Variant& best, const hls::Rendition& sound) const {
  std::vector<std::string> playlists;
  for (const hls::Variant& variant : playlist_.variants) {
    if (variant.audio == best.audio || !same_quality(best, variant)) continue;
    for (const hls::Rendition& other : playlist_.renditions) {
      const bool same = other.kind == sound.kind && other.group == variant.audio && other.name == sound.name &&
                        other.language == sound.language && other.channels == sound.channels;
      if (same && other.uri && other.uri != sound.uri && playlists.size() < kMostAlternatives)
        playlists.push_back(absolute_url(url_, *other.uri));
    }
  }
  return playlists;
}

/// The sounds of the variant that asks for most. One without a playlist is within the segments of the picture.
void HlsTitle::list_sounds() {
  const auto best = std::ranges::max_element(playlist_.variants, {}, &hls::Variant::bandwidth);
  if (best == playlist_.variants.end() || best->audio.empty()) return;
  std::vector<const hls::Rendition*> sounds;
  for (const hls::Rendition& rendition : playlist_.renditions) {
    if (rendition.kind == hls::RenditionKind::kAudio && rendition.group == best->audio) sounds.push_back(&rendition);
  }
  std::ranges::stable_sort(sounds, std::greater{}, &hls::Rendition::is_default);
  const bool within_pictures = !sounds.empty() && !sounds.front()->uri;
  for (const hls::Rendition* sound : sounds) {
    if (!sound->uri) continue;
    if (within_pictures) {
      leave_out(sound->name, "beside sound in the segments of the picture, which is the default");
      continue;
    }
    if (listed_.size() >= 2 * kMostTracks) return leave_out(sound->name, "too many tracks");
    Track track;
    track.kind = TrackKind::kAudio;
    track.id = names_.take(sound->name.empty() ? "audio" : sound->name);
    track.group = fmt::format("audio-{}", listed_.size());
    track.codec = first_codec(best->codecs, false);
    track.mime = "audio/mp4";
    track.label = {.language = sound->language, .name = sound->name, .roles = {}};
    const auto rate = DataRate::bits_per_second(kSoundBitrate);
    track.bitrate = {rate, rate, rate, rate};
    listed_.push_back({std::move(track), absolute_url(url_, *sound->uri), redundant_sounds(*best, *sound)});
  }
}

bool HlsTitle::has_texts() const {
  return std::ranges::any_of(playlist_.renditions, [](const hls::Rendition& rendition) {
    return rendition.kind == hls::RenditionKind::kSubtitles;
  });
}

/// The texts of the variant that asks for most. Their playlists are fetched when they are chosen.
void HlsTitle::add_texts() {
  const auto best = std::ranges::max_element(playlist_.variants, {}, &hls::Variant::bandwidth);
  if (best == playlist_.variants.end()) return;
  add_captions(best->closed_captions);
  if (best->subtitles.empty()) return;
  std::size_t texts = 0;
  for (const hls::Rendition& text : playlist_.renditions) {
    if (text.kind != hls::RenditionKind::kSubtitles || text.group != best->subtitles || !text.uri) continue;
    if (++texts > kMostTracks) return leave_out(text.name, "too many tracks");
    Track track;
    track.kind = TrackKind::kText;
    track.id = names_.take(text.name.empty() ? "text" : text.name);
    track.group = "text-" + track.id;
    track.label = label_of_text(text);
    track.text.playlist = absolute_url(url_, *text.uri);
    track.text.variables = playlist_.variables;
    track.text.timeline = timeline_;
    opened_.presentation.tracks.push_back(std::move(track));
  }
}

/// Those within the pictures.
void HlsTitle::add_captions(const std::string& group) {
  for (const hls::Rendition& text : playlist_.renditions) {
    if (text.kind != hls::RenditionKind::kClosedCaptions || group.empty() || text.group != group) continue;
    if (!is_shown_channel(text.instream_id)) {
      leave_out(text.name, fmt::format("captions in {} are not shown", text.instream_id));
      continue;
    }
    Track track = caption_track({text.instream_id, text.language});
    track.id = names_.take(text.instream_id);
    if (!text.name.empty()) track.label.name = text.name;
    opened_.presentation.tracks.push_back(std::move(track));
  }
}

/// The least that is wide enough, or else the widest.
void HlsTitle::add_thumbnails() {
  const auto width = [](const hls::Variant& variant) {
    return variant.resolution ? static_cast<int>(variant.resolution->width) : 0;
  };
  const hls::Variant* best = nullptr;
  for (const hls::Variant& variant : playlist_.image_variants) {
    if (best == nullptr || is_better_thumbnail(width(variant), width(*best))) best = &variant;
  }
  if (best == nullptr) return;
  if (live_) return leave_out(best->uri, "thumbnails of live playlists are not shown yet");
  opened_.presentation.thumbnails.playlist = absolute_url(url_, best->uri);
  opened_.presentation.thumbnails.variables = playlist_.variables;
}

Track lone_track() {
  Track track;
  track.id = "video";
  track.kind = TrackKind::kVideo;
  track.group = "video";
  track.mime = "video/mp4";
  track.bitrate = {kUnstatedBitrate, kUnstatedBitrate, kUnstatedBitrate, kUnstatedBitrate};
  return track;
}

Opened of_media_playlist(const hls::MediaPlaylist& playlist, const std::string& text, const std::string& url,
                         const FetchFiles& fetch, const ManifestMoment& moment) {
  if (!playlist.ended) return live_title({{{lone_track(), url}}, {}, {}, false}, {{{url, text}}}, fetch, moment);
  Track track = lone_track();
  HlsKeys keys;
  read_media(track, playlist, url, keys, fetch);
  Opened opened;
  opened.presentation.tracks.push_back(std::move(track));
  return opened;
}

}  // namespace

Opened presentation_of_playlist(const std::string& text, const std::string& url, const FetchFiles& fetch,
                                const ManifestMoment& moment) {
  const hls::Playlist playlist = hls::read_playlist(text, {{}, hls_query(url)});
  const auto* multivariant = std::get_if<hls::MultivariantPlaylist>(&playlist);
  Opened opened = multivariant != nullptr
                      ? HlsTitle{*multivariant, url, fetch, moment}.read()
                      : of_media_playlist(std::get<hls::MediaPlaylist>(playlist), text, url, fetch, moment);
  opened.presentation.own_grids = true;
  opened.presentation.times_are_measured = true;
  return opened;
}

}  // namespace tributary
