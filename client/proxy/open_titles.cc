#include "proxy/open_titles.hh"

#include <charconv>
#include <utility>

namespace tributary::proxy {
namespace {

constexpr std::size_t kMostTitles = 64, kMostLists = 64;
constexpr std::size_t kMostOfList = 16;  // titles that channels of one list became, and that stay open

/// Of the title or list to which a target belongs; 0: to none.
std::size_t number_in(const std::string& target) {
  std::size_t number = 0;
  const char* const end = target.data() + target.size();
  const auto [rest, error] = std::from_chars(target.data() + 1, end, number);
  return error != std::errc{} || rest == end || *rest != '/' ? 0 : number;
}

}  // namespace

std::optional<OpenTitles::Added> OpenTitles::add(
    const std::function<std::shared_ptr<ProxiedTitle>(std::size_t number)>& make) {
  const std::lock_guard lock{mutex_};
  if (titles_.size() >= kMostTitles) return std::nullopt;
  const std::size_t number = next_number_++;
  const auto title = titles_.emplace(number, make(number)).first->second;
  return Added{number, title, title->target()};
}

std::optional<OpenTitles::Added> OpenTitles::add_list(const std::string& url,
                                                      const std::vector<ListedChannel>& channels, bool of_internet) {
  const std::lock_guard lock{mutex_};
  if (lists_.size() >= kMostLists) return std::nullopt;
  const std::size_t number = next_number_++;
  const auto list = lists_.emplace(number, ChannelList{number, url, channels, of_internet}).first;
  return Added{number, nullptr, list->second.target()};
}

void OpenTitles::close(std::size_t number) {
  std::shared_ptr<ProxiedTitle> closed;  // it ends without the lock
  const std::lock_guard lock{mutex_};
  lists_.erase(number);
  const auto found = titles_.find(number);
  if (found == titles_.end()) return;
  closed = std::move(found->second);
  titles_.erase(found);
  for (const auto& [link, bytes] : closed->carried()) carried_before_[link] += bytes;
}

std::shared_ptr<ProxiedTitle> OpenTitles::title_of(const std::string& target) const {
  const std::lock_guard lock{mutex_};
  const auto found = titles_.find(number_in(target));
  return found == titles_.end() ? nullptr : found->second;
}

void OpenTitles::each_title(const std::function<void(std::size_t number, ProxiedTitle& title)>& call) const {
  const std::lock_guard lock{mutex_};
  for (const auto& [number, title] : titles_) call(number, *title);
}

std::map<std::string, DataSize> OpenTitles::carried() const {
  const std::lock_guard lock{mutex_};
  std::map<std::string, DataSize> all = carried_before_;
  for (const auto& [number, title] : titles_) {
    for (const auto& [link, bytes] : title->carried()) all[link] += bytes;
  }
  return all;
}

void OpenTitles::show(PageStatus& status, const std::string& address) const {
  const std::lock_guard lock{mutex_};
  status.add_earlier(carried_before_);
  for (const auto& [number, title] : titles_) status.add(number, address + title->target(), *title);
  for (const auto& [number, list] : lists_) status.add_list(number, address + list.target(), list.url());
}

// ---- Channels

std::optional<std::variant<OpenTitles::ListText, OpenTitles::Target, OpenTitles::Channel>> OpenTitles::at_list(
    const std::string& target) const {
  const std::size_t number = number_in(target);
  const std::lock_guard lock{mutex_};
  const auto found = lists_.find(number);
  if (found == lists_.end()) return std::nullopt;
  const ChannelList& list = found->second;
  if (target.substr(0, target.find('?')) == list.target()) return ListText{list.text()};
  const auto place = list.place_of(target);
  if (!place) return std::nullopt;
  if (const auto title = target_of(list.title_of(*place))) return *title;
  return Channel{number, *place, list.channel(*place).url, list.is_of_internet()};
}

std::optional<OpenTitles::Target> OpenTitles::target_of(std::optional<std::size_t> number) const {
  if (const auto title = titles_.find(number.value_or(0)); title != titles_.end())
    return Target{title->second->target()};
  if (const auto list = lists_.find(number.value_or(0)); list != lists_.end()) return Target{list->second.target()};
  return std::nullopt;
}

std::optional<OpenTitles::Target> OpenTitles::became(const Channel& channel, std::size_t title) {
  std::vector<std::size_t> old;
  std::optional<Target> target;
  {
    const std::lock_guard lock{mutex_};
    const auto may_go = [&](std::size_t number) {
      const auto found = titles_.find(number);
      return number != title && found != titles_.end() && found->second->players() == 0;
    };
    if (const auto list = lists_.find(channel.list); list != lists_.end()) {
      target = target_of(list->second.title_of(channel.place));  // of another player, who asked at the same time
      if (target) {
        old.push_back(title);
      } else {
        list->second.becomes_title(channel.place, title);
        while (const auto oldest = list->second.take_oldest(kMostOfList, may_go)) old.push_back(*oldest);
      }
    }
    if (!target) target = target_of(title);
  }
  for (const std::size_t number : old) close(number);
  return target;
}

}  // namespace tributary::proxy
