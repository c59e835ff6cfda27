#include "player/memory/address.hh"

#include <glib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "player/glib/g_handles.hh"
#include "player/texts/translation.hh"
#include "units/text/channel_address.hh"
#include "units/text/redacted_url.hh"
#include "units/text/web_address.hh"
#include "worlds/discovery/folder_titles.hh"

namespace tributary::play {
namespace {

constexpr std::size_t kLongestAddress = 8000;  // many servers take no longer one (RFC 9110 section 4.1)

struct UriUnref {
  void operator()(GUri* uri) const { g_uri_unref(uri); }
};
using Uri = std::unique_ptr<GUri, UriUnref>;

constexpr GUriFlags kFlags = static_cast<GUriFlags>(G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED);

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool is_local(const std::string& text) {
  std::error_code unreadable;
  return text.starts_with("file:") || text.starts_with("/") || text.starts_with("./") || text.starts_with("../") ||
         std::filesystem::exists(text, unreadable);
}

/// Only a manifest can be played; other files would first have to be prepared.
std::string local_address(const std::string& text) {
  std::error_code unreadable;
  const GlibString of_uri{text.starts_with("file:") ? g_filename_from_uri(text.c_str(), nullptr, nullptr) : nullptr};
  std::filesystem::path path = std::filesystem::absolute(of_uri ? of_uri.get() : text, unreadable).lexically_normal();
  if (std::filesystem::is_directory(path, unreadable) || !path.has_filename()) {
    const std::filesystem::path found = manifest_in(path);
    path = found.empty() ? path / kManifestNames.front() : found;
  }
  if (!std::filesystem::exists(path, unreadable)) throw AddressError{say(_("There is no file “{}”."), path.string())};
  if (!is_manifest(path) && path.extension() != ".m3u") {  // which has channels
    throw AddressError{
        say(_("“{}” has to be prepared for streaming first, with: tributary-segment FILE -o FOLDER. Then "
              "open the folder."),
            path.string())};
  }
  return GlibString{g_filename_to_uri(path.c_str(), nullptr, nullptr)}.get();
}

/// Addresses that call this program by name.
std::string without_our_scheme(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSchemes{{{"tributary://", "https://"},
                                                                                   {"tributary+http://", "http://"},
                                                                                   {"tributary:https://", "https://"},
                                                                                   {"tributary:http://", "http://"}}};
  for (const auto& [ours, real] : kSchemes) {
    if (text.starts_with(ours)) return std::string{real} + text.substr(ours.size());
  }
  return text;
}

}  // namespace

bool is_manifest(const std::filesystem::path& path) {
  return path.extension() == ".json" || path.extension() == ".mpd" || path.extension() == ".m3u8";
}

std::filesystem::path manifest_in(const std::filesystem::path& folder) {
  std::error_code unreadable;
  for (const std::string_view name : kManifestNames) {
    if (std::filesystem::is_regular_file(folder / name, unreadable)) return folder / name;
  }
  return {};
}

bool is_subtitle_file(const std::string& text) {
  constexpr std::array<std::string_view, 4> kSuffixes{".srt", ".vtt", ".ttml", ".dfxp"};
  std::error_code unreadable;
  return std::ranges::find(kSuffixes, std::filesystem::path{text}.extension().string()) != kSuffixes.end() &&
         std::filesystem::is_regular_file(text, unreadable);
}

namespace {

/// `wanted`: without a channel.
std::string address_without_channel(const std::string& wanted) {
  if (wanted.empty()) throw AddressError{_("The address is empty.")};
  if (wanted.size() > kLongestAddress) throw AddressError{_("The address is too long.")};
  if (is_local(wanted)) return local_address(wanted);
  const Uri uri{g_uri_parse(with_scheme(without_our_scheme(wanted)).c_str(), kFlags, nullptr)};
  if (!uri || text_of(g_uri_get_host(uri.get())).empty()) {
    throw AddressError{say(_("“{}” is not a web address. It looks like https://example.org/film/index.json."), wanted)};
  }
  const std::string scheme = g_uri_get_scheme(uri.get());
  if (scheme != "http" && scheme != "https") {
    throw AddressError{say(_("Tributary cannot open “{}:” addresses, only http and https."), scheme)};
  }
  std::string path = text_of(g_uri_get_path(uri.get()));
  if (path.empty()) path = "/";
  return GlibString{g_uri_join(kFlags, scheme.c_str(), g_uri_get_userinfo(uri.get()), g_uri_get_host(uri.get()),
                               g_uri_get_port(uri.get()), path.c_str(), g_uri_get_query(uri.get()), nullptr)}
      .get();
}

}  // namespace

std::string address_to_play(const std::string& text) {
  const ChannelAddress wanted = channel_address(trimmed(text));
  return with_channels(address_without_channel(wanted.url), wanted.channels);
}

std::string local_path(const std::string& address) {
  const std::string url = channel_address(address).url;
  const GlibString path{url.starts_with("file:") ? g_filename_from_uri(url.c_str(), nullptr, nullptr) : nullptr};
  return text_of(path.get());
}

std::string address_title(const std::string& address) {
  const auto [url, channels] = channel_address(address);
  if (!channels.empty()) return channels.back();
  const Uri uri{g_uri_parse(url.c_str(), kFlags, nullptr)};
  if (!uri) return redacted(url);
  std::filesystem::path path = text_of(g_uri_get_path(uri.get()));
  constexpr std::array<std::string_view, 6> kGeneral{"index", "master", "manifest", "playlist", "main", "stream"};
  if (!path.has_filename()) path = path.parent_path();
  if (is_manifest(path)) {  // many a title is told apart by its folder only
    const std::string name = path.stem();
    path = std::ranges::find(kGeneral, name) != kGeneral.end() ? path.parent_path() : path.parent_path() / name;
  }
  const GlibString name{g_uri_unescape_string(path.filename().c_str(), nullptr)};
  const std::string title = text_of(name.get());
  return title.empty() ? text_of(g_uri_get_host(uri.get())) : title;
}

}  // namespace tributary::play
