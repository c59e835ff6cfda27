#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "lend/lender.hh"
#include "lend/tls_stream.hh"
#include "lending/pairing.hh"
#include "proxy/requests/request_reader.hh"

namespace tributary::lending {

/// A connection to the lender. Its other end shows a certificate that nobody has signed, and is known by the key in it:
/// strangers may pair, members may ask for the status and for connections to origins.
class MemberConnection : public std::enable_shared_from_this<MemberConnection> {
 public:
  /// The context must outlive it.
  MemberConnection(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& context,
                   std::shared_ptr<Lender> lender);

  /// False: there are too many from this address.
  bool has_place() const { return place_ != nullptr; }
  /// Until the connection ends.
  boost::asio::awaitable<void> serve();

 private:
  struct Exchange {
    std::string code, name;
    Pairing pairing;
  };

  boost::asio::awaitable<bool> shake_hands();
  boost::asio::awaitable<std::optional<proxy::ReceivedRequest>> next_request();
  /// False: the connection ends.
  boost::asio::awaitable<bool> answer(const proxy::ReceivedRequest& request);
  boost::asio::awaitable<void> tell_status(const proxy::ReceivedRequest& request);
  boost::asio::awaitable<void> lend(const std::string& target);
  boost::asio::awaitable<bool> begin_pairing(const std::string& body);
  boost::asio::awaitable<bool> end_pairing(const std::string& body);
  boost::asio::awaitable<bool> send(unsigned status, std::string text);
  boost::asio::awaitable<bool> refuse_for_now();
  IpAddress address() const;
  std::string who() const;

  TlsStream stream_;
  std::shared_ptr<Lender> lender_;
  std::unique_ptr<Places::Place> place_;  // of the lender
  MemberKey key_{};
  proxy::RequestReader reader_;
  std::optional<Exchange> exchange_;
};

/// What a member says of its gateways, in the field's form.
std::set<std::string> gateways_in(const proxy::ReceivedRequest& request);

}  // namespace tributary::lending
