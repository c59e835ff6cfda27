#pragma once

#include <stdexcept>
#include <string>

namespace tributary::play {

/// What was typed, dropped or given cannot be played. The text says why, and what to do; in the user's language.
class AddressError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The address of an index.json: of itself, of its folder, or of the HLS or DASH manifest beside it. A scheme that is
/// missing is https; tributary: stands for https, tributary+http: for http. What lies on this computer (a path, or a
/// file: URI) becomes a file: URI. Throws AddressError.
std::string index_address(const std::string& text);

/// The path of a file: URI; empty for any other.
std::string local_path(const std::string& url);

/// A short name for people: "big-film" of https://example.org/big-film/index.json.
std::string address_title(const std::string& url);

}  // namespace tributary::play
