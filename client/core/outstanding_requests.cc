#include "core/outstanding_requests.hh"

#include <cassert>

namespace tributary {

void OutstandingRequests::add(const OutstandingRequest& request) {
  assert(requests_.empty() || requests_.rbegin()->first < request.id);
  requests_.emplace(request.id, request);
  ++sent_since_idle_[request.link];
}

OutstandingRequest* OutstandingRequests::find(RequestId id) {
  const auto it = requests_.find(id);
  return it == requests_.end() ? nullptr : &it->second;
}

void OutstandingRequests::remove(RequestId id) {
  const auto it = requests_.find(id);
  assert(it != requests_.end());
  const LinkId link = it->second.link;
  requests_.erase(it);
  if (count(link) == 0) sent_since_idle_.erase(link);
}

void OutstandingRequests::has_no_end(RequestId id) {
  for (auto& [other, request] : requests_) {
    if (request.takes_over == id) request.takes_over.reset();
  }
}

std::uint32_t OutstandingRequests::count(LinkId link) const {
  std::uint32_t n = 0;
  for (const auto& [id, request] : requests_) n += request.link == link ? 1 : 0;
  return n;
}

std::uint32_t OutstandingRequests::sent_since_idle(LinkId link) const {
  const auto it = sent_since_idle_.find(link);
  return it == sent_since_idle_.end() ? 0 : it->second;
}

const OutstandingRequest* OutstandingRequests::head(LinkId link) const {
  for (const auto& [id, request] : requests_) {
    if (request.link == link) return &request;
  }
  return nullptr;
}

DataSize OutstandingRequests::bytes_left() const {
  DataSize total;
  for (const auto& [id, request] : requests_) {
    if (!request.takes_over) total += request.left().size();
  }
  return total;
}

DataSize OutstandingRequests::bytes_left(LinkId link) const {
  DataSize total;
  for (const auto& [id, request] : requests_) {
    if (request.link == link) total += request.left().size();
  }
  return total;
}

}  // namespace tributary
