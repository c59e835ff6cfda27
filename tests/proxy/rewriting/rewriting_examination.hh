#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dash/reading/mpd_reader.hh"
#include "dash/segments/segment_list.hh"
#include "hls/playlist_reader.hh"
#include "manifests/listed_track.hh"
#include "manifests/manifest.hh"
#include "manifests/manifest_kind.hh"
#include "presentation/json/json_index.hh"
#include "proxy/rewriting/title_files.hh"
#include "transport/connections/origin.hh"

namespace tributary::proxy {

/// Whether a rewritten manifest is the same presentation: our readers read both texts alike, and each address of the
/// rewritten one leads, as a player resolves it, to the address of the original one.
class RewritingExamination {
 public:
  RewritingExamination(const std::string& text, const std::string& url) : text_{text}, document_{*address_from(url)} {}

  /// What is wrong; empty: nothing. Throws ManifestError if the manifest is refused.
  std::string complaint() {
    const std::string target = files_.local(document_.url());
    rewritten_ = files_.take_in(text_, document_.url()).text;
    local_ = transport::parse_url("http://local" + target);
    if (files_.upstream(target) != document_.url()) complain("the manifest's own target leads elsewhere");
    switch (*manifest_kind(text_)) {
      case ManifestKind::kIndex:
        if (rewritten_ != text_) complain("an index was changed");
        break;
      case ManifestKind::kHls:
        compare_playlists();
        break;
      case ManifestKind::kMpd:
        compare_mpds();
        break;
    }
    return complaint_;
  }
  const std::string& rewritten() const { return rewritten_; }
  std::size_t addresses() const { return addresses_; }

 private:
  static constexpr std::size_t kMostSegments = 3'000;  // that are looked at

  void complain(std::string what) {
    if (complaint_.empty()) complaint_ = std::move(what);
  }

  /// Where a player gets by a name of the rewritten manifest.
  std::optional<std::string> led_to(const std::string& url) const {
    const transport::FileLocation place = transport::parse_url(url);
    if (place.origin != local_.origin) return std::nullopt;
    return files_.upstream(place.target);
  }

  /// `own` stands in the original, `theirs` in the rewritten manifest.
  void compare_name(const std::string& own, std::string& theirs, bool needs_media) {
    ++addresses_;
    if (is_of_another_scheme(own)) {  // it stays, unless it could end its line
      const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
      if (theirs == "/1/none" && std::ranges::any_of(own, is_control)) theirs = own;
      if (own.find('"') != std::string::npos) theirs = own;
      return;
    }
    const auto address = resolved(document_, own);
    std::optional<std::string> led;
    try {
      led = led_to(transport::resolve_uri(local_, theirs).url());
    } catch (const transport::UrlError& error) {
      complain(fmt::format("\"{}\" became \"{}\": {}", own, theirs, error.what()));
    }
    if (led != (address ? std::optional{address->url()} : std::nullopt))
      complain(fmt::format("\"{}\" became \"{}\", which leads to {}", own, theirs, led.value_or("nothing")));
    if (address && needs_media && files_.kind(address->url()) == FileKind::kManifest)
      needs_media = false;  // it is the playlist itself
    if (address && needs_media && files_.kind(address->url()) == FileKind::kOther)
      complain(fmt::format("\"{}\" is no media", own));
    theirs = own;
  }

  // ---- HLS

  void compare_playlists() {
    const hls::PlaylistVariables outside{{}, document_.query};
    std::optional<hls::Playlist> own;
    try {
      own = hls::read_playlist(text_, outside);
    } catch (const hls::PlaylistError&) {
      return;
    }
    if (has_unquoted_variable()) return;
    if (auto* const multivariant = std::get_if<hls::MultivariantPlaylist>(&*own)) {
      multivariant->steering.reset();
      multivariant->variables.clear();
      if (multivariant->variants.empty()) return;  // without steering, it may be none
    }
    try {
      hls::Playlist theirs = hls::read_playlist(rewritten_);
      if (own->index() != theirs.index()) return complain("another kind of playlist");
      std::visit(
          [&](auto& read) {
            compare_uris(std::get<std::decay_t<decltype(read)>>(*own), read);
            if (std::get<std::decay_t<decltype(read)>>(*own) != read) complain("the playlists differ");
          },
          theirs);
    } catch (const hls::PlaylistError& error) {
      complain(fmt::format("it cannot be read any more: {}", error.what()));
    }
  }

  /// Its value may have a quotation mark or comma, which ends another one.
  bool has_unquoted_variable() const {
    constexpr std::string_view kValue = "VALUE";
    for (std::size_t at = text_.find(kValue); at != std::string::npos; at = text_.find(kValue, at + 1)) {
      if (!std::string_view{text_}.substr(at + kValue.size()).starts_with("=\"")) return true;
    }
    return false;
  }

  template <typename List>
  void compare_all(const List& own, List& theirs, bool needs_media) {
    if (own.size() != theirs.size()) return complain("another number of addresses");
    for (std::size_t i = 0; i < std::min(own.size(), kMostSegments); ++i) {
      if (!own[i].uri.empty()) compare_name(own[i].uri, theirs[i].uri, needs_media);
    }
  }

  /// Two spellings of one key or map become one: each segment is looked at.
  void compare_uris(hls::MediaPlaylist& own, hls::MediaPlaylist& theirs) {
    compare_all(own.segments, theirs.segments, true);
    for (std::size_t i = 0; i < std::min({own.segments.size(), theirs.segments.size(), kMostSegments}); ++i) {
      compare_referred(own.keys, own.segments[i].key, theirs.keys, theirs.segments[i].key, false);
      compare_referred(own.maps, own.segments[i].map, theirs.maps, theirs.segments[i].map, true);
      compare_all(own.segments[i].parts, theirs.segments[i].parts, true);
    }
    if (own.open.has_value() != theirs.open.has_value()) return complain("another number of parts");
    if (own.open) {
      compare_all(own.open->parts, theirs.open->parts, true);
      compare_referred(own.keys, own.open->key, theirs.keys, theirs.open->key, false);
      compare_referred(own.maps, own.open->map, theirs.maps, theirs.open->map, true);
    }
    if (own.preload_hint && theirs.preload_hint) compare_name(own.preload_hint->uri, theirs.preload_hint->uri, true);
    compare_all(own.reports, theirs.reports, false);
    for (const hls::MediaSegment& segment : own.segments) {
      const auto address = resolved(document_, segment.uri);
      if (!address || segment.gap || ++addresses_ > kMostSegments) continue;
      if (files_.kind(address->url()) == FileKind::kManifest) continue;  // a tag before it says that it is a playlist
      const auto file = files_.file(address->url(), segment.range, {});
      if (!file || file->init || file->range != segment.range) complain("a segment is not known");
    }
    for (hls::MediaPlaylist* const playlist : {&own, &theirs}) {
      playlist->keys.clear();
      playlist->maps.clear();
      for (hls::MediaSegment& segment : playlist->segments) segment.key = segment.map = {};
      if (playlist->open) playlist->open->key = playlist->open->map = {};
    }
  }

  template <typename List>
  void compare_referred(const List& own, std::optional<std::size_t> at, const List& theirs,
                        std::optional<std::size_t> their_at, bool needs_media) {
    if (at.has_value() != their_at.has_value()) return complain("another key or map");
    if (!at) return;
    auto named = theirs[*their_at];
    if (!own[*at].uri.empty()) compare_name(own[*at].uri, named.uri, needs_media);
    if constexpr (requires { named.key; }) named.key = own[*at].key;
    if (named != own[*at]) complain("another key or map");
  }

  void compare_uris(const hls::MultivariantPlaylist& own, hls::MultivariantPlaylist& theirs) {
    compare_all(own.variants, theirs.variants, false);
    compare_all(own.i_frame_variants, theirs.i_frame_variants, false);
    compare_all(own.image_variants, theirs.image_variants, false);
    compare_all(own.session_keys, theirs.session_keys, false);
    if (own.renditions.size() != theirs.renditions.size()) return complain("another number of renditions");
    for (std::size_t i = 0; i < own.renditions.size(); ++i) {
      if (own.renditions[i].uri && theirs.renditions[i].uri)
        compare_name(*own.renditions[i].uri, *theirs.renditions[i].uri, false);
    }
  }

  // ---- MPEG-DASH

  void compare_mpds() {
    std::optional<dash::Mpd> own;
    try {
      own = dash::read_mpd(text_);
    } catch (const dash::MpdError&) {
      return;
    }
    try {
      const dash::Mpd theirs = dash::read_mpd(rewritten_);
      if (leaves_out_query(*own)) return;  // it is written so that it makes sense
      if (own->periods.size() != theirs.periods.size() || own->left_out.size() != theirs.left_out.size())
        return complain(
            fmt::format("other periods: {} and {}", fmt::join(own->left_out, "; "), fmt::join(theirs.left_out, "; ")));
      for (std::size_t p = 0; p < own->periods.size(); ++p) {
        const dash::Period &period = own->periods[p], &their_period = theirs.periods[p];
        if (period.sets.size() != their_period.sets.size()) return complain("other sets");
        for (std::size_t s = 0; s < period.sets.size(); ++s) {
          const dash::AdaptationSet &set = period.sets[s], &their_set = their_period.sets[s];
          if (set.representations.size() != their_set.representations.size()) return complain("other representations");
          for (std::size_t r = 0; r < set.representations.size() && addresses_ < kMostSegments; ++r)
            compare_representations({&*own, &period, &set, &set.representations[r]},
                                    {&theirs, &their_period, &their_set, &their_set.representations[r]});
        }
      }
    } catch (const dash::MpdError& error) {
      complain(fmt::format("it cannot be read any more: {}", error.what()));
    }
  }

  static bool leaves_out_query(const dash::Mpd& mpd) {
    return std::ranges::any_of(mpd.left_out,
                               [](const std::string& why) { return why.find("UrlQueryInfo") != std::string::npos; });
  }

  struct Place {
    const dash::Mpd* mpd;
    const dash::Period* period;
    const dash::AdaptationSet* set;
    const dash::Representation* one;

    std::vector<std::string> addresses(const std::string& document, const std::string& uri,
                                       const dash::Resolve& resolve) const {
      const dash::BaseUrls* const levels[] = {&mpd->base_urls, &period->base_urls, &set->base_urls, &one->base_urls};
      std::vector<std::string> all = dash::addresses_of(dash::bases_of(document, levels, resolve), uri, resolve);
      for (std::string& each : all) each = dash::with_queries(each, one->url_queries, document);
      return all;
    }
  };

  static std::optional<dash::Segments> segments_of(const Place& place) {
    try {
      const UtcTime start = place.mpd->availability_start.value_or(UtcTime{});
      return dash::available_segments(*place.mpd, *place.period, *place.one,
                                      place.mpd->publish_time.value_or(start + std::chrono::minutes{1}))
          .segments;
    } catch (const dash::MpdError&) {
      return std::nullopt;
    }
  }

  void compare_representations(const Place& own, const Place& theirs) {
    if (own.one->id != theirs.one->id || own.one->addressing.index() != theirs.one->addressing.index())
      return complain("another representation");
    if (const auto* const indexed = std::get_if<dash::IndexedAddressing>(&own.one->addressing)) {
      const auto& their_indexed = std::get<dash::IndexedAddressing>(theirs.one->addressing);
      if (indexed->index.range != their_indexed.index.range) complain("another index");
      return compare_addresses(own, indexed->index.uri, theirs, their_indexed.index.uri);
    }
    const auto segments = segments_of(own), their_segments = segments_of(theirs);
    if (!segments && own.mpd->dynamic) return;
    if (segments.has_value() != their_segments.has_value()) {
      // Names of a bounded length may become too long.
      if (rewritten_.size() < text_.size() + 4'000) complain("segments that cannot be listed");
      return;
    }
    if (!segments) return;
    if (segments->list.size() != their_segments->list.size() ||
        segments->init.has_value() != their_segments->init.has_value())
      return complain("another number of segments");
    if (segments->init) compare_addresses(own, segments->init->uri, theirs, their_segments->init->uri);
    for (std::size_t i = 0; i < segments->list.size() && addresses_ < kMostSegments; ++i) {
      dash::Segment theirs_named = their_segments->list[i];
      compare_addresses(own, segments->list[i].uri, theirs, theirs_named.uri);
      theirs_named.uri = segments->list[i].uri;
      if (theirs_named != segments->list[i]) complain("another segment");
    }
  }

  void compare_addresses(const Place& own, const std::string& uri, const Place& theirs, const std::string& their_uri) {
    ++addresses_;
    if (is_of_another_scheme(uri) || their_uri.starts_with("/1/none")) return;
    const auto resolve = [](const std::string& base, const std::string& name) {
      const auto at = address_from(base);
      const auto address = at ? resolved(*at, name) : std::nullopt;
      if (!address) throw transport::UrlError{"none"};
      return address->url();
    };
    std::vector<std::string> expected;
    try {
      for (const std::string& each : own.addresses(document_.url(), uri, resolve)) {
        const auto address = address_from(each);
        if (!address) return;
        expected.push_back(address->url());
      }
    } catch (const transport::UrlError&) {
      return;
    }
    std::vector<std::string> led;
    try {
      for (const std::string& url : theirs.addresses(local_.url(), their_uri, absolute_url))
        led.push_back(led_to(url).value_or("nothing"));
    } catch (const std::runtime_error& error) {
      return complain(fmt::format("\"{}\" became \"{}\": {}", uri, their_uri, error.what()));
    }
    if (led.empty() || led.front() != expected.front())
      return complain(fmt::format("\"{}\" became \"{}\", which leads to {} instead of {}", uri, their_uri,
                                  led.empty() ? "nothing" : led.front(), expected.front()));
    // Templates and lists are written for the first base; the others lead there, or to the same folders.
    for (const std::string& each : led) {
      if (each != "nothing" && std::ranges::find(expected, each) == expected.end())
        complain(fmt::format("\"{}\" leads to {}, too", uri, each));
    }
  }

  const std::string& text_;
  Address document_;
  TitleFiles files_{"/1"};
  std::string rewritten_;
  transport::FileLocation local_;
  std::string complaint_;
  std::size_t addresses_ = 0;
};

}  // namespace tributary::proxy
