#include "download/download_target.hh"

#include <fmt/format.h>

#include <filesystem>

#include "download/files/file_name.hh"
#include "download/files/named_file.hh"
#include "download/files/part_file.hh"
#include "download/report/exit_status.hh"
#include "presentation/json/json_error.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

/// The last part of the URL's path, as it stands there; empty if it names no file.
std::string name_in(const transport::FileLocation& location) {
  const std::string path = location.target.substr(0, location.target.find('?'));
  std::string name = path.substr(path.rfind('/') + 1);
  return name == "." || name == ".." ? "" : name;
}

[[noreturn]] void refuse_without_name(const std::string& url) {
  throw GetError{2, redacted(url) + " has no file name: say -o FILE"};
}

bool is_named_by_user(const GetOptions& options) { return !options.output.empty() && !is_folder(options.output); }

/// The state that an earlier download left behind, if any. Throws GetError if that download cannot be continued.
std::optional<DownloadState> state_left_behind(const std::string& path) {
  const std::string part = PartFile::part_path(path);
  std::error_code none;
  const auto status = fs::symlink_status(part, none);
  if (!fs::exists(status)) return std::nullopt;
  try {
    if (auto state = PartFile::state_beside(path)) return state;
  } catch (const JsonError& error) {
    throw GetError{kRangeRefused, fmt::format("{}: {}", PartFile::state_path(path), error.what())};
  }
  // A download that was killed at its very beginning.
  if (fs::is_regular_file(status) && fs::file_size(part) == 0) return std::nullopt;
  throw GetError{kRangeRefused, fmt::format("cannot continue {}: {} is missing, which would say what it is", part,
                                            PartFile::state_path(path))};
}

/// Throws WriteError.
std::optional<DataSize> size_of_whole(const GetOptions& options, const std::string& path) {
  std::error_code none;
  if (!options.resume || options.overwrite || !fs::is_regular_file(path, none)) return std::nullopt;
  if (fs::exists(PartFile::part_path(path), none))
    throw WriteError{
        fmt::format("{} is there, and {} as well: --overwrite goes on with the second, and replaces the first", path,
                    PartFile::part_path(path))};
  return DataSize{static_cast<std::int64_t>(fs::file_size(path))};
}

/// `usual`: the name in a folder.
DownloadTarget target_named(const GetOptions& options, const std::string& usual) {
  DownloadTarget target{
      .usual = usual,
      .named = name_for(
          {.output = options.output, .usual = usual, .replaces = options.overwrite, .continues = options.resume}),
      .path = "",
      .in_place = nullptr};
  const NamedFile file = follow_links(target.named);
  target.path = file.path;
  target.in_place = InPlaceFile::at(file);
  if (target.in_place) return target;
  target.whole = size_of_whole(options, target.path);
  if (options.resume && !target.whole) target.left_behind = state_left_behind(target.path);
  return target;
}

}  // namespace

std::optional<DataSize> DownloadTarget::first_missing() const {
  if (!left_behind) return DataSize{};
  const auto missing = left_behind->complete.gaps_in({DataSize{}, left_behind->size});
  return missing.empty() ? std::nullopt : std::optional{missing.front().begin};
}

DownloadTarget target_of(const GetOptions& options, const transport::FileLocation& location) {
  if (is_named_by_user(options)) return target_named(options, "");
  const std::string name = name_in(location);
  if (!options.remux) return name.empty() ? DownloadTarget{} : target_named(options, name);
  if (name.empty()) refuse_without_name(location.url());
  return target_named(options, fs::path{name}.replace_extension("mp4").string());
}

void take_name(const transport::ObjectHead& head, const GetOptions& options, DownloadTarget& target) {
  if (is_named_by_user(options) || target.in_place || target.left_behind || target.whole) return;
  if (const auto name = safe_file_name(head.file_name); name && name != target.usual) {
    DownloadTarget named = target_named(options, *name);
    if (!named.in_place) target = std::move(named);  // a server does not choose among devices
  }
  if (target.path.empty()) refuse_without_name(options.url);
}

}  // namespace tributary
