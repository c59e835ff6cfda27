#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/costs/link_costs.hh"
#include "core/costs/shortage.hh"
#include "core/links/link_table.hh"
#include "core/qualities/quality_adaptation.hh"
#include "core/requests/segment_assembly.hh"
#include "core/session_options.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary {

struct SessionState;

/// Decides how far links that cost something are used: which of them are spared now, which bytes of each segment are
/// left to them, when they have to be asked at the latest, and up to which quality bytes are paid for. The free links
/// do all they can; a spared link brings the rest, at the last moment at which it still can (CATS: Agirbas 2018,
/// section 3.4; docs/algorithms/costs.md).
///
/// It asks no link, and gives the same answer for the same arguments. Where all links are free, it is not asked. Bytes
/// are payload, prices are of 1000000 of them, times are those of the session.
class Spending {
 public:
  /// The cost of each link, and what is left of its cap.
  LinkCosts costs;

  /// Throws std::invalid_argument if the quality to spend for is not in the table.
  static void check(const SessionOptions& options, const SegmentTable& table);

  // ---- Which links there are

  /// Call before the other questions, after every event.
  void look_for_free_links(const LinkTable& links, TimePoint now);
  /// A free link is there, or was a moment ago: links come up one after the other, and some come back at once.
  bool free_link_alive(TimePoint now) const { return now < free_until_; }
  /// Where no free link is alive, backup and metered links take its place.
  bool is_spared(LinkId link, TimePoint now) const;
  /// Dearer links do not come to help.
  void leave_out_spared(std::span<LinkNow> links, TimePoint now) const;

  /// Leaves links alone whose cap is used up, until they may bring more.
  void look_for_used_up_links(SessionState& s);
  /// Names of these links with the reason, as the end of a sentence; empty if there are none.
  std::string used_up_links(const SessionState& s) const;
  bool nothing_left(TimePoint now) const;

  // ---- What they are asked for

  /// A claim for each segment that is being received: its bytes that no spared link was asked for, with those of a free
  /// link that may be dead. Then a claim for each segment for which the buffer has room, as large as in the last
  /// quality.
  Claims claims_on(const LinkEstimates& free, const SessionState& s) const;
  /// For each claim, the bytes that the free links cannot bring in time.
  ClaimSizes shortages_of(const Claims& claims, const LinkEstimates& free, const SessionState& s) const;
  /// The number of claims, from the first on, for which this spared link has to be asked now.
  std::size_t pressing_on(const LinkEstimate& link, const Claims& claims, const ClaimSizes& shortages,
                          const SessionState& s) const;
  /// Leaves shortages to the spared links, as far as those can bring them, until the next call.
  void reserve_for(const LinkEstimates& spared, const LinkEstimates& free, const SessionState& s);
  /// New bytes of the segment that are not reserved.
  DataSize unreserved(const SegmentAssembly& segment) const;
  /// How long before a segment is due the bytes of a spared link are to be there.
  static Duration margin_of(const LinkEstimates& links, const SessionState& s);
  /// The rate that an unmeasured link is taken to have: enough to keep up by itself, and no more.
  static DataRate guess_of_rate(const SessionState& s);

  // ---- Qualities

  /// Takes the margin out of the time that a rule may plan with: bytes that come later would be asked of a spared link.
  static void leave_margin(AdaptationInput& input, const SessionState& s);
  /// Corrects the choice of a rule, which counted on the free links alone. Up to the quality that the user spends for,
  /// all links count. Where only paid links are left, nothing beyond that quality is chosen.
  QualityChoice within_spending(QualityChoice choice, const SessionState& s) const;

 private:
  /// Why the link may bring no more; empty if it may.
  std::string_view why_used_up(LinkId link, const SessionState& s) const;
  static Duration slack(const SessionState& s);
  void look_for_what_is_left(const SessionState& s);
  std::optional<TimePoint> wanted_by(SegmentIndex segment, Duration ahead, QualityIndex quality,
                                     const SessionState& s) const;

  TimePoint free_until_;                         // a free link is there until then, if not for longer
  std::optional<TimePoint> nothing_left_since_;  // no link may bring anything since then
  std::vector<std::pair<SegmentIndex, DataSize>> reserved_;
};

}  // namespace tributary
