#include "transport/connections/preconnections.hh"

#include <algorithm>
#include <array>
#include <utility>

#include "transport/connections/curl_connection.hh"

namespace tributary::transport {
namespace {

/// A server that is not asked anything may close (nginx after 60 s), and says nothing before.
bool is_of_use(CurlConnection& stream) {
  if (stream.state() != ByteStream::State::kConnected) return stream.state() == ByteStream::State::kConnecting;
  std::array<std::byte, 1> buffer{};
  if (!stream.is_admitted()) return false;
  const ByteStream::Received received = stream.receive(buffer);
  return received.size == 0 && received.status == StreamStatus::kOpen;
}

}  // namespace

Preconnections::Preconnections(CurlLoop& loop, Origin origin, std::vector<std::string> addresses)
    : loop_{loop}, origin_{std::move(origin)}, addresses_{std::move(addresses)} {}
Preconnections::~Preconnections() = default;

void Preconnections::begin(const LinkRules& rules) {
  if (by_link_.contains(rules.link)) return;
  by_link_[rules.link] = {std::make_unique<CurlConnection>(loop_, origin_, addresses_, rules), Clock::now()};
}

bool Preconnections::is_made(const std::string& link) const {
  const auto found = by_link_.find(link);
  return found != by_link_.end() && found->second.stream->state() == ByteStream::State::kConnected;
}

std::unique_ptr<ByteStream> Preconnections::take(const std::string& link) {
  const auto found = by_link_.find(link);
  if (found == by_link_.end()) return nullptr;
  std::unique_ptr<CurlConnection> stream = std::move(found->second.stream);
  by_link_.erase(found);
  return is_of_use(*stream) ? std::move(stream) : nullptr;
}

void Preconnections::close_late() {
  const auto now = Clock::now();
  std::erase_if(by_link_, [&](const auto& entry) {
    const Begun& begun = entry.second;
    return begun.stream->state() == ByteStream::State::kConnected && now - std::max(begun.at, answered_) >= kLongest;
  });
}

}  // namespace tributary::transport
