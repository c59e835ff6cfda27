#include "proxy/rewriting/ladders.hh"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "manifests/from_hls/hls_presentation.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {
namespace {

/// "avc" of "avc1.64001f" and "avc3.64001f", "mp4a" of "mp4a.40.2".
std::string codec_kind(std::string_view codec) {
  codec = codec.substr(0, codec.find('.'));
  if (codec == "hev1" || codec == "hvc1") return "hevc";
  if (codec == "avc1" || codec == "avc3") return "avc";
  return std::string{codec};
}

bool has_picture(const hls::Variant& variant) {
  return variant.resolution || variant.codecs.empty() || !first_codec(variant.codecs, true).empty();
}

void sort_rungs(std::vector<Ladder>& ladders) {
  for (Ladder& ladder : ladders) std::ranges::stable_sort(ladder.rungs, {}, &Rung::bitrate);
}

}  // namespace

std::vector<Ladder> ladders_of(const hls::MultivariantPlaylist& playlist,
                               const std::function<std::optional<std::string>(const std::string& uri)>& key,
                               const std::function<DataRate(const hls::Variant&)>& bitrate) {
  const bool has_resolutions = std::ranges::any_of(playlist.variants, has_picture);
  const auto has_playlist = [&](const std::string& group) {
    return std::ranges::any_of(playlist.renditions, [&](const hls::Rendition& rendition) {
      return rendition.kind == hls::RenditionKind::kAudio && rendition.group == group && rendition.uri;
    });
  };
  std::map<std::tuple<std::string, std::string, std::string, bool>, std::size_t> by_kind;
  std::vector<Ladder> ladders;
  std::vector<std::size_t> sounds;
  for (std::size_t i = 0; i < playlist.variants.size(); ++i) {
    const hls::Variant& variant = playlist.variants[i];
    const auto manifest = key(variant.uri);
    if (!manifest) continue;
    if (has_resolutions && !has_picture(variant)) {
      sounds.push_back(i);
      continue;
    }
    const std::tuple kind{codec_kind(first_codec(variant.codecs, true)), codec_kind(first_codec(variant.codecs, false)),
                          variant.video_range, has_playlist(variant.audio)};
    const auto [at, is_new] = by_kind.try_emplace(kind, ladders.size());
    if (is_new) ladders.emplace_back();
    Ladder& ladder = ladders[at->second];
    const auto same_file = std::ranges::find(ladder.rungs, *manifest, &Rung::manifest);
    if (same_file != ladder.rungs.end()) {
      same_file->offers.push_back(i);
      continue;
    }
    const bool is_redundant = std::ranges::any_of(ladder.rungs, [&](const Rung& rung) {
      const hls::Variant& other = playlist.variants[rung.offers.front()];
      return other.bandwidth > DataRate{} && other.bandwidth == variant.bandwidth &&
             other.resolution == variant.resolution && other.frame_rate == variant.frame_rate;
    });
    if (is_redundant || ladder.rungs.size() >= kMostRungs)
      ladder.dispensable.push_back(i);
    else
      ladder.rungs.push_back(
          {*manifest, 0, bitrate(variant), variant.resolution ? static_cast<int>(variant.resolution->height) : 0, {i}});
  }
  if (!ladders.empty())
    ladders.front().dispensable.insert(ladders.front().dispensable.end(), sounds.begin(), sounds.end());
  sort_rungs(ladders);
  return ladders;
}

std::vector<Ladder> ladders_of(const dash::Mpd& mpd, const std::vector<RepresentationPlace>& representations,
                               const std::string& manifest) {
  std::map<std::string_view, std::uint32_t> by_place;
  for (std::uint32_t i = 0; i < representations.size(); ++i) by_place.emplace(representations[i].place, i);
  std::vector<Ladder> ladders;
  for (const dash::Period& period : mpd.periods) {
    for (const dash::AdaptationSet& set : period.sets) {
      if (set.kind != dash::MediaKind::kVideo || set.trick_mode) continue;
      std::map<std::string, std::size_t> by_kind;
      for (const dash::Representation& representation : set.representations) {
        const auto place = by_place.find(place_in_text(representation));
        if (place == by_place.end()) continue;
        const auto [at, is_new] = by_kind.try_emplace(codec_kind(representation.codecs), ladders.size());
        if (is_new) ladders.emplace_back();
        const auto bitrate = DataRate::bits_per_second(static_cast<double>(representation.bandwidth));
        ladders[at->second].rungs.push_back(
            {manifest, place->second, bitrate, representation.height.value_or(0), {place->second}});
      }
    }
  }
  sort_rungs(ladders);
  return ladders;
}

}  // namespace tributary::proxy
