"""Fills in the templates of a site, nginx-site.conf.in and apache-site.conf.in."""
import pathlib
import re

TEMPLATES = pathlib.Path(__file__).parent.parent
MEDIA = "mp4|m4s|m4v|m4a|cmfv|cmfa|ts"
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
    if options.live:
        live_address(options.live)
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


def live_address(text):
    """That of tributary-origin live."""
    if not re.fullmatch(r"([0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}", text, re.ASCII):
        raise ConfigurationError(f'--live {text}: no ADDRESS:PORT')


def in_brackets(address):
    return f"[{address}]" if ":" in address else address


def nginx_lines(options, port, tls):
    addresses = options.address or ["0.0.0.0", "::"]
    more = ("" if options.name else " default_server") + (" ssl http2" if tls else "")
    return {"LISTEN": [f"  listen {in_brackets(address)}:{port}{more};" for address in addresses],
            "NAMES": [f"  server_name {' '.join(options.name)};"] if options.name else [],
            "TLS": [f'  ssl_certificate "{tls[0]}";', f'  ssl_certificate_key "{tls[1]}";',
                    "  ssl_protocols TLSv1.2 TLSv1.3;"] if tls else []} | nginx_live(options.live)


def nginx_live(address):
    """Without it, playlists are files as all others. While it does not answer, they are, too."""
    if not address:
        return {"LIVE_UPSTREAM": [], "LIVE": []}
    name = "tributary_live_" + re.sub(r"\W+", "_", address.strip("["))
    passed = [f"    proxy_pass http://{name};", "    proxy_http_version 1.1;", '    proxy_set_header Connection "";',
              "    proxy_read_timeout 60s;", "    proxy_hide_header Access-Control-Allow-Origin;",
              "    proxy_hide_header Access-Control-Expose-Headers;",
              "    add_header Access-Control-Allow-Origin * always;",
              '    add_header Access-Control-Expose-Headers "Content-Length, Content-Range, Accept-Ranges, Date, ETag" always;']
    return {"LIVE_UPSTREAM": ["# tributary-origin live holds requests for playlists until they have what is asked for.",
                              f"upstream {name} {{", f"  server {address};", "  keepalive 64;", "}", ""],
            "LIVE": ["", "  # Playlists, and media that is not there yet. Each request that is held takes two of",
                     "  # worker_connections.", "  location ~ \\.m3u8$ {", "    error_page 502 504 = @plain;", *passed, "  }",
                     f"  location ~ \\.({MEDIA})$ {{", "    try_files $uri @live;", "  }",
                     "  location @live {", "    error_page 502 504 = @missing;", *passed, "  }",
                     "  location @plain {", "  }", "  location @missing {", "    return 404;", "  }"]}


def apache_lines(options, port, tls):
    hosts = [f"{in_brackets(address)}:{port}" for address in options.address]
    listens = options.listen or port not in PORTS_OF_DEBIAN
    return {"LISTEN": [f"Listen {host}" for host in hosts or [str(port)]] if listens else [],
            "HOSTS": " ".join(hosts) or f"*:{port}",
            "NAMES": [f"  {'ServerAlias' if i else 'ServerName'} {name}" for i, name in enumerate(options.name)],
            "TLS": ["  SSLEngine on", f'  SSLCertificateFile "{tls[0]}"', f'  SSLCertificateKeyFile "{tls[1]}"',
                    "  SSLProtocol -all +TLSv1.2 +TLSv1.3", "  Protocols h2 http/1.1",
                    "  H2MaxSessionStreams 256"] if tls else []} | apache_live(options.live)


def apache_live(address):
    """Each request that is held takes a thread of Apache."""
    if not address:
        return {"LIVE": []}
    passed = f"http://{address}%{{REQUEST_URI}} [P,L,E=live:1]"
    return {"LIVE": ["", "  # Playlists, and media that is not there yet: tributary-origin live holds their requests, and each",
                     "  # takes one of MaxRequestWorkers.", f'  <Proxy "http://{address}">',
                     "    ProxySet retry=0 timeout=60 keepalive=On", "  </Proxy>",
                     f"  RewriteRule \\.m3u8$ {passed}", "  RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI} !-f",
                     f"  RewriteRule \\.({MEDIA})$ {passed}", "  Header unset Access-Control-Allow-Origin env=live",
                     "  Header unset Access-Control-Expose-Headers env=live"]}


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
