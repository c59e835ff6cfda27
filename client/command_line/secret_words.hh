#pragma once

#include <span>
#include <string_view>

namespace tributary {

/// Overwrites secrets in the words of the command line, which every user of the machine can read in the list of
/// processes: users and queries of addresses, and the values of these options ("--header", "-H"). To be called once the
/// words have been read. Until then they can be seen.
void hide_secrets(std::span<char* const> words, std::span<const std::string_view> secret_options);

}  // namespace tributary
