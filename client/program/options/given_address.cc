#include "program/options/given_address.hh"

#include <fmt/format.h>

#include <filesystem>

#include "command_line/program_end.hh"
#include "units/text/channel_address.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"
#include "units/text/web_address.hh"

namespace tributary {

std::string given_address(const std::string& program, const std::string& text, bool quiet) {
  if (is_address(text) || text.empty()) return text;
  std::error_code unreadable;
  if (text.starts_with('.') || text.starts_with('/') || std::filesystem::exists(channel_address(text).url, unreadable))
    throw UsageError(
        fmt::format("{} is a file or folder of this machine: a server has to offer it (serve nginx FOLDER)", text));
  std::string url = with_scheme(text);
  if (!quiet) print_text(stderr, "{}: the address has no scheme, trying {}\n", program, redacted(url));
  return url;
}

}  // namespace tributary
