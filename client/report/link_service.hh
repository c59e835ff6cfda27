#pragma once

#include <optional>
#include <vector>

#include "report/session_record.hh"

namespace tributary {

/// The times in which links really worked on their requests. A pipelined request waits until the one before it has
/// ended. Borrows the record.
class LinkService {
 public:
  struct Served {
    TimePoint begin, end;  // of a request that has not ended: the end of the session
    Duration length() const { return end - begin; }
  };

  explicit LinkService(const SessionRecord& record);

  const Served& of(const RequestRecord& request) const { return served_[to_index(request.id) - first_]; }

  /// Bytes over time of all requests that the link worked on between these moments; if there are none, of the last one
  /// before. Failed requests count with the bytes that they brought. Nothing if no byte came.
  std::optional<DataRate> rate(LinkId link, TimePoint from, TimePoint until) const;

 private:
  const SessionRecord& record_;
  std::size_t first_ = 0;       // id of the first request
  std::vector<Served> served_;  // by request
};

}  // namespace tributary
