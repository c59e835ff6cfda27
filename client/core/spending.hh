#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/link_costs.hh"
#include "core/link_table.hh"
#include "core/quality_adaptation.hh"
#include "core/segment_assembly.hh"
#include "core/session_options.hh"
#include "core/shortage.hh"
#include "core/subsegment_planner.hh"
#include "presentation/segment_table.hh"

namespace tributary {

struct SessionState;

/// Decides how far links that cost something are used: which of them are spared at this moment, what of each segment is
/// left to them, when they have to be asked for it at the latest, and up to which quality bytes are paid for. The free
/// links do all they can before a segment is due; a spared link brings what they cannot, at the last moment at which it
/// still can (CATS: Agirbas 2018, section 3.4, decided there by a proxy). Asks nobody: what it decides by is passed at
/// every call, and for the same it says the same. Where all links are free, it is not asked. Bytes are payload, prices
/// are of 1000000 of them, times are those of the session.
class Spending {
 public:
  /// What each link costs, and what is left of what it may bring.
  LinkCosts costs;

  /// Throws std::invalid_argument if the quality to spend for is none of the table.
  static void check(const SessionOptions& options, const SegmentTable& table);

  // ---- Which links there are

  /// To be called before the other questions, at every moment.
  void look_for_free_links(const LinkTable& links, TimePoint now);
  /// A free one is there, or was a moment ago: links come up one after the other, and some come back at once.
  bool free_link_alive(TimePoint now) const { return now < free_until_; }
  /// Where no free link is alive, those that cost no money take their place.
  bool is_spared(LinkId link, TimePoint now) const;
  /// Dearer links do not come to help.
  void leave_out_spared(std::span<LinkNow> links, TimePoint now) const;

  /// Links that have brought, or were asked for, all that they may bring are left alone until it is told that they may
  /// bring more.
  void look_for_used_up_links(SessionState& s);
  /// Which they are, and why it is not more, as the end of a sentence; empty if there are none.
  std::string used_up_links(const SessionState& s) const;
  bool nothing_left(TimePoint now) const;

  // ---- What they are asked for

  /// Of each segment that is being received what no spared link was asked for, and of those for which there is room in
  /// the buffer all of it, as large as the one before. What a free link owes that may be dead is missing, too.
  Claims claims_on(const LinkEstimates& free, const SessionState& s) const;
  /// Of each of these claims, what the free links cannot bring in time.
  ClaimSizes shortages_of(const Claims& claims, const LinkEstimates& free, const SessionState& s) const;
  /// For how many of the claims, the first ones, this spared link has to be asked now.
  std::size_t pressing_on(const LinkEstimate& link, const Claims& claims, const ClaimSizes& shortages,
                          const SessionState& s) const;
  /// Leaves to the spared links what the free ones cannot bring of each segment, as far as those can, until the next
  /// call.
  void reserve_for(const LinkEstimates& spared, const LinkEstimates& free, const SessionState& s);
  /// What is new of the segment, and not reserved.
  DataSize unreserved(const SegmentAssembly& segment) const;
  /// So long before it is due is to be there what a spared link brings.
  static Duration margin_of(const LinkEstimates& links, const SessionState& s);
  /// What an unmeasured link is taken for until it has answered: enough to keep up by itself, and no more.
  static DataRate guess_of_rate(const SessionState& s);

  // ---- Qualities

  /// What comes later than this before it is due would be asked of a spared link: a rule must not plan with that time.
  static void leave_margin(AdaptationInput& input, const SessionState& s);
  /// The rule counted on the free links alone. Up to what the user wants to spend for, all of them count; and where
  /// only links that money is paid for are left, nothing beyond that is chosen.
  QualityChoice within_spending(QualityChoice choice, const SessionState& s) const;

 private:
  std::map<LinkId, std::string> used_up(const SessionState& s) const;
  void look_for_what_is_left(const SessionState& s);
  std::optional<TimePoint> wanted_by(Duration ahead, QualityIndex quality, const SessionState& s) const;

  TimePoint free_until_;                         // a free link is there until then, if not for longer
  std::optional<TimePoint> nothing_left_since_;  // no link may bring anything since then
  std::vector<std::pair<SegmentIndex, DataSize>> reserved_;
};

}  // namespace tributary
