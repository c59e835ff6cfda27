#include "download/files/download_state.hh"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "presentation/json/json_node.hh"
#include "transport/http/file_versions.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr std::string_view kFormat = "tributary-get";
constexpr int kVersion = 1;

DataSize read_offset(const JsonNode& node, DataSize least, DataSize most) {
  return DataSize{node.integer("an offset in order and within the file", least.bytes(), most.bytes())};
}

/// JSON holds no text that is not UTF-8, as an ETag may be: the bytes of such a text, under another name.
std::string name_of_bytes(std::string_view name) { return fmt::format("{}Bytes", name); }

void write_text(nlohmann::ordered_json& json, const std::string& name, const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    json[name] = text;
  } catch (const nlohmann::json::type_error&) {
    std::string bytes;
    for (const char c : text) bytes += fmt::format("{:02x}", static_cast<unsigned char>(c));
    json[name_of_bytes(name)] = bytes;
  }
}

std::string read_text(const JsonNode& node, std::string_view name) {
  const auto in_bytes = node.find(name_of_bytes(name));
  if (!in_bytes) return node.member(name).text();
  const std::string bytes = in_bytes->text();
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = bytes.data() + std::min(i + 2, bytes.size());
    const auto [read, error] = std::from_chars(bytes.data() + i, end, byte, 16);
    if (error != std::errc{} || read != bytes.data() + i + 2) in_bytes->refuse("is not bytes of two digits each");
    text += static_cast<char>(byte);
  }
  return text;
}

}  // namespace

std::string to_json(const DownloadState& state) {
  nlohmann::ordered_json json{{"format", kFormat}, {"version", kVersion}};
  write_text(json, "url", state.url);
  json["size"] = state.size.bytes();
  write_text(json, "etag", state.etag);
  write_text(json, "lastModified", state.last_modified);
  json["complete"] = nlohmann::ordered_json::array();
  for (const ByteRange& range : state.complete.ranges()) {
    json["complete"].push_back({range.begin.bytes(), range.end.bytes()});
  }
  return json.dump(-1, ' ', true) + "\n";
}

DownloadState state_from_json(std::string_view text) {
  const nlohmann::json document = parse_json(text);
  const JsonNode root{document, ""};
  root.expect_format(kFormat, kVersion);
  DownloadState state;
  state.url = read_text(root, "url");
  state.size = DataSize{root.member("size").integer("a size", 0, std::numeric_limits<std::int64_t>::max() / 2)};
  state.etag = read_text(root, "etag");
  state.last_modified = read_text(root, "lastModified");
  const JsonNode complete = root.member("complete");
  DataSize at;
  for (std::size_t i = 0; i < complete.size(); ++i) {
    const JsonNode node = complete.element(i);
    if (node.size() != 2) node.refuse("a range is [begin, end]");
    const DataSize begin = read_offset(node.element(0), at, state.size);
    at = read_offset(node.element(1), begin, state.size);
    if (begin < at) state.complete.add({begin, at});
  }
  return state;
}

bool has_another_tag(const DownloadState& state, const transport::ObjectHead& now) {
  return transport::are_other_tags(state.etag, now.etag);
}

std::optional<std::string> why_not_continued(const DownloadState& state, const transport::ObjectHead& now,
                                             const std::string& asked) {
  if (now.size != state.size) {
    return fmt::format("the object has {} bytes now, it had {}", now.size ? now.size->bytes() : -1, state.size.bytes());
  }
  if (transport::is_strong(now.etag) && state.etag == now.etag) return std::nullopt;
  const std::string tags =
      has_another_tag(state, now) ? fmt::format("the object's ETag is {} now, it was {}; ", now.etag, state.etag) : "";
  if (state.last_modified.empty() || now.last_modified.empty())
    return tags + "the server says neither the same strong ETag nor when the object was changed";
  if (state.last_modified != now.last_modified)
    return fmt::format("{}the object was changed {}, what is there is of {}", tags, now.last_modified,
                       state.last_modified);
  if (state.url != now.url && state.url != asked)
    return fmt::format("{}what is there came from {}, and has not the same strong ETag", tags, redacted(state.url));
  return std::nullopt;
}

}  // namespace tributary
