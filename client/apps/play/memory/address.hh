#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tributary::play {

/// A typed, dropped or given text cannot be played. The message gives the reason and advice, in the user's language.
class AddressError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The address of an index.json, from its own address, that of its folder, or that of the HLS or DASH manifest beside
/// it. A missing scheme is https; tributary: stands for https, tributary+http: for http. A path on this computer
/// becomes a file: URI. Throws AddressError.
std::string index_address(const std::string& text);

/// Whether a file is one of these, by its suffix.
bool is_manifest(const std::filesystem::path& path);

/// Whether it is a file of this computer that has subtitles, by its suffix.
bool is_subtitle_file(const std::string& text);

/// The path of a file: URI; empty for any other.
std::string local_path(const std::string& url);

/// A short name for people: "big-film" of https://example.org/big-film/index.json.
std::string address_title(const std::string& url);

}  // namespace tributary::play
