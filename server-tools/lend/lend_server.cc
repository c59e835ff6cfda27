#include "lend/lend_server.hh"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <filesystem>
#include <system_error>

#include "lend/ip_of.hh"
#include "lend/member_connection.hh"
#include "system/event_loop.hh"

namespace tributary::lending {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto kBetweenSurveys = 2s;
constexpr auto kWithoutDescriptors = 100ms;

void rethrow(const std::exception_ptr& exception) {
  if (exception) std::rethrow_exception(exception);
}

const std::filesystem::path& created(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  return folder;
}

tcp::acceptor listen_at(asio::io_context& context, const tcp::endpoint& endpoint) {
  tcp::acceptor acceptor{context};
  acceptor.open(endpoint.protocol());
  acceptor.set_option(tcp::acceptor::reuse_address{true});
  if (endpoint.protocol() == tcp::v6())
    acceptor.set_option(asio::ip::v6_only{endpoint.address() != asio::ip::address_v6::any()});
  acceptor.bind(endpoint);
  acceptor.listen();
  return acceptor;
}

/// All addresses of both families; of IPv4 alone where there is no other.
tcp::acceptor listen_everywhere(asio::io_context& context, std::uint16_t port) {
  try {
    return listen_at(context, {tcp::v6(), port});
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::address_family_not_supported) throw;
    return listen_at(context, {tcp::v4(), port});
  }
}

void use_identity(asio::ssl::context& tls, const Identity& identity) {
  tls.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1 | asio::ssl::context::no_tlsv1_2);
  SSL_CTX_set_options(tls.native_handle(), SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_session_cache_mode(tls.native_handle(), SSL_SESS_CACHE_OFF);
  tls.use_certificate(asio::buffer(identity.certificate), asio::ssl::context::pem);
  tls.use_private_key(asio::buffer(identity.private_key), asio::ssl::context::pem);
  tls.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
  // Who it is, its key says: nobody's signature counts.
  tls.set_verify_callback([](bool, asio::ssl::verify_context&) { return true; });
}

}  // namespace

LendServer::LendServer(Options options, Lender::Say log)
    : options_{std::move(options)},
      lender_{std::make_shared<Lender>(context_.get_executor(), options_.lender, std::move(log))},
      members_{created(options_.lender.folder) / "members.json"},
      code_{lender_->code_file().path()} {
  use_identity(tls_, lender_->identity());
  try {
    acceptors_.push_back(options_.address.empty()
                             ? listen_everywhere(context_, options_.port)
                             : listen_at(context_, {asio::ip::make_address(options_.address), options_.port}));
  } catch (const boost::system::system_error& error) {
    throw std::system_error{error.code().value(), std::system_category(),
                            fmt::format("listen at port {}", options_.port)};
  }
  port_ = acceptors_.front().local_endpoint().port();
  lender_->read_code(EventLoop::now());
  if (options_.announces) {
    announcement_.emplace(Announced{options_.lender.name, lender_->identity().key, port_});
    if (!announcement_->why_not().empty())
      lender_->log()(fmt::format("not announced: {} (others reach it by its address)", announcement_->why_not()));
  }
}

LendServer::~LendServer() = default;

void LendServer::run(int stop_fd) {
  File stop{context_, ::dup(stop_fd)};
  stop.async_wait(File::wait_read, [this](error_code) { context_.stop(); });
  for (tcp::acceptor& acceptor : acceptors_) asio::co_spawn(context_, accept(acceptor), rethrow);
  asio::co_spawn(context_, keep_time(), rethrow);
  asio::co_spawn(context_, look(), rethrow);
  asio::co_spawn(context_, watch(members_, [this] { lender_->read_members(); }), rethrow);
  asio::co_spawn(context_, watch(code_, [this] { lender_->read_code(EventLoop::now()); }), rethrow);
  context_.run();
  lender_->settle();
}

asio::awaitable<void> LendServer::accept(tcp::acceptor& acceptor) {
  while (true) {
    error_code error;
    tcp::socket socket = co_await acceptor.async_accept(into(error));
    if (error) {
      asio::steady_timer later{context_, kWithoutDescriptors};
      co_await later.async_wait(into(error));
    } else {
      serve(std::move(socket));
    }
  }
}

/// Only those in this machine's networks are welcome: the port may be open to others by accident.
void LendServer::serve(tcp::socket socket) {
  error_code gone;
  const asio::ip::address peer = socket.remote_endpoint(gone).address();
  if (gone || !lender_->surroundings().is_near(ip_of(peer))) return;
  const auto connection = std::make_shared<MemberConnection>(std::move(socket), tls_, lender_);
  if (!connection->has_place()) return;
  asio::co_spawn(context_, connection->serve(), [this](const std::exception_ptr& failed) {
    try {
      rethrow(failed);
    } catch (const std::exception& problem) {
      lender_->log()(fmt::format("a connection ended: {}", problem.what()));
    }
  });
}

asio::awaitable<void> LendServer::keep_time() {
  asio::steady_timer timer{context_};
  auto next = std::chrono::steady_clock::now();
  while (true) {
    error_code woken;
    if (!lender_->is_borrowed()) co_await lender_->somebody_borrows().async_wait(into(woken));
    next = std::max(next, std::chrono::steady_clock::now() - MemberShares::kTick) + MemberShares::kTick;
    timer.expires_at(next);
    co_await timer.async_wait(asio::use_awaitable);
    lender_->tick(EventLoop::now());
  }
}

asio::awaitable<void> LendServer::look() {
  asio::steady_timer timer{context_};
  while (true) {
    lender_->look(EventLoop::now());
    if (announcement_) announcement_->renew();
    timer.expires_after(kBetweenSurveys);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

asio::awaitable<void> LendServer::watch(WatchedFile& file, std::function<void()> on_change) {
  File changes{context_, ::dup(file.file_descriptor())};
  while (true) {
    co_await changes.async_wait(File::wait_read, asio::use_awaitable);
    if (file.changed()) on_change();
  }
}

}  // namespace tributary::lending
