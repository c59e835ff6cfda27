#include "lending/borrowing/lent_links.hh"

#include <net/if.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "lending/borrowing/borrowed_bytes.hh"
#include "lending/borrowing/lent_link_monitor.hh"
#include "units/text/host.hh"

namespace tributary::lending {
namespace {

constexpr Duration kFirstWord = std::chrono::seconds{3};

/// Bytes of what a lender has left for us, as it said when the last were used up. The lender counts itself: what it does
/// not give is a failed request.
class LentLease final : public LinkLease {
 public:
  LentLease(std::shared_ptr<LenderWatch> lender, BorrowedBytes borrowed)
      : lender_{std::move(lender)}, borrowed_{std::move(borrowed)} {}

  Grant take(DataSize wanted) override {
    const auto status = lender_->known().status;
    if (!status || !status->each_day) {
      given_ += wanted;
      return {wanted};
    }
    const DataSize left = status->left.value_or(DataSize{});
    if (given_ >= most_) most_ = given_ + left;
    const DataSize size = std::min(wanted, most_ - given_);
    given_ += size;
    return {.size = size,
            .why_not_more = size < wanted ? "what is lent to us each day is used up" : "",
            .used = std::max(*status->each_day - left, DataSize{}) + size};
  }
  void not_requested(DataSize /*size*/) override {}
  void give_back(DataSize unused) override {
    try {
      borrowed_.add(lender_->lender().key, given_ - unused);
    } catch (const std::exception&) {  // then the lender gets less in return
    }
    given_ = {};
  }

 private:
  std::shared_ptr<LenderWatch> lender_;
  BorrowedBytes borrowed_;
  DataSize given_, most_;
};

}  // namespace

LentLinks::LentLinks(std::filesystem::path folder, const std::set<std::string>& wanted, For origins)
    : folder_{std::move(folder)}, origins_{origins} {
  for (Peer& lender : PeersFile{folder_, PeersFile::Of::kLenders}.read()) {
    while (if_nametoindex(lender.name.c_str()) != 0 || lenders_.contains(lender.name)) lender.name += "-lent";
    if (lender.agreed || wanted.contains(lender.name)) lenders_.emplace(lender.name, lender);
  }
  if (!lenders_.empty()) own_ = std::make_shared<const Identity>(own_identity(folder_));
}

std::shared_ptr<LenderWatch> LentLinks::watch_of(const std::string& link) const {
  const std::lock_guard lock{mutex_};
  auto& watch = watches_[link];
  if (!watch)
    watch = std::make_shared<LenderWatch>(lenders_.at(link), own_, PeersFile{folder_, PeersFile::Of::kLenders});
  return watch;
}

Way LentLinks::way(const std::string& link) const {
  const auto watched = watch_of(link);
  const LenderWatch& lender = *watched;
  const std::string address = lender.address();
  ConnectProxy proxy{.url = "https://" + address, .addresses = {}};
  if (const auto split = split_host(address)) proxy.addresses = {std::string{split->host}};
  proxy.keys = std::make_shared<const ProxyKeys>(
      ProxyKeys{own_->certificate, own_->private_key, pinned_key(lender.lender().key)});
  proxy.https_only = origins_ == For::kHttps;
  return {.proxy = std::make_shared<const ConnectProxy>(std::move(proxy))};
}

std::unique_ptr<LinkMonitor> LentLinks::watch(const std::vector<std::string>& origin_addresses,
                                              const std::vector<std::string>& only) const {
  std::vector<std::shared_ptr<LenderWatch>> watched;
  for (const auto& [name, lender] : lenders_) {
    if (!only.empty() && std::ranges::find(only, name) == only.end()) continue;
    watched.push_back(watch_of(name));
    if (!only.empty()) watched.back()->wait_for_word(kFirstWord);
  }
  if (watched.empty()) return nullptr;
  return std::make_unique<LentLinkMonitor>(std::move(watched), origin_addresses);
}

LinkTerms LentLinks::terms(const std::string& link) const {
  LinkTerms terms{.kind = CostKind::kLent};
  if (const auto status = watch_of(link)->known().status) terms.cap = status->each_day;
  return terms;
}

std::unique_ptr<LinkLease> LentLinks::lease(const std::string& link) const {
  return std::make_unique<LentLease>(watch_of(link), BorrowedBytes{folder_});
}

}  // namespace tributary::lending
