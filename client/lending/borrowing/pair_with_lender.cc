#include "lending/borrowing/pair_with_lender.hh"

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "lending/identity/lender_status.hh"
#include "lending/identity/pairing_text.hh"
#include "units/text/host.hh"

namespace tributary::lending {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto kPatience = 15s;  // for each step
constexpr std::size_t kMostAnswer = 4'096;

/// One encrypted connection to whoever answers there: the code shows who it is.
class Conversation {
 public:
  Conversation(const std::string& address, const Identity& own) : stream_{context_, with_keys(tls_, own)} {
    const auto split = split_host(address);
    if (!split || !split->port) throw PairingFailed{fmt::format("\"{}\": expected HOST:PORT", address)};
    tcp::resolver resolver{context_};
    error_code error;
    const auto found = resolver.resolve(split->host, *split->port, error);
    if (error) throw PairingFailed{fmt::format("{} is not found: {}", address, error.message())};
    step([&](auto done) {
      beast::get_lowest_layer(stream_).async_connect(
          found, [done](error_code failed, const tcp::endpoint& /*to*/) { done(failed); });
    });
    step([&](auto done) { stream_.async_handshake(asio::ssl::stream_base::client, done); });
    const std::unique_ptr<X509, decltype(&X509_free)> certificate{SSL_get1_peer_certificate(stream_.native_handle()),
                                                                  &X509_free};
    if (!certificate) throw PairingFailed{"who answers there shows no certificate"};
    lender_ = key_of(*certificate);
  }
  const MemberKey& lender() const { return lender_; }

  std::string post(const char* path, std::string body) {
    http::request<http::string_body> request{http::verb::post, path, 11};
    request.set(http::field::host, "lender");
    request.body() = std::move(body);
    request.prepare_payload();
    http::response_parser<http::string_body> answer;
    answer.body_limit(kMostAnswer);
    answer.header_limit(kMostAnswer);
    step([&](auto done) {
      http::async_write(stream_, request, [done](error_code failed, std::size_t /*count*/) { done(failed); });
    });
    step([&](auto done) {
      http::async_read(stream_, buffer_, answer, [done](error_code failed, std::size_t /*count*/) { done(failed); });
    });
    if (answer.get().result() != http::status::ok) refuse(answer.get().result_int(), answer.get().body());
    return std::move(answer.get().body());
  }

 private:
  static asio::ssl::context& with_keys(asio::ssl::context& tls, const Identity& own) {
    tls.use_certificate(asio::buffer(own.certificate), asio::ssl::context::pem);
    tls.use_private_key(asio::buffer(own.private_key), asio::ssl::context::pem);
    tls.set_verify_mode(asio::ssl::verify_none);
    return tls;
  }

  template <typename Begin>
  void step(Begin begin) {
    beast::get_lowest_layer(stream_).expires_after(kPatience);
    error_code result;
    begin([&result](error_code failed) { result = failed; });
    context_.restart();
    context_.run();
    if (result == beast::error::timeout) throw PairingFailed{"the lender does not answer"};
    if (result) throw PairingFailed{fmt::format("the lender cannot be talked to: {}", result.message())};
  }

  [[noreturn]] static void refuse(unsigned status, const std::string& body) {
    if (status == 403) throw PairingFailed{"the code is wrong"};
    if (status == 409)
      throw PairingFailed{"the lender shows no code: tributary-lend --pair shows one there, for five minutes"};
    if (status != 429) throw PairingFailed{fmt::format("what answers there is no lender: it says {}", status)};
    const auto told = nlohmann::json::parse(body, nullptr, false);
    const auto seconds = told.is_object() && told.contains("pause_seconds") && told["pause_seconds"].is_number()
                             ? told["pause_seconds"].get<double>()
                             : 0;
    throw PairingFailed{fmt::format(
        "codes were wrong too often: the lender pairs with nobody for {:.0f} s, and then with a new code", seconds)};
  }

  asio::io_context context_;
  asio::ssl::context tls_{asio::ssl::context::tls_client};
  asio::ssl::stream<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
  MemberKey lender_{};
};

}  // namespace

Peer pair_with_lender(const std::string& address, const std::string& code, const Identity& own,
                      const std::string& own_name) {
  Conversation conversation{address, own};
  if (conversation.lender() == own.key) throw PairingFailed{"this is your own uplink"};
  const Pairing::SessionId session = Pairing::new_session();
  Pairing pairing{Pairing::Side::kBorrower, code, {own.key, conversation.lender()}, session};
  const auto answer =
      read_pairing_answer(conversation.post(kPairPath, text_of(PairingBegin{own_name, session, pairing.share()})));
  if (!answer || !pairing.take_share(answer->share)) throw PairingFailed{"what answers there is no lender"};
  const auto proof = read_proof(conversation.post(kProofPath, text_of(pairing.own_proof())));
  if (!proof || !pairing.is_proved_by(*proof))
    throw PairingFailed{"whoever answers there does not know the code: it is not your lender"};
  return {.name = answer->name, .key = conversation.lender(), .address = address};
}

}  // namespace tributary::lending
