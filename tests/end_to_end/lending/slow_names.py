#!/usr/bin/env python3
"""A server of names, which prints each name that it is asked for: slow_names.py ADDRESS

All names have that address. Those that begin with "slow" are never answered.
"""
import socket
import sys

asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asked.bind(("127.0.0.1", 53))
print("answers", flush=True)
while True:
    question, peer = asked.recvfrom(512)
    end = question.index(0, 12) + 5
    labels, rest = [], question[12:end - 5]
    while rest:
        labels.append(rest[1:1 + rest[0]].decode())
        rest = rest[1 + rest[0]:]
    print(".".join(labels), flush=True)
    if labels[0].startswith("slow"):
        continue
    is_ipv4 = question[end - 4:end - 2] == b"\0\1"
    answer = b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(sys.argv[1]) if is_ipv4 else b""
    asked.sendto(question[:2] + b"\x81\x80\0\1" + (b"\0\1" if is_ipv4 else b"\0\0") + b"\0\0\0\0" + question[12:end] + answer, peer)
