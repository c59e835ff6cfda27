#include "download/options/login.hh"

#include <curl/curl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "transport/connections/curl_handle.hh"

namespace tributary {
namespace {

/// Decoded; empty if there is none.
std::string part_of(const transport::CurlUrl& address, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(address.get(), part, &text, CURLU_URLDECODE) != CURLUE_OK) return {};
  return transport::CurlText{text}.get();
}

/// Words of a .netrc. A word in double quotes may have blanks in it, and marks behind a backslash, as curl reads them.
class NetrcWords {
 public:
  explicit NetrcWords(const std::string& text) : text_{text} {}

  std::optional<std::string> next() {
    while (pass_blanks(), at_ < text_.size() && text_[at_] == '#') pass_line();
    if (at_ == text_.size()) return std::nullopt;
    std::string word;
    const bool quoted = text_[at_] == '"';
    if (quoted) ++at_;
    for (; at_ < text_.size() && !ends(quoted); ++at_) {
      if (quoted && text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word += text_[at_];
    }
    if (quoted && at_ < text_.size()) ++at_;
    return word;
  }
  std::string value_of(const std::string& word) {
    if (auto value = next()) return *std::move(value);
    throw std::invalid_argument{fmt::format(".netrc: nothing stands behind \"{}\"", word)};
  }
  /// A macro ends with an empty line.
  void pass_macro() { at_ = std::min(text_.find("\n\n", at_), text_.size()); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  bool ends(bool quoted) const { return quoted ? text_[at_] == '"' : is_blank(text_[at_]); }
  void pass_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  void pass_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Login read_login(const std::string& text) {
  const std::size_t colon = text.find(':');
  return {text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
}

std::optional<Login> take_login(std::string& url) {
  const transport::CurlUrl address{curl_url()};
  if (!address || curl_url_set(address.get(), CURLUPART_URL, url.c_str(), CURLU_URLENCODE) != CURLUE_OK)
    return std::nullopt;
  char* user = nullptr;
  if (curl_url_get(address.get(), CURLUPART_USER, &user, 0) != CURLUE_OK) return std::nullopt;
  curl_free(user);
  const Login login{part_of(address, CURLUPART_USER), part_of(address, CURLUPART_PASSWORD)};
  curl_url_set(address.get(), CURLUPART_USER, nullptr, 0);
  curl_url_set(address.get(), CURLUPART_PASSWORD, nullptr, 0);
  char* without = nullptr;
  if (curl_url_get(address.get(), CURLUPART_URL, &without, 0) != CURLUE_OK) return std::nullopt;
  url = transport::CurlText{without}.get();
  return login;
}

std::optional<Login> login_in_netrc(const std::string& text, const std::string& host) {
  NetrcWords words{text};
  std::optional<Login> found;
  bool applies = false;
  while (const auto word = words.next()) {
    if (*word == "machine" || *word == "default") {
      if (found) return found;
      applies = *word == "default" || words.value_of(*word) == host;
      if (applies) found.emplace();
    } else if (*word == "login" || *word == "user") {
      const std::string user = words.value_of(*word);
      if (applies) found->user = user;
    } else if (*word == "password") {
      const std::string password = words.value_of(*word);
      if (applies) found->password = password;
    } else if (*word == "account") {
      words.value_of(*word);
    } else if (*word == "macdef") {
      words.pass_macro();
    } else {
      throw std::invalid_argument{fmt::format(
          ".netrc: \"{}\" stands where machine, default, login, password, account or macdef is expected", *word)};
    }
  }
  return found;
}

std::string read_netrc() {
  const char* const named = std::getenv("NETRC");
  const char* const home = std::getenv("HOME");
  const std::string path = named != nullptr ? named : fmt::format("{}/.netrc", home != nullptr ? home : "");
  errno = 0;
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw std::runtime_error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  return std::move(text).str();
}

}  // namespace tributary
