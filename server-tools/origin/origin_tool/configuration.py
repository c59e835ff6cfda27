"""Fills in the templates of a site, nginx-site.conf.in and apache-site.conf.in."""
import pathlib
import re

TEMPLATES = pathlib.Path(__file__).parent.parent
NEVER = {"nginx": 100000, "apache": 0}  # requests until a connection is closed
PORTS_OF_DEBIAN = (80, 443)  # of Apache: /etc/apache2/ports.conf


class ConfigurationError(Exception):
    """What a configuration cannot express."""


def site(options):
    """The text of a site for options.nginx or options.apache."""
    server = "nginx" if options.nginx else "apache"
    port = options.port or (443 if options.tls else 80)
    if not 0 < port < 65536:
        raise ConfigurationError(f"--port {port}: a port is from 1 to 65535")
    for name in options.name:
        if not re.fullmatch(r"[\w*.-]+", name):
            raise ConfigurationError(f'--name {name}: not the name of a host')
    for address in options.address:
        if not re.fullmatch(r"[0-9A-Fa-f.:]+", address):
            raise ConfigurationError(f'--address {address}: not an address')
    requests = NEVER[server] if options.keepalive_requests is None else options.keepalive_requests
    if requests < 0:
        raise ConfigurationError(f"--keepalive-requests {requests}: less than none")
    values = {"CONTENT": path_of(options.nginx or options.apache, pathlib.Path.is_dir, "no directory"),
              "KEEPALIVE_REQUESTS": str(requests)}
    files = [path_of(path, pathlib.Path.is_file, "no file") for path in options.tls or ()]
    values |= (nginx_lines if server == "nginx" else apache_lines)(options, port, files)
    return fill_in((TEMPLATES / f"{server}-site.conf.in").read_text(encoding="utf-8"), values)


def path_of(path, is_right, otherwise):
    """An absolute path that can stand within quotes in a configuration."""
    if not is_right(path):
        raise ConfigurationError(f"{path} is {otherwise}")
    text = str(path.resolve())
    if re.search(r'["@$\\\n]', text):
        raise ConfigurationError(f'{text}: quotes, "@", "$" and backslashes in paths are not supported')
    return text


def in_brackets(address):
    return f"[{address}]" if ":" in address else address


def nginx_lines(options, port, tls):
    addresses = options.address or ["0.0.0.0", "::"]
    more = ("" if options.name else " default_server") + (" ssl http2" if tls else "")
    return {"LISTEN": [f"  listen {in_brackets(address)}:{port}{more};" for address in addresses],
            "NAMES": [f"  server_name {' '.join(options.name)};"] if options.name else [],
            "TLS": [f'  ssl_certificate "{tls[0]}";', f'  ssl_certificate_key "{tls[1]}";',
                    "  ssl_protocols TLSv1.2 TLSv1.3;"] if tls else []}


def apache_lines(options, port, tls):
    hosts = [f"{in_brackets(address)}:{port}" for address in options.address]
    listens = options.listen or port not in PORTS_OF_DEBIAN
    return {"LISTEN": [f"Listen {host}" for host in hosts or [str(port)]] if listens else [],
            "HOSTS": " ".join(hosts) or f"*:{port}",
            "NAMES": [f"  {'ServerAlias' if i else 'ServerName'} {name}" for i, name in enumerate(options.name)],
            "TLS": ["  SSLEngine on", f'  SSLCertificateFile "{tls[0]}"', f'  SSLCertificateKeyFile "{tls[1]}"',
                    "  SSLProtocol -all +TLSv1.2 +TLSv1.3", "  Protocols h2 http/1.1",
                    "  H2MaxSessionStreams 256"] if tls else []}


def fill_in(template, values):
    """Replaces @NAME@; a value that is a list stands for whole lines."""
    lines = []
    for line in template.splitlines():
        whole = re.fullmatch(r"@(\w+)@", line)
        if whole and isinstance(values[whole[1]], list):
            lines += values[whole[1]]
        else:
            lines.append(re.sub(r"@([A-Z_]+)@", lambda place: values[place[1]], line))
    return "\n".join(lines) + "\n"
