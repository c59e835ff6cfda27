# Packages of Debian: `./run package`, or `cpack` in a build with the prefix /usr (preset package). Which file is in which
# package is said by CMAKE_INSTALL_DEFAULT_COMPONENT_NAME beside the folders (docs/packages.md).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tributary)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# Whoever makes the packages maintains them, as Debian's own tools have it.
if(DEFINED ENV{DEBEMAIL} AND DEFINED ENV{DEBFULLNAME})
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(CPACK_PACKAGE_CONTACT "The Tributary authors <authors@tributary.org>")
endif()
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL tributary tributary-player gstreamer1.0-tributary tributary-server-tools)
if(NOT TRIBUTARY_PLAYER)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL tributary-player gstreamer1.0-tributary)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION video)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)

# tributary_package(NAME "summary" "description"): the first line of the description, and what follows it.
function(tributary_package name summary description)
  string(TOUPPER ${name} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
endfunction()

tributary_package(tributary "streams and downloads over several network links at once"
  "Tributary divides each video segment or file into byte ranges, and asks for
each range over one link: Wi-Fi, LTE, Ethernet. The server stays a plain web
server. This package has the downloader, a proxy for any other player, the
segmenter, and programs that list, check and measure links.")
set(CPACK_DEBIAN_TRIBUTARY_PACKAGE_SUGGESTS "tributary-player, tributary-server-tools, mpv, nftables, udhcpc")

tributary_package(tributary-player "video player that uses several network links at once"
  "The player plays titles of HLS, MPEG-DASH and Tributary over all links that
lead to the server, and shows what each link brings and costs.")
set(CPACK_DEBIAN_TRIBUTARY-PLAYER_PACKAGE_DEPENDS
    "gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad, gstreamer1.0-libav")
set(CPACK_DEBIAN_TRIBUTARY-PLAYER_PACKAGE_RECOMMENDS "tributary, adwaita-icon-theme, librsvg2-common")

tributary_package(gstreamer1.0-tributary "GStreamer elements that use several network links at once"
  "Applications of GStreamer play index.json of Tributary, HLS and MPEG-DASH over
all links that lead to the server.")
set(CPACK_DEBIAN_GSTREAMER1.0-TRIBUTARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_GSTREAMER1.0-TRIBUTARY_PACKAGE_DEPENDS "gstreamer1.0-plugins-base")
set(CPACK_DEBIAN_GSTREAMER1.0-TRIBUTARY_PACKAGE_RECOMMENDS "gstreamer1.0-libav")

tributary_package(tributary-server-tools "web servers for segmented video, and emulated network links"
  "tributary-origin writes the site of nginx or Apache for segmented video, checks
any web server, and answers for live playlists beside one. tributary-relay is the other end of tunnels.
tributary-splitter lets senders that know nothing of it use several links.
tributary-lend lends an uplink to others in the local network.
tributary-netlab emulates links between a client and a
server in network namespaces.")
set(CPACK_DEBIAN_TRIBUTARY-SERVER-TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TRIBUTARY-SERVER-TOOLS_PACKAGE_DEPENDS "python3, python3-aiohttp, python3-pyinotify")
set(CPACK_DEBIAN_TRIBUTARY-SERVER-TOOLS_PACKAGE_RECOMMENDS "nginx-light | nginx | apache2-bin, iproute2, nftables, openssl, avahi-daemon")

include(CPack)
