#pragma once

#include <string>

namespace tributary::segmenter {

/// The formats that an input may have, as libavformat's format_whitelist. All of them are media themselves. A format that
/// leads to other files (a playlist, a manifest, a list or sequence of files) is among them only where the user's words
/// say so: by the end of the name, by the scheme of the address, or by a pattern in place of a file. What somebody else
/// has sent under the name of a film leads to no other file of this machine.
std::string formats_of(const std::string& input);

/// The name of the format of a file on a disk if it is not among them; empty: it is, or nobody knows.
std::string refused_format(const std::string& path, const std::string& formats);

}  // namespace tributary::segmenter
