#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>

#include "link_world.hh"
#include "transport_contract.hh"

namespace tributary::transport {

/// A real server that has one file, film.mp4.
class FilmServer {
 public:
  virtual ~FilmServer() = default;
  virtual std::string url() const = 0;  // of the film; at 127.0.0.1
  virtual LinkRules rules() const = 0;
};

/// What is in the film: two million bytes by chance, the same every time.
inline const std::string& film() {
  static const std::string bytes = [] {
    std::mt19937 random{4711};
    std::string made(2'000'000, '\0');
    for (char& byte : made) byte = static_cast<char>(random());
    return made;
  }();
  return bytes;
}

/// The real transport and the server, for the contract.
class FilmWorld final : public ContractWorld {
 public:
  explicit FilmWorld(const FilmServer& server)
      : http_{server.rules().http}, link_{server.url(), {"127.0.0.1"}, server.rules()} {}

  HttpTransport& transport() override { return link_.transport(); }
  TimePoint now() override { return link_.now(); }
  void step() override { link_.step(); }
  std::string target() const override { return "/film.mp4"; }
  DataSize file_size() const override { return DataSize{static_cast<std::int64_t>(film().size())}; }
  std::optional<std::string> content(ByteRange range) const override {
    return film().substr(static_cast<std::size_t>(range.begin.bytes()), static_cast<std::size_t>(range.size().bytes()));
  }
  // Within a window, streams come as the server likes.
  bool answers_in_order() const override { return http_ != HttpVersion::kHttp2; }
  std::optional<std::string> missing_target() const override { return "/no-such-film.mp4"; }

 private:
  HttpVersion http_;
  LinkWorld link_;
};

/// The server is started by the first test that needs it, and shared by all: that takes a while.
inline ContractCase film_case(const std::string& name, std::function<std::unique_ptr<FilmServer>()> start) {
  auto server = std::make_shared<std::unique_ptr<FilmServer>>();
  return {name, [server, start = std::move(start)] {
            if (!*server) *server = start();
            return std::make_unique<FilmWorld>(**server);
          }};
}

}  // namespace tributary::transport
