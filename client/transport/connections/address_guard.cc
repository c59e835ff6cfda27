#include "transport/connections/address_guard.hh"

#include <fmt/format.h>

#include <optional>

#include "transport/sockets/near_address.hh"
#include "transport/sockets/public_address.hh"

namespace tributary::transport {

bool is_of_internet(const sockaddr& address, const std::string& link) {
  const std::optional<sockaddr_storage> meant = address_meant(address);
  return meant && is_public(address) && !is_near(reinterpret_cast<const sockaddr&>(*meant), link);
}

bool leads_to_internet(const std::string& address) {
  const std::optional<sockaddr_storage> parsed = parse_address(address);
  return parsed && is_of_internet(reinterpret_cast<const sockaddr&>(*parsed), "");
}

std::string why_refused(const std::string& address) {
  return fmt::format("{} is an address of this machine or its network, and a title of the internet may not lead there",
                     address);
}

void AddressGuard::has_manifest_at(const std::string& url) {
  const std::lock_guard lock{mutex_};
  manifests_.insert(url);
}

bool AddressGuard::is_of_manifest(const std::string& url) const {
  const std::lock_guard lock{mutex_};
  return manifests_.contains(url);
}

void AddressGuard::has_refused(const std::string& address) {
  {
    const std::lock_guard lock{mutex_};
    if (!refused_.insert(address).second) return;
  }
  tell_(why_refused(address));
}

bool GuardedTransfer::may_connect(const sockaddr& address) {
  if (!guard_ || !(was_far_ || guard_->refuses_near_ones()) || guard_->is_far(address, link_)) {
    tried_another_ = true;
    refused_.clear();
    return true;
  }
  guard_->has_refused(text_of(address));
  if (!tried_another_) refused_ = text_of(address);
  return false;
}

bool GuardedTransfer::may_ask(const std::string& text) {
  if (!guard_) return true;
  const std::optional<sockaddr_storage> parsed = parse_address(text);
  if (!parsed) return false;
  const auto& address = reinterpret_cast<const sockaddr&>(*parsed);
  tried_another_ = false;
  if (!may_connect(address)) return false;
  tried_another_ = false;
  was_far_ = was_far_ || guard_->is_far(address, link_);
  if (decides_ && was_far_) guard_->title_is_of_internet();
  return true;
}

}  // namespace tributary::transport
