#include "units/text/channel_address.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ChannelAddress, NamesChannelsBehindTheAddress) {
  const ChannelAddress address = channel_address("https://h/tv.m3u?a=1#channel=The%20News%2bX&t=5&channel=2");
  EXPECT_EQ(address.url, "https://h/tv.m3u?a=1");
  EXPECT_THAT(address.channels, ElementsAre("The News+X", "2"));
}

TEST(ChannelAddress, LeavesOtherFragmentsAlone) {
  for (const char* const text : {"https://h/a.m3u8", "https://h/a.m3u8#t=10", "https://h/a#", "", "#"}) {
    EXPECT_EQ(channel_address(text).url, text);
    EXPECT_THAT(channel_address(text).channels, IsEmpty());
    EXPECT_EQ(with_channels(text, {}), text);
  }
}

TEST(ChannelAddress, ReadsWhatItWrites) {
  const std::vector<std::string> channels{"a&b=#%41 \xc3\xa9\n", "", "7"};
  const std::string address = with_channels("https://h/tv.m3u#channel=old", channels);
  EXPECT_EQ(address, "https://h/tv.m3u#channel=a%26b%3D%23%2541%20%C3%A9%0A&channel=&channel=7");
  EXPECT_EQ(channel_address(address).url, "https://h/tv.m3u");
  EXPECT_EQ(channel_address(address).channels, channels);
}

}  // namespace
}  // namespace tributary
