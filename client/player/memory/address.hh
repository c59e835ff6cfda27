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

/// The address of a manifest (index.json, HLS, DASH) or of a web server's folder, from what somebody wrote. Without a
/// scheme it is of the web as with_scheme() has it; tributary: stands for https, tributary+http: for http. A path on this
/// computer becomes a file: URI of the manifest itself. Throws AddressError.
std::string address_to_play(const std::string& text);

/// Whether a file is one of these, by its suffix.
bool is_manifest(const std::filesystem::path& path);

/// The manifest by which a folder of this computer is played; empty: it has none of the usual names.
std::filesystem::path manifest_in(const std::filesystem::path& folder);

/// Whether it is a file of this computer that has subtitles, by its suffix.
bool is_subtitle_file(const std::string& text);

/// The path of a file: URI; empty for any other.
std::string local_path(const std::string& url);

/// A short name for people: "big-film" of https://example.org/big-film/index.json.
std::string address_title(const std::string& url);

}  // namespace tributary::play
