#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "download/files/chunk_sink.hh"
#include "transport/http_transport.hh"
#include "transport/origin_pace.hh"

namespace tributary {

/// The pace for an answer that no other request can bring sooner: it is waited for as long as the other end lives.
transport::OriginPace endless_patience();

/// One answer with all that is missing, and after it the next one, over the same link. Writes what it brings.
class LaterAnswer {
 public:
  using Connect = std::function<std::unique_ptr<transport::HttpTransport>()>;

  /// `asked`: for all of the object; the range is filled in. `connect`: over the link. The sink must outlive it.
  LaterAnswer(ChunkSink& sink, transport::RangeRequest asked, Connect connect);

  void begin(ByteRange range, TimePoint now);
  /// True if the answer has ended, in whatever way. Throws WriteError.
  bool advance(TimePoint now);
  void give_up() { transport_.reset(); }

  bool running() const { return transport_ != nullptr; }
  std::optional<TimePoint> next_deadline() const;
  /// By all such answers.
  DataSize received() const { return received_; }
  /// The last one was of another version of the object.
  bool is_of_another() const { return is_of_another_; }

 private:
  void take(const transport::Event& event);

  ChunkSink& sink_;
  transport::RangeRequest asked_;
  Connect connect_;
  std::unique_ptr<transport::HttpTransport> transport_;  // while there is an answer to wait for
  DataSize received_;
  bool is_of_another_ = false;
};

}  // namespace tributary
