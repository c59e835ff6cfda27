#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "loopback_socket.hh"

namespace tributary {

/// An HTTP server on the loopback interface that answers as the test says, byte for byte, however wrong that
/// is.
class FaultyOrigin {
 public:
  struct Reply {
    enum class Then { kKeep, kClose, kReset, kSilence };
    std::string bytes;
    Then then = Then::kKeep;
    std::chrono::microseconds each{};  // not zero: bytes go one by one, with this pause behind each
  };
  /// Called for each request with its head; from several threads, but not at the same time.
  using Answer = std::function<Reply(const std::string& head)>;

  /// kInTurn: the next connection waits until the client has closed the one before.
  enum class Serves { kAll, kInTurn };

  explicit FaultyOrigin(Answer answer, Serves serves = Serves::kAll);
  ~FaultyOrigin();

  std::uint16_t port() const { return port_of(listener_); }
  int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(const FileDescriptor& socket);

  Answer answer_;
  Serves serves_;
  FileDescriptor listener_;
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<int> open_;  // sockets that must be shut down to end their threads
  std::atomic<int> connections_ = 0;
  std::vector<std::thread> servers_;
  std::thread acceptor_;
};

}  // namespace tributary
