#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "media/cmaf_reader.hh"
#include "transport/http_transport.hh"
#include "worlds/pieces/asked_piece.hh"
#include "worlds/pieces/growing_file.hh"

namespace tributary {

/// Brings pieces of files that grow over one link. A file is asked for once, whole, over a connection of its own: its answer
/// comes as long as the file is made. Requests for its pieces are answered from that one; those for pieces of a file that
/// does not come yet begin it. Bytes that came before they were asked for, and those that begin a chunk, are `paced`.
class PieceTransport final : public transport::HttpTransport {
 public:
  using Connect = std::function<std::unique_ptr<transport::HttpTransport>()>;
  using Inits = std::map<std::size_t, InitFacts>;  // by track
  /// `inits`: of the tracks, as far as they are known; must outlive the object.
  PieceTransport(Connect connect, const Inits& inits) : connect_{std::move(connect)}, inits_{inits} {}

  /// The next request is for this piece.
  void expect(const AskedPiece& piece) { expected_ = piece; }
  void submit(const transport::RangeRequest& request, TimePoint now) override;
  void close(FailureReason reason, TimePoint now) override;
  void abandon(TimePoint now) override;
  void advance(TimePoint now) override;
  std::optional<transport::Event> next_event() override;
  std::optional<TimePoint> next_deadline() const override;
  std::optional<RoundTrip> round_trip() const override { return std::nullopt; }
  std::optional<RoundTrip> take_round_trip() override;

 private:
  /// A connection, and the file that it brings.
  struct Channel {
    std::unique_ptr<transport::HttpTransport> transport;
    std::shared_ptr<GrowingFile> file;  // null: it is idle
    RequestId request{};                // for the file
  };
  struct Asked {
    RequestId id{};
    AskedPiece piece;
    std::shared_ptr<GrowingFile> file;
    std::size_t came_before = 0;  // bytes of the file that were here when it was asked for
    std::size_t given = 0;        // bytes of the piece
    bool began = false;
  };

  std::shared_ptr<GrowingFile> file_of(const transport::RangeRequest& request, TimePoint now);
  Channel& idle_channel();
  void take_events(Channel& channel);
  void fail(const std::shared_ptr<GrowingFile>& file, transport::RequestFailed failure);
  void end_all(FailureReason reason, const std::string& detail);
  std::optional<transport::Event> next_of(Asked& asked) const;
  void forget_old_files();

  Connect connect_;
  const Inits& inits_;
  std::optional<AskedPiece> expected_;
  std::deque<Channel> channels_;
  std::deque<std::shared_ptr<GrowingFile>> files_;  // coming, or of late
  std::deque<Asked> asked_;
  std::deque<transport::RequestFailed> failed_;
  RequestId next_{1};
  const Channel* answered_ = nullptr;  // the one that brought bytes last
};

}  // namespace tributary
