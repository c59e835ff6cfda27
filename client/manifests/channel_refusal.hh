#pragma once

#include <string>

namespace tributary {

/// A list of channels is no title: throws ManifestError with the numbers, names and addresses of its first channels.
/// `url`: the absolute address of the text. Does nothing for other texts.
void refuse_channels(const std::string& text, const std::string& url);

}  // namespace tributary
