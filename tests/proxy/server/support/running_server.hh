#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "proxy/server/proxy_server.hh"
#include "raw_client.hh"

namespace tributary::proxy {

/// Answers by target; what it does not know with 404. Remembers what it was asked, after its reaction.
class TableHandler : public RequestHandler {
 public:
  using Reaction = std::function<void(Request, std::function<void(Answer)>)>;

  void handle(Request request, std::function<void(Answer)> done) override;
  void left(const std::shared_ptr<IncomingFile>& file) override;
  void reads(const std::shared_ptr<IncomingFile>& file, bool reads) override;

  /// To be called before the server runs.
  void answer(const std::string& target, Answer answer);
  void react(const std::string& target, Reaction reaction) { reactions_[target] = std::move(reaction); }

  std::vector<Request> requests() const;
  void forget_requests();
  std::vector<std::shared_ptr<IncomingFile>> left_files() const;
  /// As it was told last.
  bool is_read(const std::shared_ptr<IncomingFile>& file) const;
  /// Waits until so many files have been left; false after 20 s.
  bool waits_for_left(std::size_t count) const;
  bool waits_for_requests(std::size_t count) const;

 private:
  std::map<std::string, Reaction> reactions_;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::vector<std::shared_ptr<IncomingFile>> left_;
  std::map<const IncomingFile*, bool> reads_;  // of files that may be gone
};

/// Waits until it holds; false after 20 s.
bool holds_soon(const std::function<bool()>& condition);

/// A server in a thread of its own.
class RunningServer {
 public:
  explicit RunningServer(RequestHandler& handler, ServerOptions options = {})
      : server_{std::move(options), handler}, thread_{[this] { server_.run(); }} {}
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer() { end(); }

  void end() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  std::uint16_t port() const { return server_.port(); }
  /// "/TOKEN" and the target.
  std::string path(const std::string& target) const;
  std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
  /// A request with the right host; fields end with CR LF each.
  std::string request(const std::string& method, const std::string& target, const std::string& fields = {}) const;
  RawClient client() const { return RawClient{port()}; }
  /// The answer to a request by itself.
  Reply ask(const std::string& method, const std::string& target, const std::string& fields = {}) const;

 private:
  ProxyServer server_;
  std::thread thread_;
};

/// A file that is here, with or without its size told before.
std::shared_ptr<IncomingFile> complete_file(const std::string& content);
void put(IncomingFile& file, std::int64_t offset, const std::string& content);
std::string some_content(std::size_t size);

}  // namespace tributary::proxy
