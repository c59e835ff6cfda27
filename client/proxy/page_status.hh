#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/titles/proxied_title.hh"

namespace tributary::proxy {

/// What the page is told: the titles, and the links over all of them, as JSON. Queries of addresses are left out.
class PageStatus {
 public:
  explicit PageStatus(std::string version) : version_{std::move(version)} {}

  /// By titles that are closed.
  void add_earlier(const std::map<std::string, DataSize>& carried);
  /// `local`: its address for players.
  void add(std::size_t number, const std::string& local, const ProxiedTitle& title);
  /// A list of channels. `url`: at its origin.
  void add_list(std::size_t number, const std::string& local, const std::string& url);
  /// `chosen`: how the user wants links to be used; others are used as their sessions say.
  std::string text(const std::map<std::string, LinkUse>& chosen) const;

 private:
  nlohmann::json waits_json() const;

  /// Over all titles.
  struct Link {
    LinkStatus status;
    DataRate rate;
    DataSize bytes;
  };
  struct Title {
    std::size_t number = 0;
    std::string name, address, local;
    TitleManifests::Facts facts;
    std::size_t players = 0;
    DataSize bytes;
    bool is_list = false;
  };

  std::string version_;
  std::vector<Title> titles_;
  std::vector<std::pair<std::size_t, Wait>> waits_;  // by number of the title
  std::map<std::string, Link> links_;
};

}  // namespace tributary::proxy
