#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "accounts/link_budget.hh"
#include "lending/borrowing/lender_watch.hh"
#include "links/link_source.hh"

namespace tributary::lending {

/// The uplinks that others lend us, each a link of its own, which comes and goes as its lender does. What goes over it is
/// seen by the lender as names of servers and numbers of bytes.
class LentLinks final : public LinkSource {
 public:
  /// Those in FOLDER/lenders.json; "-lent" is added to the name of one that is called like an interface of this machine. `wanted`: of these, also those whose use nobody has agreed to yet.
  /// Throws std::runtime_error.
  enum class For { kHttps, kAny };  // origins; others could be read and changed by the lender
  explicit LentLinks(std::filesystem::path folder, const std::set<std::string>& wanted = {}, For origins = For::kHttps);

  bool empty() const { return lenders_.empty(); }
  bool has(const std::string& link) const override { return lenders_.contains(link); }
  Way way(const std::string& link) const override;
  /// Waits a moment for the lenders that are named.
  std::unique_ptr<LinkMonitor> watch(const std::vector<std::string>& origin_addresses,
                                     const std::vector<std::string>& only) const override;

  /// Its terms now: what the lender lets us have each day is its cap.
  LinkTerms terms(const std::string& link) const;
  /// Gives out what the lender has left for us, and counts what came.
  std::unique_ptr<LinkLease> lease(const std::string& link) const;

 private:
  std::shared_ptr<LenderWatch> watch_of(const std::string& link) const;

  std::filesystem::path folder_;
  For origins_;
  std::map<std::string, Peer> lenders_;
  std::shared_ptr<const Identity> own_;
  mutable std::mutex mutex_;                                             // of what follows
  mutable std::map<std::string, std::shared_ptr<LenderWatch>> watches_;  // those that were asked for
};

}  // namespace tributary::lending
