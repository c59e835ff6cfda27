#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/links/link_use.hh"
#include "proxy/files/incoming_file.hh"
#include "proxy/titles/demanded_files.hh"
#include "transport/connections/event_fd.hh"

/// The calls of DemandedFiles, as values.
namespace tributary::proxy::demand {

struct Want {
  std::uint64_t number = 0;
  WantedMedia wanted;
  std::shared_ptr<IncomingFile> file;
};
struct Due {
  std::uint64_t number = 0;
  std::optional<Duration> in;
};
struct NotWanted {
  std::uint64_t number = 0;
};
struct UseLink {
  std::string name;
  LinkUse use{};
};
struct Close {};

}  // namespace tributary::proxy::demand

namespace tributary::proxy {

using DemandCall = std::variant<demand::Want, demand::Due, demand::NotWanted, demand::UseLink, demand::Close>;

/// Calls on their way from any thread to the thread of a session.
class DemandQueue {
 public:
  void push(DemandCall call) {
    {
      const std::lock_guard lock{mutex_};
      calls_.push_back(std::move(call));
    }
    filled_.signal();
  }
  /// Readable when there are calls.
  int file_descriptor() const { return filled_.get(); }
  /// Takes all calls, oldest first.
  std::vector<DemandCall> take() {
    filled_.clear();
    const std::lock_guard lock{mutex_};
    return std::exchange(calls_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<DemandCall> calls_;
  transport::EventFd filled_;
};

}  // namespace tributary::proxy
