#include "units/text/redacted_url.hh"

#include "units/text/data_address.hh"

namespace tributary {
namespace {

/// The address of a live source, without its user. Whoever writes "rtsp://me:pass/word#1@camera" has forgotten to escape
/// the password, which is a secret all the same.
std::string without_user(std::string_view url, std::string_view hidden) {
  const std::size_t scheme = url.find("://"), at = url.rfind('@');
  const bool is_source = scheme != std::string_view::npos && !url.starts_with("http");
  if (!is_source || at == std::string_view::npos) return std::string{url};
  return std::string{url.substr(0, scheme + 3)}.append(hidden).append(url.substr(at));
}

}  // namespace

std::string redacted(std::string_view full_url) {
  constexpr std::string_view kHidden = "...";
  if (is_data_address(full_url))
    return std::string{full_url.substr(0, full_url.find(',')).substr(0, 100)}.append(",").append(kHidden);
  const std::string url = without_user(full_url, kHidden);
  const std::size_t query = url.find_first_of("?#");
  std::string shown = url.substr(0, query);
  const std::size_t scheme = shown.find("://");
  const std::size_t authority = scheme == std::string::npos ? 0 : scheme + 3;
  // An "@" in a path is none of a user, but one in front of a path may be: "//user:secret@host", without a scheme.
  const std::size_t path = shown.find('/', shown.compare(authority, 2, "//") == 0 ? authority + 2 : authority);
  const std::size_t at = std::string_view{shown}.substr(0, path).rfind('@');
  const bool user = scheme != std::string::npos || shown.find(':') < at;  // "a@b/film" is a path
  if (at != std::string::npos && at >= authority && user) shown.replace(authority, at - authority, kHidden);
  if (query != std::string::npos) shown.append(1, url[query]).append(kHidden);
  return shown;
}

}  // namespace tributary
