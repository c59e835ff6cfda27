// The handshake of a tunnel. The first byte tells who sends what: a stranger any datagram, somebody who knows the relay's public
// key a Hello, a client of the relay whatever it likes in its Hello, the relay whatever it likes in its Welcome.
#include <algorithm>
#include <span>

#include "bonding/client_end.hh"
#include "bonding/relay_end.hh"
#include "fuzz_target.hh"

using namespace tributary;
using namespace tributary::bonding;

namespace {

const PeerAddress kFrom{{std::byte{1}}, 1};
constexpr PathId kPath{0};
constexpr Duration kOften = std::chrono::milliseconds{2};  // as often as each Hello is looked into
TimePoint now;

RelayIdentity relay_of_test() {
  RelayIdentity identity{KeyPair{PrivateKey{}}, {}};
  return identity;
}
const RelayIdentity kRelay = relay_of_test();
const ClientIdentity kClient = kRelay.new_client();

RelayEnd make_relay() { return RelayEnd{{.identity = kRelay, .clients = {{kClient.own.public_key(), "client"}}}}; }

/// Neither end answers or keeps anything.
void expect_silence(ByteSpan datagram) {
  static RelayEnd relay = make_relay();
  relay.datagram(kFrom, datagram, now += kOften);
  fuzz::require(relay.take_datagrams().empty() && relay.connections() == 0);
  static ClientHandshake handshake{kClient, {}};
  static const Bytes hello = handshake.hello(kPath, {});
  fuzz::require(!handshake.answered(kPath, datagram, {}) && handshake.hello(kPath, {}) == hello);
}

/// A Hello whose hash is right, of somebody who has no private key of a client.
void as_a_hello(ByteSpan contents) {
  constexpr std::size_t kHashed = NoiseResponder::kFirstOverhead + HelloPayload::kSize;
  Bytes noise{contents.begin(), contents.end()};
  noise.resize(kHashed);
  expect_silence(write_hello(noise, std::nullopt, hashes_of(kClient.relay)));
}

/// What is read is the same when it is written again.
void as_payloads(ByteSpan bytes) {
  if (const auto hello = read_hello_payload(bytes))
    fuzz::require(std::ranges::equal(write_hello_payload(*hello), bytes));
  if (const auto welcome = read_welcome_payload(bytes))
    fuzz::require(std::ranges::equal(write_welcome_payload(*welcome), bytes));
}

/// The client's first message has these contents: at most it is asked back.
void from_a_client(ByteSpan payload) {
  const NoiseInitiator noise{kClient, handshake_prologue(), payload};
  static RelayEnd relay = make_relay();
  const Bytes hello = write_hello(noise.first(), std::nullopt, hashes_of(kClient.relay));
  relay.datagram(kFrom, hello, now += kOften);
  DataSize answered;
  for (const OutgoingDatagram& datagram : relay.take_datagrams()) answered += size_of(datagram.bytes);
  fuzz::require(answered < size_of(hello) && relay.connections() == 0);
}

/// The relay's second message has these contents: an assignment is sane, or not believed.
void from_the_relay(ByteSpan payload) {
  ClientEnd client{kClient, {}};
  client.link_up(kPath, {});
  const auto hellos = client.take_datagrams();
  const auto hello = read_hello(hellos.at(0).bytes, hashes_of(kClient.relay));
  const auto noise = NoiseResponder::answering(kRelay.own, handshake_prologue(), hello->noise);
  const auto answer = noise->completed(kClient.shared, payload);
  client.datagram(kPath, write_welcome(answer->second), {});
  if (const auto& assignment = client.assignment())
    fuzz::require(assignment->ipv4[0] != std::byte{127} && assignment->mtu >= DataSize{576});
  client.take_datagrams();
  if (client.next_deadline() <= TimePoint{}) client.wake({});
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan input = std::as_bytes(std::span{data, size});
  if (input.empty()) return 0;
  const ByteSpan rest = input.subspan(1);
  switch (std::to_integer<char>(input.front())) {
    case 'h':
      as_a_hello(rest);
      break;
    case 'c':
      from_a_client(rest);
      break;
    case 'r':
      from_the_relay(rest);
      break;
    case 'p':
      as_payloads(rest);
      break;
    default:
      expect_silence(rest);
  }
  return 0;
}
