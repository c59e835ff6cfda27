#pragma once

#include <string>
#include <vector>

#include "system/file_descriptor.hh"
#include "system/virtual_device.hh"

namespace tributary {

/// The two ends of one link.
struct TapPair {
  VirtualDevice client, server;
};

/// A client and a server network namespace, joined by links. Link i, counted from 1, has these addresses:
///
///            IPv4             IPv6
///   client   10.77.i.2/24     fd77:i::2/64        and a default route over the link, of metric 100 + i
///   server   10.77.i.1/24     fd77:i::1/64
///   origin   198.51.100.1     2001:db8::1         in the server namespace, reached over every link
///
/// Neighbours are entered beforehand, so that no other frames disturb the links. TCP is CUBIC on every machine: bbr
/// leaves a link idle for 200 ms every 10 s.
///
/// A further machine may stand behind the server, in a namespace of its own. Packets pass the server if it forwards.
///
///   server   203.0.113.1/24   2001:db8:1::1/64    on the device "behind"
///   origin   203.0.113.2/24   2001:db8:1::2/64    on the device "origin"; default routes over the server
///
/// Links may be those of members who lend them (MC²): then the client's end of link i is in a namespace of member i, which forwards
/// between it and a LAN (a bridge). The client, as receiver, reaches each member over a device with the name of the link. IPv4 only.
///
///   member   10.77.i.2/24, 10.77.(128+i).1/24    the latter on the device "lan"
///   client   10.77.(128+i).2/24                   and a default route over the member, of metric 100 + i
struct LabNetwork {
  FileDescriptor user_namespace;  // owner of the network namespaces
  FileDescriptor client_namespace, server_namespace;
  FileDescriptor origin_namespace;  // closed: there is none
  std::vector<FileDescriptor> member_namespaces;
  std::vector<TapPair> links;
};

struct LabLayout {
  static constexpr std::size_t kMostMembers = 100;
  std::vector<std::string> links;  // their names
  bool origin = false;             // behind the server
  /// Of the links: each has a NAT between its two ends. The server sees its client as 10.77.i.200, with ports of the
  /// NAT's choice. IPv4, and to the server itself only.
  std::vector<std::string> with_nat;
  bool members = false;  // at most kMostMembers links then
};

/// Makes namespaces and links, and leaves the calling process in the client namespace. Needs iproute2, and nftables for a NAT. Throws
/// std::runtime_error that names the failed step.
LabNetwork make_lab_network(const LabLayout& layout);

}  // namespace tributary
