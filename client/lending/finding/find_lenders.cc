#include "lending/finding/find_lenders.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "bonding/handshake/key_text.hh"
#include "lending/finding/announcement.hh"
#include "lending/finding/avahi.hh"
#include "lending/identity/peers.hh"

namespace tributary::lending {
namespace {

constexpr const char* kBrowser = "org.freedesktop.Avahi.ServiceBrowser";
constexpr guint kBetweenLooks_ms = 50;
constexpr std::size_t kMostAddresses = 8;  // of one key
constexpr int kIpv4 = 0;                   // AvahiProtocol

std::optional<MemberKey> key_in(GVariant* texts) {
  GVariantIter iterator;
  g_variant_iter_init(&iterator, texts);
  while (const GlibVariant text{g_variant_iter_next_value(&iterator)}) {
    gsize size = 0;
    const auto* bytes = static_cast<const char*>(g_variant_get_fixed_array(text.get(), &size, 1));
    const std::string_view line{bytes, size};
    if (!line.starts_with("key=")) continue;
    if (const auto key = bonding::key_from_text(line.substr(4))) {
      MemberKey result{};
      std::ranges::copy(key->bytes(), result.begin());
      return result;
    }
  }
  return std::nullopt;
}

/// One search, in a main context of its own.
class Search {
 public:
  Search() : context_{g_main_context_new()}, bus_{nullptr} {
    g_main_context_push_thread_default(context_);
    bus_ = static_cast<GDBusConnection*>(avahi_bus());
    if (bus_ == nullptr) return;
    subscription_ = g_dbus_connection_signal_subscribe(bus_, kAvahi, kBrowser, "ItemNew", nullptr, nullptr,
                                                       G_DBUS_SIGNAL_FLAGS_NONE, &Search::on_item, this, nullptr);
    const GlibVariant made = call_avahi(bus_, "/", kAvahiServer, "ServiceBrowserNew",
                                        g_variant_new("(iissu)", kAnyInterface, kAnyProtocol, kServiceType, "", 0U));
    if (!made || !g_variant_is_of_type(made.get(), G_VARIANT_TYPE("(o)"))) return;
    const char* path = nullptr;
    g_variant_get(made.get(), "(&o)", &path);
    browser_ = path;
  }
  ~Search() {
    if (!browser_.empty()) call_avahi(bus_, browser_, kBrowser, "Free", nullptr);
    if (subscription_ != 0) g_dbus_connection_signal_unsubscribe(bus_, subscription_);
    while (g_main_context_iteration(context_, FALSE) != FALSE) {  // what the end of the subscription still frees
    }
    g_main_context_pop_thread_default(context_);
    if (bus_ != nullptr) g_object_unref(bus_);
    g_main_context_unref(context_);
  }
  Search(const Search&) = delete;

  std::vector<FoundLender> run(Duration time, const std::function<bool()>& goes_on) {
    if (browser_.empty()) return {};
    GSource* const tick = g_timeout_source_new(kBetweenLooks_ms);
    g_source_set_callback(
        tick, [](gpointer) -> gboolean { return G_SOURCE_CONTINUE; }, nullptr, nullptr);
    g_source_attach(tick, context_);
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end && goes_on()) g_main_context_iteration(context_, TRUE);
    g_source_destroy(tick);
    g_source_unref(tick);
    return std::move(found_);
  }

 private:
  static void on_item(GDBusConnection* /*bus*/, const gchar* /*sender*/, const gchar* /*path*/,
                      const gchar* /*interface*/, const gchar* /*signal*/, GVariant* item, gpointer self) {
    if (g_variant_is_of_type(item, G_VARIANT_TYPE("(iisssu)"))) static_cast<Search*>(self)->resolve(item);
  }

  void resolve(GVariant* item) {
    int interface = 0, protocol = 0;
    const char *name = nullptr, *type = nullptr, *domain = nullptr;
    g_variant_get(item, "(ii&s&s&su)", &interface, &protocol, &name, &type, &domain, nullptr);
    if (std::string_view{type} != kServiceType || protocol != kIpv4) return;
    const GlibVariant resolved =
        call_avahi(bus_, "/", kAvahiServer, "ResolveService",
                   g_variant_new("(iisssiu)", interface, protocol, name, type, domain, kIpv4, 0U));
    if (!resolved || !g_variant_is_of_type(resolved.get(), G_VARIANT_TYPE("(iissssisqaayu)"))) return;
    const char* address = nullptr;
    guint16 port = 0;
    GVariant* texts = nullptr;
    g_variant_get(resolved.get(), "(ii&s&s&s&si&sq@aayu)", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                  nullptr, &address, &port, &texts, nullptr);
    const GlibVariant owned{texts};
    const auto key = key_in(texts);
    if (key) add(name, *key, fmt::format("{}:{}", address, port));
  }

  /// Another one may say the same key.
  void add(const char* name, const MemberKey& key, std::string address) {
    auto lender = std::ranges::find(found_, key, &FoundLender::key);
    if (lender == found_.end()) lender = found_.insert(lender, {as_peer_name(name), key});
    auto& known = lender->addresses;
    if (known.size() < kMostAddresses && std::ranges::find(known, address) == known.end())
      known.push_back(std::move(address));
  }

  GMainContext* context_;
  GDBusConnection* bus_;
  guint subscription_ = 0;
  std::string browser_;  // the object of Avahi; empty: none
  std::vector<FoundLender> found_;
};

}  // namespace

std::vector<FoundLender> find_lenders(Duration time, const std::function<bool()>& goes_on) {
  Search search;
  return search.run(time, goes_on);
}

}  // namespace tributary::lending
