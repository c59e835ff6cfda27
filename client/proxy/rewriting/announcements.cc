#include "proxy/rewriting/announcements.hh"

#include <fmt/format.h>

#include <algorithm>

#include "manifests/manifest.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {

void Announcements::insert(std::string url, const std::string& query, Announcement announcement) {
  const std::size_t bytes = url.size() + query.size();
  const auto [at, is_new] = addresses_.try_emplace(std::move(url), Named{announcement, query});
  if (!is_new) {
    Announcement& before = at->second.announcement;
    const bool finds_list = before.kind == FileKind::kMedia && announcement.kind == FileKind::kMedia &&
                            before.place.rendition == ListPlace::kNone;  // a part, and then its segment
    const bool was_beside = before.kind == FileKind::kOther || before.kind == FileKind::kKey;
    if (was_beside || finds_list) before = std::move(announcement);
    return;
  }
  order_.push_back(&*at);
  bytes_ += bytes;
}

void Announcements::insert(Pattern pattern) {
  if (!pattern_texts_.insert(pattern.local.text()).second) return;
  bytes_ += 4 * (pattern.local.text().size() + pattern.upstream.text().size());
  local_.add(pattern.local, patterns_.size());
  upstream_.add(pattern.upstream, patterns_.size());
  patterns_.push_back(std::move(pattern));
}

void Announcements::add(const Address& address, Announcement announcement) {
  insert(address.url(), address.query, std::move(announcement));
  if (order_.size() > kMostAddresses) throw ManifestError{fmt::format("more than {} addresses", kMostAddresses)};
  if (bytes_ > kMostAddressBytes) throw ManifestError{"its addresses take too much memory"};
}

void Announcements::add(NamePattern local, NamePattern upstream, std::string query, Announcement announcement) {
  insert({std::move(local), std::move(upstream), std::move(query), std::move(announcement)});
  if (patterns_.size() > kMostPatterns) throw ManifestError{fmt::format("more than {} templates", kMostPatterns)};
  if (bytes_ > kMostAddressBytes) throw ManifestError{"its templates take too much memory"};
}

std::optional<Announcements::Match> Announcements::find(const LocalNames::Asked& asked) const {
  if (asked.query) {
    const auto named = addresses_.find(Address{asked.origin, asked.path, *asked.query}.url());
    if (named != addresses_.end()) return Match{named->first, &named->second.announcement};
  }
  const auto match = local_.find(asked.behind_prefix);
  if (!match) return std::nullopt;
  const Pattern& pattern = patterns_[match->number];
  return Match{pattern.upstream.expand(match->values), &pattern.announcement};
}

const Announcement* Announcements::find(const std::string& url) const {
  const auto named = addresses_.find(url);
  if (named != addresses_.end()) return &named->second.announcement;
  const auto match = upstream_.find(url);
  return match ? &patterns_[match->number].announcement : nullptr;
}

void Announcements::keep(Announcements before, std::size_t most, bool is_delta) {
  std::deque<const Entry*> listed;
  listed.swap(order_);
  std::erase_if(before.order_, [&](const Entry* entry) { return addresses_.contains(entry->first); });
  const std::size_t behind = std::min(most, before.order_.size());
  for (auto at = before.order_.end() - static_cast<std::ptrdiff_t>(behind); at != before.order_.end(); ++at) {
    auto node = before.addresses_.extract((*at)->first);
    if (!is_delta) node.mapped().announcement.place = {};  // no list has it any more
    bytes_ += node.key().size() + node.mapped().query.size();
    order_.push_back(&*addresses_.insert(std::move(node)).position);
  }
  order_.insert(order_.end(), listed.begin(), listed.end());
  const std::size_t listed_patterns = patterns_.size();
  for (Pattern& pattern : before.patterns_) {
    if (patterns_.size() == listed_patterns + most) break;
    pattern.announcement.place = {};
    insert(std::move(pattern));
  }
  queries_before_ = std::move(before.queries_);
}

void Announcements::collect_queries(std::unordered_set<std::string>& used) const {
  for (const auto& [url, named] : addresses_) used.insert(named.query);
  for (const Pattern& pattern : patterns_) used.insert(pattern.query);
  used.insert(queries_.begin(), queries_.end());
  used.insert(queries_before_.begin(), queries_before_.end());
}

}  // namespace tributary::proxy
