#include "bonding/ordering/resequencer.hh"

#include "bonding/ordering/bounded_resequencer.hh"
#include "bonding/ordering/thesis_resequencer.hh"

namespace tributary::bonding {

std::unique_ptr<Resequencer> make_resequencer(ResequencerKind kind) {
  if (kind == ResequencerKind::kThesis) return std::make_unique<ThesisResequencer>();
  return std::make_unique<BoundedResequencer>();
}

}  // namespace tributary::bonding
