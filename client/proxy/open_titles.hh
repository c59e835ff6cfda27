#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proxy/page_status.hh"
#include "proxy/titles/channel_list.hh"
#include "proxy/titles/proxied_title.hh"

namespace tributary::proxy {

/// The titles and lists of channels that are open, each by its number, with which its targets begin. Thread-safe.
class OpenTitles {
 public:
  struct Added {
    std::size_t number = 0;
    std::shared_ptr<ProxiedTitle> title;  // null for a list
    std::string target;
  };
  /// Nothing: there are too many. `make`: called with the number that the title gets.
  std::optional<Added> add(const std::function<std::shared_ptr<ProxiedTitle>(std::size_t number)>& make);
  std::optional<Added> add_list(const std::string& url, const std::vector<ListedChannel>& channels, bool of_internet);
  void close(std::size_t number);

  /// Null: the target is that of no title.
  std::shared_ptr<ProxiedTitle> title_of(const std::string& target) const;
  void each_title(const std::function<void(std::size_t number, ProxiedTitle& title)>& call) const;
  /// Bytes of media by link, also of titles that were closed.
  std::map<std::string, DataSize> carried() const;
  /// `address`: what stands before targets.
  void show(PageStatus& status, const std::string& address) const;

  // ---- Channels

  struct ListText {
    std::string text;
  };
  /// A title or list that is open.
  struct Target {
    std::string target;
  };
  struct Channel {
    std::size_t list = 0, place = 0;
    std::string url;
    bool of_internet = false;
  };
  /// What is at the target of a list or channel; a Channel has to be opened first. Nothing: no list has such a target.
  std::optional<std::variant<ListText, Target, Channel>> at_list(const std::string& target) const;
  /// The channel was opened and became this title or list. Returns what it leads to, which may be what it became for another
  /// player meanwhile; nothing: that was closed. Closes titles of channels that nobody watches any more, when there are many.
  std::optional<Target> became(const Channel& channel, std::size_t title);

 private:
  std::optional<Target> target_of(std::optional<std::size_t> number) const;

  mutable std::mutex mutex_;
  std::map<std::size_t, std::shared_ptr<ProxiedTitle>> titles_;
  std::map<std::size_t, ChannelList> lists_;
  std::map<std::string, DataSize> carried_before_;
  std::size_t next_number_ = 1;
};

}  // namespace tributary::proxy
