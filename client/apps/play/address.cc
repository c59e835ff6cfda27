#include "apps/play/address.hh"

#include <glib.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "apps/play/g_handles.hh"
#include "apps/play/translation.hh"

namespace tributary::play {
namespace {

constexpr std::string_view kIndex = "index.json";

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

[[noreturn]] void refuse_local(const std::string& text) {
  const std::string folder =
      text.ends_with(kIndex) ? std::filesystem::path{text}.parent_path().string() : std::string{"FOLDER"};
  if (text.ends_with(kIndex) || text.ends_with("/")) {
    throw AddressError{say(_("“{}” is a file of this computer, and Tributary plays from web servers. Serve its folder "
                             "with any web server, such as: server-tools/origin/serve nginx {} --port 8080, and open "
                             "http://localhost:8080/index.json."),
                           text, folder)};
  }
  throw AddressError{say(_("“{}” is a file of this computer, and Tributary plays from web servers. Prepare it first, "
                           "with: tributary-segment FILE -o FOLDER, then serve that folder with any web server."),
                         text)};
}

std::string with_scheme(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSchemes{
      {{"tributary://", "https://"},
       {"tributary+http://", "http://"},
       {"tributary:https://", "https://"},
       {"tributary:http://", "http://"}}};
  for (const auto& [ours, real] : kSchemes) {
    if (text.starts_with(ours)) return std::string{real} + text.substr(ours.size());
  }
  return text.find("://") == std::string::npos ? "https://" + text : text;
}

}  // namespace

std::string index_address(const std::string& text) {
  const std::string wanted = trimmed(text);
  if (wanted.empty()) throw AddressError{_("The address is empty.")};
  if (is_local(wanted)) refuse_local(wanted);
  const Uri uri{g_uri_parse(with_scheme(wanted).c_str(), kFlags, nullptr)};
  if (!uri || text_of(g_uri_get_host(uri.get())).empty()) {
    throw AddressError{say(_("“{}” is not a web address. It looks like https://example.org/film/index.json."), wanted)};
  }
  const std::string scheme = g_uri_get_scheme(uri.get());
  if (scheme != "http" && scheme != "https") {
    throw AddressError{say(_("Tributary cannot open “{}:” addresses, only http and https."), scheme)};
  }
  std::string path = text_of(g_uri_get_path(uri.get()));
  if (path.empty()) path = "/";
  for (const std::string_view manifest : {"/master.m3u8", "/manifest.mpd"}) {  // index.json is beside them
    if (path.ends_with(manifest)) path.resize(path.size() - manifest.size() + 1);
  }
  if (path.ends_with("/")) path += kIndex;
  return CString{g_uri_join(kFlags, scheme.c_str(), g_uri_get_userinfo(uri.get()), g_uri_get_host(uri.get()), g_uri_get_port(uri.get()),
                            path.c_str(), g_uri_get_query(uri.get()), nullptr)}
      .get();
}

std::string address_title(const std::string& url) {
  const Uri uri{g_uri_parse(url.c_str(), kFlags, nullptr)};
  if (!uri) return url;
  std::filesystem::path path = text_of(g_uri_get_path(uri.get()));
  if (path.filename() == kIndex) path = path.parent_path();
  const CString name{g_uri_unescape_string(path.filename().c_str(), nullptr)};
  const std::string title = text_of(name.get());
  return title.empty() ? text_of(g_uri_get_host(uri.get())) : title;
}

}  // namespace tributary::play
