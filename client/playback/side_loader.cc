#include "playback/side_loader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "manifests/side_playlist.hh"
#include "transport/connections/origin.hh"
#include "transport/documents/document_fetch.hh"

namespace tributary {
namespace {

constexpr Duration kFirstPause = std::chrono::seconds{4}, kLongestPause = std::chrono::minutes{2};
constexpr Duration kAtMost = std::chrono::seconds{30};  // for one file over one link
constexpr std::size_t kKeptInits = 16;

/// Nobody waits for the file any more.
struct NotWanted {};

std::string whole_address(const std::string& base, const std::string& uri) {
  return transport::resolve_uri(transport::parse_url(base), uri).url();
}

}  // namespace

std::vector<std::string> links_for_side_files(const std::vector<LinkStatus>& links) {
  if (links.empty()) return {""};
  std::vector<const LinkStatus*> usable;
  for (const LinkStatus& link : links) {
    const bool may = link.use != LinkUse::kDoNotUse && link.activity != LinkActivity::kOff &&
                     link.activity != LinkActivity::kDown && link.activity != LinkActivity::kUsedUp;
    if (may) usable.push_back(&link);
  }
  std::ranges::stable_sort(usable, {}, [](const LinkStatus* link) {
    return std::pair{link->cost.kind, link->use};  // free ones first, then those for when they are needed
  });
  std::vector<std::string> names;
  for (const LinkStatus* link : usable) names.push_back(link->name);
  return names;
}

SideLoader::SideLoader(Source source, Read read, News news)
    : source_{std::move(source)}, read_{std::move(read)}, news_{std::move(news)} {
  if (source_.files.playlist.empty()) {
    files_ = source_.files;
    listed_ = true;
  }
  for (const SideFile& file : files_.files) longest_ = std::max(longest_, file.duration);
  thread_ = std::thread{[this] { run(); }};
}

SideLoader::~SideLoader() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    queue_.clear();
  }
  loop_.wake_up();
  thread_.join();
}

std::vector<std::size_t> SideLoader::between(Duration begin, Duration end) const {
  std::vector<std::size_t> found;
  const auto& files = files_.files;
  auto file = std::ranges::lower_bound(files, begin - longest_, {}, &SideFile::start);
  for (; file != files.end() && file->start < end && found.size() < source_.kept; ++file) {
    if (file->end() > begin) found.push_back(static_cast<std::size_t>(file - files.begin()));
  }
  return found;
}

bool SideLoader::is_missing(std::size_t file) const {
  const auto failed = failed_.find(file);
  return !held_.contains(file) && (failed == failed_.end() || failed->second.again <= Clock::now());
}

bool SideLoader::lacks(Duration begin, Duration end) const {
  const std::lock_guard lock{mutex_};
  const auto lacking = [&](std::size_t file) {
    return is_missing(file) && std::ranges::find(queue_, file) == queue_.end();
  };
  if (!listed_) return lacking(kPlaylist);
  return std::ranges::any_of(between(begin, end), lacking);
}

void SideLoader::want(Duration begin, Duration end, std::vector<std::string> links) {
  {
    const std::lock_guard lock{mutex_};
    queue_.clear();
    around_ = begin;
    links_ = std::move(links);
    if (links_.empty()) return;
    if (!listed_) {
      queue_.push_back(kPlaylist);
    } else {
      for (const std::size_t file : between(begin, end)) {
        if (is_missing(file)) queue_.push_back(file);
      }
    }
  }
  loop_.wake_up();
}

std::vector<SideLoader::Held> SideLoader::held(Duration begin, Duration end) const {
  const std::lock_guard lock{mutex_};
  std::vector<Held> result;
  for (const std::size_t file : between(begin, end)) {
    const auto found = held_.find(file);
    if (found == held_.end()) continue;
    const SideFile& listed = files_.files[file];
    const SideStretch stretch =
        listed.stretch < files_.stretches.size() ? files_.stretches[listed.stretch] : SideStretch{};
    result.push_back({listed, stretch, found->second});
  }
  return result;
}

bool SideLoader::wanted(std::size_t file) const {
  const std::lock_guard lock{mutex_};
  return !stopping_ && std::ranges::find(queue_, file) != queue_.end();
}

void SideLoader::run() {
  while (true) {
    std::optional<std::size_t> next;
    {
      const std::lock_guard lock{mutex_};
      if (stopping_) return;
      if (!queue_.empty()) next = queue_.front();
    }
    if (next)
      work(*next);
    else
      loop_.wait(std::nullopt);
  }
}

void SideLoader::work(std::size_t file) {
  std::string error;
  try {
    if (file == kPlaylist)
      load_playlist();
    else
      load(file);
    told_ = false;
  } catch (const NotWanted&) {
    return;
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  {
    const std::lock_guard lock{mutex_};
    if (stopping_) return;
    std::erase(queue_, file);
    if (error.empty()) {
      failed_.erase(file);
    } else {
      Failure& failure = failed_.try_emplace(file, Failure{{}, kFirstPause / 2}).first->second;
      failure.pause = std::min(2 * failure.pause, kLongestPause);
      failure.again = Clock::now() + failure.pause;
    }
  }
  if (error.empty()) return news_.loaded();
  if (!std::exchange(told_, true)) news_.failed(error);
}

void SideLoader::load_playlist() {
  std::string found_at;
  const std::string text = fetch({source_.files.playlist, {}, true}, kPlaylist, &found_at);
  SideFiles files = files_of_side_playlist(text, found_at, source_.files.variables);
  const std::lock_guard lock{mutex_};
  files_ = std::move(files);
  for (const SideFile& one : files_.files) longest_ = std::max(longest_, one.duration);
  listed_ = true;
}

void SideLoader::load(std::size_t file) {
  // Once listed, files do not change, and other threads only read them.
  const SideFile& listed = files_.files.at(file);
  const std::string init = init_of(listed.stretch, file);
  const std::string bytes = fetch(listed.resource, file);
  auto content = read_(bytes, init);
  const std::lock_guard lock{mutex_};
  held_[file] = std::move(content);
  forget_some();
}

/// The files that are furthest from where files were wanted last.
void SideLoader::forget_some() {
  const auto far = [&](const auto& held) { return std::chrono::abs(files_.files[held.first].start - around_); };
  while (held_.size() > source_.kept) held_.erase(std::ranges::max_element(held_, {}, far));
}

std::string SideLoader::init_of(std::size_t stretch, std::size_t file) {
  if (stretch >= files_.stretches.size() || !files_.stretches[stretch].init) return {};
  const Resource& init = *files_.stretches[stretch].init;
  const std::string name = fmt::format("{} {}", init.uri, init.whole_file ? -1 : init.range.begin.bytes());
  const auto known = inits_.find(name);
  if (known != inits_.end()) return known->second;
  if (inits_.size() >= kKeptInits) inits_.clear();
  return inits_[name] = fetch(init, file);
}

std::string SideLoader::fetch(const Resource& resource, std::size_t file, std::string* found_at) {
  const std::string url = whole_address(source_.base, resource.uri);
  const std::vector<std::string> links = [&] {
    const std::lock_guard lock{mutex_};
    return links_;
  }();
  std::string error = links.empty() ? "no link may be used" : "";
  for (const std::string& link : links) {
    try {
      transport::FetchLimits limits{.size = source_.largest, .time = kAtMost};
      if (!resource.whole_file) limits.range = resource.range;
      transport::DocumentFetch document{loop_, url, {.link = link, .ca_file = source_.ca_file}, limits};
      while (wanted(file)) {
        if (auto found = document.result()) {
          if (found_at != nullptr) *found_at = found->url;
          return std::move(found->text);
        }
        loop_.wait(std::nullopt);
      }
      throw NotWanted{};
    } catch (const transport::FetchError& failure) {
      error += (error.empty() ? "" : "; ") + std::string{failure.what()};
    }
  }
  throw std::runtime_error{error};
}

}  // namespace tributary
