#include "playback/side_loader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include "media/aes_decryption.hh"
#include "transport/connections/origin.hh"
#include "transport/documents/document_fetch.hh"
#include "units/text/data_address.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr Duration kFirstPause = std::chrono::seconds{4}, kLongestPause = std::chrono::minutes{2};
constexpr Duration kNotThereYet = std::chrono::seconds{1};  // the first pause of a live title
constexpr Duration kForgetFailure = std::chrono::minutes{10};
constexpr Duration kAtMost = std::chrono::seconds{30};  // for one file over one link
constexpr std::size_t kKeptInits = 16;

/// Nobody waits for the file any more.
struct NotWanted {};

std::string whole_address(const std::string& base, const std::string& uri) {
  return transport::resolve_uri(transport::parse_url(base), uri).url();
}

std::string in_the_clear(std::string bytes, const Cipher& cipher) {
  const auto encrypted = std::as_bytes(std::span{bytes});
  const MediaBytes clear = decrypted({encrypted.begin(), encrypted.end()}, cipher);
  return {reinterpret_cast<const char*>(clear.data()), clear.size()};
}

/// The file that its address holds, or nothing: it is elsewhere.
std::optional<FetchedFile> within_address(const Resource& resource) {
  if (!is_data_address(resource.uri)) return std::nullopt;
  auto bytes = data_of(resource.uri, resource.whole_file ? std::nullopt : std::optional{resource.range});
  if (!bytes) throw std::runtime_error{fmt::format("{} cannot be read", redacted(resource.uri))};
  return FetchedFile{.url = resource.uri, .bytes = *std::move(bytes)};
}

std::shared_ptr<SideList> list_of(const SideFiles& files) {
  if (files.grows) return files.grows;
  auto list = std::make_shared<SideList>();
  list->add(files);
  return list;
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
    : source_{std::move(source)},
      read_{std::move(read)},
      news_{std::move(news)},
      playlist_{source_.files},
      files_{list_of(source_.files)} {
  if (!source_.files.playlist.empty()) playlist_due_ = Clock::time_point::min();
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

std::vector<std::size_t> SideLoader::missing(Duration begin, Duration end) const {
  std::vector<std::size_t> numbers;
  if (is_missing(kPlaylist)) numbers.push_back(kPlaylist);
  for (const SideList::Entry& entry : files_->between(begin, end, source_.kept)) {
    if (is_missing(entry.number)) numbers.push_back(entry.number);
  }
  return numbers;
}

bool SideLoader::is_missing(std::size_t file) const {
  const Clock::time_point now = Clock::now();
  const auto failed = failed_.find(file);
  if (failed != failed_.end() && failed->second.again > now) return false;
  return file == kPlaylist ? playlist_due_ && *playlist_due_ <= now : !held_.contains(file);
}

bool SideLoader::lacks(Duration begin, Duration end) const {
  const std::lock_guard lock{mutex_};
  return std::ranges::any_of(missing(begin, end),
                             [&](std::size_t file) { return std::ranges::find(queue_, file) == queue_.end(); });
}

void SideLoader::want(Duration begin, Duration end, std::vector<std::string> links) {
  {
    const std::lock_guard lock{mutex_};
    around_ = begin;
    links_ = std::move(links);
    queue_ = links_.empty() ? std::vector<std::size_t>{} : missing(begin, end);
  }
  loop_.wake_up();
}

std::vector<SideLoader::Held> SideLoader::held(Duration begin, Duration end) const {
  const std::lock_guard lock{mutex_};
  std::vector<Held> result;
  for (const SideList::Entry& entry : files_->between(begin, end, source_.kept)) {
    const auto found = held_.find(entry.number);
    if (found != held_.end()) result.push_back({entry.file, *entry.stretch, found->second.content});
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
    } else if (!fails(file)) {
      return;
    }
  }
  if (error.empty()) return news_.loaded();
  if (!std::exchange(told_, true)) news_.failed(error);
}

/// Whether the failure is to be told.
bool SideLoader::fails(std::size_t file) {
  const Clock::time_point now = Clock::now();
  std::erase_if(failed_, [&](const auto& failed) { return failed.second.again + kForgetFailure < now; });
  const auto known = failed_.find(file);
  const Duration first = source_.files.is_live() ? kNotThereYet : kFirstPause;
  const Duration pause = known == failed_.end() ? first : std::min(2 * known->second.pause, kLongestPause);
  failed_[file] = {now + pause, pause};
  return pause > first || !source_.files.is_live();
}

void SideLoader::load_playlist() {
  const FetchedFile found = fetch({source_.files.playlist, {}, true}, kPlaylist);
  const FetchFiles fetch_keys = [this](std::span<const WantedFile> keys) {
    std::vector<FetchedFile> fetched;
    for (const WantedFile& key : keys) fetched.push_back(fetch({key.url, {}, true}, kPlaylist));
    return fetched;
  };
  playlist_.take(found.bytes, found.url, fetch_keys, *files_);
  const auto again_after = playlist_.again_after();
  const std::lock_guard lock{mutex_};
  playlist_due_ = again_after ? std::optional{Clock::now() + *again_after} : std::nullopt;
}

void SideLoader::load(std::size_t file) {
  const auto listed = files_->find(file);
  if (!listed) return;
  const std::string init = init_of(*listed->stretch, file);
  const std::string bytes = fetch(listed->file.resource, file).bytes;
  auto content = read_(bytes, init);
  const std::lock_guard lock{mutex_};
  held_[file] = {std::move(content), listed->file.start};
  forget_some();
}

/// The files that are furthest from where files were wanted last.
void SideLoader::forget_some() {
  const auto far = [&](const auto& held) { return std::chrono::abs(held.second.start - around_); };
  while (held_.size() > source_.kept) held_.erase(std::ranges::max_element(held_, {}, far));
}

std::string SideLoader::init_of(const SideStretch& stretch, std::size_t file) {
  if (!stretch.init) return {};
  const Resource& init = *stretch.init;
  const std::string name = fmt::format("{} {}", init.uri, init.whole_file ? -1 : init.range.begin.bytes());
  const auto known = inits_.find(name);
  if (known != inits_.end()) return known->second;
  if (inits_.size() >= kKeptInits) inits_.clear();
  return inits_[name] = fetch(init, file).bytes;
}

FetchedFile SideLoader::fetch(const Resource& resource, std::size_t file) {
  auto within = within_address(resource);
  FetchedFile found = within ? *std::move(within) : fetch_over_links(resource, file);
  if (resource.cipher) found.bytes = in_the_clear(std::move(found.bytes), *resource.cipher);
  return found;
}

FetchedFile SideLoader::fetch_over_links(const Resource& resource, std::size_t file) {
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
      transport::DocumentFetch document{loop_, url, source_.rules.over(link), limits};
      while (wanted(file)) {
        if (auto found = document.result()) return {.url = std::move(found->url), .bytes = std::move(found->text)};
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
