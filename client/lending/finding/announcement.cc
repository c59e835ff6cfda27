#include "lending/finding/announcement.hh"

#include <utility>

#include "bonding/handshake/key_text.hh"
#include "lending/finding/avahi.hh"

namespace tributary::lending {
namespace {

constexpr const char* kGroup = "org.freedesktop.Avahi.EntryGroup";
constexpr int kCollision = 3, kFailure = 4;  // AvahiEntryGroupState

}  // namespace

Announcement::Announcement(Announced announced) : announced_{std::move(announced)}, bus_{avahi_bus()} { announce(); }

Announcement::~Announcement() {
  if (!group_.empty()) call_avahi(bus_, group_, kGroup, "Free", nullptr);
  if (bus_ != nullptr) g_object_unref(bus_);
}

void Announcement::announce() {
  why_not_.clear();
  group_.clear();
  const GlibVariant made = call_avahi(bus_, "/", kAvahiServer, "EntryGroupNew", nullptr, &why_not_);
  if (!made || !g_variant_is_of_type(made.get(), G_VARIANT_TYPE("(o)"))) return;
  const char* path = nullptr;
  g_variant_get(made.get(), "(&o)", &path);
  const std::string key = "key=" + bonding::key_text(announced_.key);
  GVariantBuilder texts;
  g_variant_builder_init(&texts, G_VARIANT_TYPE("aay"));
  g_variant_builder_add_value(&texts, g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, key.data(), key.size(), 1));
  const bool added = call_avahi(bus_, path, kGroup, "AddService",
                                g_variant_new("(iiussssqaay)", kAnyInterface, kAnyProtocol, 0U, announced_.name.c_str(),
                                              kServiceType, "", "", announced_.port, &texts),
                                &why_not_) != nullptr;
  if (added && call_avahi(bus_, path, kGroup, "Commit", nullptr, &why_not_)) {
    group_ = path;
  } else {
    call_avahi(bus_, path, kGroup, "Free", nullptr);
  }
}

bool Announcement::is_there() const {
  if (group_.empty()) return false;
  const GlibVariant state = call_avahi(bus_, group_, kGroup, "GetState", nullptr);
  if (!state || !g_variant_is_of_type(state.get(), G_VARIANT_TYPE("(i)"))) return false;
  int value = 0;
  g_variant_get(state.get(), "(i)", &value);
  return value != kCollision && value != kFailure;
}

void Announcement::renew() {
  if (bus_ != nullptr && !is_there()) announce();
}

}  // namespace tributary::lending
