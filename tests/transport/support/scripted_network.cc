#include "scripted_network.hh"

#include <algorithm>
#include <cstring>

namespace tributary::transport {
namespace {

class ScriptedStream final : public ByteStream {
 public:
  ScriptedStream(std::shared_ptr<ScriptedNetwork::Connection> connection, const ScriptedNetwork& network)
      : connection_{std::move(connection)}, network_{network} {}
  ~ScriptedStream() override { connection_->released = true; }

  State state() const override { return connection_->state; }
  const Failure& failure() const override { return connection_->failure; }
  std::size_t send(std::string_view bytes) override {
    connection_->sent += bytes;
    return bytes.size();
  }
  Received receive(std::span<std::byte> buffer) override {
    std::string& arriving = connection_->arriving;
    if (arriving.empty()) return {0, connection_->end};
    const std::size_t size = std::min(buffer.size(), arriving.size());
    std::memcpy(buffer.data(), arriving.data(), size);
    arriving.erase(0, size);
    return {size, StreamStatus::kOpen};
  }
  std::string_view application_protocol() const override { return connection_->protocol; }
  std::optional<RoundTrip> round_trip() const override { return network_.round_trip; }
  std::optional<Duration> silence() const override { return network_.silence; }
  std::optional<Duration> silence_of_peer() const override { return network_.silence_of_peer; }
  bool reached() const override { return network_.reached; }

 private:
  std::shared_ptr<ScriptedNetwork::Connection> connection_;
  const ScriptedNetwork& network_;
};

}  // namespace

std::unique_ptr<ByteStream> ScriptedNetwork::connect() {
  connections_.push_back(std::make_shared<Connection>());
  return std::make_unique<ScriptedStream>(connections_.back(), *this);
}

}  // namespace tributary::transport
