#include "tunnel/exclusive/resolv_conf.hh"

#include <fmt/format.h>

#include <string_view>

namespace tributary {
namespace {

constexpr std::string_view kLine = "#| ", kLastLine = "#: ";  // of what was there; the last one without its end

std::string begin_of(const std::string& device) {
  return fmt::format("# Of tributary-tunnel, for {}. It puts back at its end what was here before:\n", device);
}

/// The first line, which is taken away. Its end is a part of it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
  text.remove_prefix(line.size());
  return line;
}

}  // namespace

std::string resolv_conf_of(const std::string& device, std::span<const std::string> servers, const std::string& before) {
  std::string text = begin_of(device);
  for (std::string_view rest = before; !rest.empty();) {
    const std::string_view line = take_line(rest);
    text += line.ends_with('\n') ? fmt::format("{}{}", kLine, line) : fmt::format("{}{}\n", kLastLine, line);
  }
  for (const std::string& server : servers) text += fmt::format("nameserver {}\n", server);
  return text;
}

std::optional<std::string> resolv_conf_before(const std::string& device, const std::string& text) {
  std::string_view rest = text;
  const std::string begin = begin_of(device);
  if (!rest.starts_with(begin)) return std::nullopt;
  rest.remove_prefix(begin.size());
  std::string before;
  while (rest.starts_with(kLine)) before += take_line(rest).substr(kLine.size());
  if (rest.starts_with(kLastLine)) {
    before += take_line(rest).substr(kLastLine.size());
    before.pop_back();
  }
  return before;
}

}  // namespace tributary
