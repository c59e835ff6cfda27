#include "tunnel/machine/split/tcp_listener.hh"

#include <cerrno>
#include <utility>

namespace tributary {
namespace {

constexpr Duration kRest = std::chrono::milliseconds{100};
constexpr int kInARow = 64;  // until others have their turn

bool is_for_want_of_files(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

TcpListener::TcpListener(const bonding::PeerAddress& address, EventLoop& loop,
                         std::function<void(TcpSocket socket, TimePoint now)> take)
    : loop_{loop}, socket_{TcpSocket::listening_at(address)}, take_{std::move(take)} {
  loop_.watch(socket_.file_descriptor(), [this](TimePoint now) { accept(now); });
}

TcpListener::~TcpListener() { loop_.forget(socket_.file_descriptor()); }

void TcpListener::accept(TimePoint now) {
  for (int taken = 0; taken < kInARow; ++taken) {
    auto socket = socket_.accept();
    if (socket) {
      take_(*std::move(socket), now);
      continue;
    }
    if (!is_for_want_of_files(errno)) return;
    rests_until_ = now + kRest;
    loop_.set_interest(socket_.file_descriptor(), {.read = false});
    return;
  }
}

std::optional<TimePoint> TcpListener::work(TimePoint now) {
  if (rests_until_ && *rests_until_ <= now) {
    rests_until_.reset();
    loop_.set_interest(socket_.file_descriptor(), {.read = true});
  }
  return rests_until_;
}

}  // namespace tributary
