#pragma once

#include <memory>

#include "core/links/link_ids.hh"
#include "core/links/link_table.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/scheduling/request_scheduler.hh"
#include "core/session_options.hh"
#include "core/subsegments/byte_window.hh"
#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

/// Decides which links may be asked for more now, and which of them first.
class LinkRoom {
 public:
  virtual ~LinkRoom() = default;

  /// All usable links with room, in order.
  virtual LinkIds links_to_ask(const LinkTable& links, const LinksNow& present, const OutstandingRequests& outstanding,
                               TimePoint now) const = 0;
  /// Those of `links` with room, in order.
  virtual LinkIds links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const = 0;
  virtual bool has_room(const LinkEstimate& link, const OutstandingRequests& outstanding) const = 0;
  /// It may be asked for one request more than it has room for.
  virtual bool has_room_for_one_more(const LinkNow& present, const Link& link,
                                     const OutstandingRequests& outstanding) const = 0;
  /// The link has room again by the bytes that it has just brought.
  virtual bool has_room_again(LinkId id, const Link& link, const OutstandingRequests& outstanding) const = 0;
};

/// A link may have `depth` requests outstanding (request_scheduler.hh).
class RoomByRequests : public LinkRoom {
 public:
  explicit RoomByRequests(std::uint32_t depth) : depth_{depth}, scheduler_{depth} {}

  LinkIds links_to_ask(const LinkTable& links, const LinksNow& present, const OutstandingRequests& outstanding,
                       TimePoint now) const override;
  LinkIds links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const override;
  bool has_room(const LinkEstimate& link, const OutstandingRequests& outstanding) const override;
  bool has_room_for_one_more(const LinkNow& present, const Link& link,
                             const OutstandingRequests& outstanding) const override;
  bool has_room_again(LinkId id, const Link& link, const OutstandingRequests& outstanding) const override;

 private:
  std::uint32_t depth_;
  RequestScheduler scheduler_;
};

/// A link may owe the bytes that keep it busy (byte_window.hh).
class RoomByBytes : public LinkRoom {
 public:
  explicit RoomByBytes(DataSize request) : window_{request} {}

  LinkIds links_to_ask(const LinkTable& links, const LinksNow& present, const OutstandingRequests& outstanding,
                       TimePoint now) const override;
  LinkIds links_to_ask(const LinkEstimates& links, const OutstandingRequests& outstanding) const override;
  bool has_room(const LinkEstimate& link, const OutstandingRequests& outstanding) const override;
  bool has_room_for_one_more(const LinkNow& present, const Link& link,
                             const OutstandingRequests& outstanding) const override;
  bool has_room_again(LinkId id, const Link& link, const OutstandingRequests& outstanding) const override;

 private:
  bool has_room(LinkId id, const Link& link, std::optional<DataRate> rate,
                const OutstandingRequests& outstanding) const;

  ByteWindow window_;
};

std::unique_ptr<LinkRoom> make_link_room(const SessionOptions& options);

}  // namespace tributary
