#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <utility>

#include "lend/lender.hh"
#include "lend/tls_stream.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

/// A member's connection to an origin, over the lent link (HTTP CONNECT). What goes through it is encrypted by its ends, or
/// is not our business: we see where it leads and how many bytes there are.
class LentTunnel final : public LentConnection {
 public:
  /// Both must outlive it.
  LentTunnel(TlsStream& member, Lender& lender, std::shared_ptr<MemberShare> share);
  ~LentTunnel() override;
  LentTunnel(const LentTunnel&) = delete;

  /// Connects to "HOST:PORT". Returns why not, for the member; empty: it is connected.
  boost::asio::awaitable<std::string> connect(const std::string& target);
  /// Carries bytes both ways until one side ends, or the member may take no more.
  boost::asio::awaitable<void> carry();

  DataSize carried() const { return carried_; }
  bool has_brought() override { return std::exchange(has_brought_, false); }
  void expect_at_most(DataRate rate) override;
  void end() override;

 private:
  boost::asio::awaitable<bool> connect_to(const boost::asio::ip::tcp::endpoint& address);
  boost::asio::awaitable<void> bring();
  boost::asio::awaitable<void> send();
  void finish_half();
  void bound_window();

  TlsStream& member_;
  Lender& lender_;
  std::shared_ptr<MemberShare> share_;
  boost::asio::ip::tcp::socket origin_;
  boost::asio::steady_timer halves_done_;
  int halves_ = 0;  // that carry bytes now
  Duration round_trip_{};
  DataSize window_{};  // 0: unknown
  bool has_brought_ = false;
  DataSize carried_;
};

}  // namespace tributary::lending
