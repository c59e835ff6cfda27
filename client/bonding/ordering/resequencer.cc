#include "bonding/ordering/resequencer.hh"

#include <array>

#include "bonding/ordering/bounded_resequencer.hh"
#include "bonding/ordering/no_resequencer.hh"
#include "bonding/ordering/thesis_resequencer.hh"

namespace tributary::bonding {

std::span<const NamedResequencer> resequencer_kinds() {
  static constexpr std::array<NamedResequencer, 3> kKinds{
      {{"bounded", ResequencerKind::kBounded}, {"thesis", ResequencerKind::kThesis}, {"none", ResequencerKind::kNone}}};
  return kKinds;
}

std::unique_ptr<Resequencer> make_resequencer(ResequencerKind kind) {
  if (kind == ResequencerKind::kThesis) return std::make_unique<ThesisResequencer>();
  if (kind == ResequencerKind::kNone) return std::make_unique<NoResequencer>();
  return std::make_unique<BoundedResequencer>();
}

}  // namespace tributary::bonding
