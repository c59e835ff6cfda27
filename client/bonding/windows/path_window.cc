#include "bonding/windows/path_window.hh"

#include "bonding/windows/ccid2_window.hh"
#include "bonding/windows/paced_window.hh"
#include "bonding/windows/unlimited_window.hh"

namespace tributary::bonding {

std::unique_ptr<PathWindow> make_path_window(WindowKind kind) {
  switch (kind) {
    case WindowKind::kCcid2:
      return std::make_unique<Ccid2Window>();
    case WindowKind::kPaced:
      return std::make_unique<PacedWindow>();
    case WindowKind::kUnlimited:
      break;
  }
  return std::make_unique<UnlimitedWindow>();
}

}  // namespace tributary::bonding
