#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tributary {

/// Which file of keys it is. The first line of each says so, with its version: "tributary-relay-key 1".
enum class KeyFileKind { kRelayKey, kClientKey, kClients };

/// A line of such a file: two words.
struct KeyEntry {
  int line = 0;
  std::string word, value;
};

/// The lines behind the first one, without comments ("# ...") and empty ones. Throws std::runtime_error, with the line, for a
/// file of another kind or version, and for a line that has not two words.
std::vector<KeyEntry> read_key_entries(const std::string& path, std::string_view text, KeyFileKind kind);

/// "PATH:LINE: PROBLEM".
[[noreturn]] void refuse_key_line(const std::string& path, int line, const std::string& problem);

/// The first line of such a file, after a comment for its reader.
std::string key_file_begin(KeyFileKind kind, std::string_view comment);

}  // namespace tributary
