#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/kept_connections.hh"
#include "transport/connections/preconnections.hh"
#include "transport/documents/document_fetch.hh"
#include "transport/sockets/public_address.hh"

namespace tributary::transport {
namespace {

using testing::HasSubstr;

/// The server's address as an IPv6 one stands for the internet, and as an IPv4 one for this machine.
class GuardedAddressesTest : public testing::Test {
 protected:
  std::string near(const std::string& target) const {
    return fmt::format("http://127.0.0.1:{}{}", origin_.port(), target);
  }
  std::string far(const std::string& target) const {
    return fmt::format("http://[::ffff:127.0.0.1]:{}{}", origin_.port(), target);
  }
  std::shared_ptr<AddressGuard> guard_of(const std::string& title) const {
    return std::make_shared<AddressGuard>(title, [](const sockaddr& address, const std::string& /*link*/) {
      return text_of(address).starts_with("::ffff:");
    });
  }
  static std::string fetched(const std::string& url, const std::shared_ptr<AddressGuard>& guard) {
    return fetch_document(url, {.link = {}, .ca_file = {}, .guard = guard}).text;
  }
  static std::string refusal(const std::string& url, const std::shared_ptr<AddressGuard>& guard) {
    try {
      fetch_document(url, {.link = {}, .ca_file = {}, .guard = guard});
    } catch (const FetchError& error) {
      EXPECT_EQ(error.reason, FailureReason::kNotAllowed);
      return error.what();
    }
    return "";
  }

  FaultyOrigin origin_{[this](const std::string& head) -> FaultyOrigin::Reply {
    if (head.starts_with("GET /to-near ")) return {response("302 Found", "", "Location: " + near("/a") + "\r\n")};
    if (head.starts_with("GET /to-far ")) return {response("302 Found", "", "Location: " + far("/a") + "\r\n")};
    return {response("200 OK", "here")};
  }};
};

TEST_F(GuardedAddressesTest, ATitleOfTheInternetMayNotLeadToThisMachine) {
  const auto guard = guard_of(far("/title"));
  EXPECT_EQ(fetched(far("/title"), guard), "here");
  EXPECT_THAT(refusal(near("/a"), guard), HasSubstr("127.0.0.1 is an address of this machine or its network"));
  EXPECT_EQ(fetched(far("/a"), guard), "here");
}

TEST_F(GuardedAddressesTest, ATitleOfThisMachineMayLeadAnywhere) {
  const auto guard = guard_of(near("/title"));
  EXPECT_EQ(fetched(near("/title"), guard), "here");
  EXPECT_EQ(fetched(far("/a"), guard), "here");
  EXPECT_EQ(fetched(near("/a"), guard), "here");
}

TEST_F(GuardedAddressesTest, ARedirectionOfTheTitleLeadsToThisMachineInVain) {
  EXPECT_THAT(refusal(far("/to-near"), guard_of(far("/to-near"))), HasSubstr("127.0.0.1 is an address"));
}

TEST_F(GuardedAddressesTest, ATitleThatIsRedirectedToTheInternetIsOneOfIt) {
  const auto guard = guard_of(near("/to-far"));
  EXPECT_EQ(fetched(near("/to-far"), guard), "here");
  EXPECT_NE(refusal(near("/a"), guard), "");
}

TEST_F(GuardedAddressesTest, ATitleThatWasHereFirstAndIsOfTheInternetLaterIsOneOfIt) {
  const auto guard = guard_of(near("/title"));
  guard->has_manifest_at(far("/title"));  // as a name that leads elsewhere later
  EXPECT_EQ(fetched(near("/title"), guard), "here");
  EXPECT_EQ(fetched(far("/title"), guard), "here");
  EXPECT_NE(refusal(near("/a"), guard), "");
}

TEST_F(GuardedAddressesTest, AKeptConnectionIsJudgedAnew) {
  const auto kept = std::make_shared<KeptConnections>();
  const LinkRules before{.link = {}, .ca_file = {}, .guard = guard_of(near("/title")), .kept = kept};
  EXPECT_EQ(fetch_document(near("/title"), before).text, "here");
  const auto guard = guard_of(far("/title"));
  guard->title_is_of_internet();
  const LinkRules after{.link = {}, .ca_file = {}, .guard = guard, .kept = kept};
  EXPECT_THROW(fetch_document(near("/a"), after), FetchError);
}

TEST_F(GuardedAddressesTest, AConnectionThatWasMadeBeforeTheManifestCameIsJudgedWhenItIsTaken) {
  const auto guard = guard_of(far("/title"));
  CurlLoop loop;
  Preconnections ahead{loop, parse_url(near("/")).origin, {"127.0.0.1"}};
  ahead.begin({.link = {}, .ca_file = {}, .guard = guard});
  while (!ahead.is_made("")) loop.wait(std::nullopt);
  guard->title_is_of_internet();
  EXPECT_EQ(ahead.take(""), nullptr);
}

}  // namespace
}  // namespace tributary::transport
