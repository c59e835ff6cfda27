#include "segmenter/encode/unfinished_run.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "presentation/json/json_index.hh"
#include "presentation/json/json_node.hh"
#include "segmenter/failure.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTerms = "terms.json";
constexpr const char* kSound = "sound.json";
constexpr const char* kEnd = "end.json";
constexpr const char* kShardEnd = "shard-end.json";
constexpr std::string_view kSection = "section-";

std::string section_name(std::uint64_t section) { return fmt::format("{}{:05}.json", kSection, section + 1); }

std::optional<std::uint64_t> section_number(const std::string& name) {
  if (!name.starts_with(kSection)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const begin = name.data() + kSection.size();
  const auto [end, error] = std::from_chars(begin, name.data() + name.size(), number);
  if (error != std::errc{} || number == 0 || std::string_view{end} != ".json") return std::nullopt;
  return number - 1;
}

/// Whether every file in `content` exists with its stated size.
bool is_there(const fs::path& directory, const Presentation& content) {
  std::error_code error;
  for (const Track& track : content.tracks) {
    if (track.init && !fs::is_regular_file(directory / track.init->uri, error)) return false;
    if (track.whole && !fs::is_regular_file(directory / *track.whole, error)) return false;
    for (std::size_t i = 0; i < track.sizes.size(); ++i) {
      const auto size = fs::file_size(directory / track.segment(static_cast<SegmentIndex>(i)).uri, error);
      if (error || size != static_cast<std::uint64_t>(track.sizes[i].bytes())) return false;
    }
  }
  return true;
}

[[noreturn]] void refuse_book(const fs::path& path, const std::exception& error) {
  throw Failure{ExitCode::kUsage, fmt::format("{}: {} (--force begins afresh)", path.string(), error.what())};
}

/// Calls read() with the content of a file; nothing if there is no such file.
template <typename Read>
auto read_book(const fs::path& path, Read read) -> std::optional<decltype(read(std::string{}))> {
  const auto text = read_file(path);
  if (!text) return std::nullopt;
  try {
    return read(*text);
  } catch (const JsonError& error) {
    refuse_book(path, error);
  } catch (const std::invalid_argument& error) {
    refuse_book(path, error);
  }
}

}  // namespace

std::string difference(const EncodeTerms& now, const EncodeTerms& before) {
  std::string text;
  const auto value = [](const EncodeTerms& terms, const std::string& name) {
    const auto found = terms.find(name);
    return found == terms.end() ? std::string{"not known"} : found->second;
  };
  EncodeTerms all = now;
  all.insert(before.begin(), before.end());
  for (const auto& [name, unused] : all) {
    if (value(now, name) == value(before, name)) continue;
    text +=
        fmt::format("{}{} is {}, but was {}", text.empty() ? "" : "; ", name, value(now, name), value(before, name));
  }
  return text;
}

ShardNumber parse_shard(std::string_view text) {
  ShardNumber shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec == std::errc{} && number.ptr != end && *number.ptr == '/') {
    const auto of = std::from_chars(number.ptr + 1, end, shard.of);
    constexpr std::uint64_t kMost = 100000;
    if (of.ec == std::errc{} && of.ptr == end && shard.number >= 1 && shard.number <= shard.of && shard.of <= kMost)
      return shard;
  }
  throw std::invalid_argument(fmt::format("\"{}\" is not like 2/4, the second of four", text));
}

UnfinishedRun::UnfinishedRun(UnfinishedRun&& other) noexcept
    : terms_{std::move(other.terms_)},
      shard_{other.shard_},
      sections_{std::move(other.sections_)},
      sound_{std::move(other.sound_)},
      pictures_{other.pictures_},
      shard_is_finished_{other.shard_is_finished_} {}

std::optional<UnfinishedRun> UnfinishedRun::find(const fs::path& directory) {
  const fs::path books = directory / kUnfinishedName;
  auto found = read_book(books / kTerms, [](const std::string& text) {
    const nlohmann::json document = parse_json(text);
    const JsonNode root{document, ""};
    EncodeTerms terms;
    const JsonNode values = root.member("terms");
    for (std::size_t i = 0; i < values.size(); ++i)
      terms[values.element(i).element(0).text()] = values.element(i).element(1).text();
    std::optional<ShardNumber> shard;
    if (const auto stated = root.find("shard")) shard = parse_shard(stated->text());
    return UnfinishedRun{std::move(terms), shard};
  });
  if (!found) return found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(books, error)) {
    const auto section = section_number(entry.path().filename().string());
    if (!section) continue;
    auto content = read_book(entry.path(), read_index);
    if (content && is_there(directory, *content)) found->sections_.emplace(*section, *std::move(content));
  }
  found->shard_is_finished_ = fs::exists(books / kShardEnd, error);
  found->sound_ = read_book(books / kSound, read_index);
  if (found->sound_ && !is_there(directory, *found->sound_)) return found;
  const auto pictures = read_book(books / kEnd, [](const std::string& text) {
    const nlohmann::json document = parse_json(text);
    return JsonNode{document, ""}
        .member("pictures")
        .integer("a number of pictures", 1, std::numeric_limits<std::int64_t>::max());
  });
  if (pictures) found->pictures_ = static_cast<std::uint64_t>(*pictures);
  return found;
}

void UnfinishedRun::begin(const Publication& publication) const {
  if (terms_.empty()) return;
  nlohmann::ordered_json out;
  out["terms"] = nlohmann::ordered_json::array();
  for (const auto& [name, value] : terms_) out["terms"].push_back({name, value});
  if (shard_) out["shard"] = fmt::format("{}/{}", shard_->number, shard_->of);
  write_text(publication, kTerms, out.dump() + "\n");
}

void UnfinishedRun::add_section(const Publication& publication, std::uint64_t section, Presentation content) {
  write(publication, section_name(section), content);
  const std::lock_guard lock{mutex_};
  sections_.insert_or_assign(section, std::move(content));
}

void UnfinishedRun::add_end(const Publication& publication, std::optional<Presentation> sound, std::uint64_t pictures) {
  if (sound) write(publication, kSound, *sound);
  write_text(publication, kEnd, fmt::format("{{\"pictures\":{}}}\n", pictures));
  const std::lock_guard lock{mutex_};
  sound_ = std::move(sound);
  pictures_ = pictures;
}

void UnfinishedRun::add_shard_end(const Publication& publication) {
  write_text(publication, kShardEnd, "{}\n");
  shard_is_finished_ = true;
}

std::uint64_t UnfinishedRun::segments() const {
  std::uint64_t count = 0;
  for (const auto& [number, section] : sections_) count += section.tracks[0].sizes.size();
  return count;
}

void UnfinishedRun::remove(const Publication& publication) {
  std::error_code error;
  fs::remove_all(publication.path(std::string{kUnfinishedName}), error);
}

void UnfinishedRun::write(const Publication& publication, const std::string& name, const Presentation& content) const {
  write_text(publication, name, write_index(content, "", ""));
}

void UnfinishedRun::write_text(const Publication& publication, const std::string& name, const std::string& text) const {
  if (!terms_.empty()) publication.publish(fmt::format("{}/{}", kUnfinishedName, name), text);
}

}  // namespace tributary::segmenter
