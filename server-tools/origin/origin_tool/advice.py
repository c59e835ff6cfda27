"""What to write in nginx and in Apache for each check that fails. A site of tributary-origin --nginx or --apache has
all of it."""

MEDIA = "mp4|m4s|m4v|m4a|cmfv|cmfa|ts"

ADVICE = {
    "HTTP/1.1": 2 * ("nothing: it does this by itself; look for a proxy in front of it",),
    "TLS": ("listen 443 ssl; and ssl_protocols TLSv1.2 TLSv1.3;",
            "SSLEngine on and SSLProtocol -all +TLSv1.2 +TLSv1.3 (a2enmod ssl)"),
    "ranges": ("remove max_ranges (0 turns ranges off); from behind a proxy: proxy_force_ranges on;",
               "remove MaxRanges none and RequestHeader unset Range; no filter may change media"),
    "range beyond the end": ("remove max_ranges and error_page 416", "remove MaxRanges none and ErrorDocument 416"),
    "HEAD": ("remove limit_except and if ($request_method ...) that refuse HEAD", "allow HEAD in Limit, LimitExcept "
             "and RewriteCond %{REQUEST_METHOD}"),
    "ETag and 304 of media": (
        "etag on; if_modified_since exact; and no gzip, sub_filter or add_header of an ETag for media",
        "FileETag MTime Size, no Header unset ETag, and SetEnv no-gzip 1"),
    "304 of manifests": (
        "etag on; if_modified_since exact;",
        "SetEnv no-gzip 1 (or DeflateAlterETag NoChange): the ETag of mod_deflate never matches again"),
    "no compression of media": ("gzip_types without video/* and audio/* and *",
                                f'<FilesMatch "\\.({MEDIA})$"> SetEnv no-gzip 1 </FilesMatch>, or SetEnv no-gzip 1'),
    "types": ("types { application/dash+xml mpd; application/vnd.apple.mpegurl m3u8; video/mp4 mp4 m4s m4v cmfv; "
              "audio/mp4 m4a cmfa; application/json json jsonl; }",
              "AddType application/dash+xml .mpd; AddType application/vnd.apple.mpegurl .m3u8; "
              "AddType video/mp4 .mp4 .m4s .m4v .cmfv; AddType audio/mp4 .m4a .cmfa; "
              "AddType application/json .json .jsonl (one a line, without the semicolons)"),
    "CORS": (
        'add_header Access-Control-Allow-Origin * always; add_header Access-Control-Expose-Headers '
        '"Content-Length, Content-Range, Accept-Ranges, Date, ETag" always; once, and again in each location that has '
        'an add_header of its own (416 comes doubled: see the map of $status in tributary-origin --nginx)',
        'Header always set Access-Control-Allow-Origin * and Header always set Access-Control-Expose-Headers '
        '"Content-Length, Content-Range, Accept-Ranges, Date, ETag" (a2enmod headers; "always" is for errors)'),
    "CORS preflight": (
        "if ($request_method = OPTIONS) { return 204; } and add_header Access-Control-Allow-Headers Range;",
        "RewriteEngine On, RewriteCond %{REQUEST_METHOD} =OPTIONS, RewriteRule ^ - [R=204,L] and "
        "Header always set Access-Control-Allow-Headers Range (a2enmod rewrite headers)"),
    "caching of media": (
        f'map $uri $cache_control {{ ~\\.({MEDIA})$ "public, max-age=31536000, immutable"; default no-cache; }} and '
        'add_header Cache-Control $cache_control;',
        f'<FilesMatch "\\.({MEDIA})$"> Header set Cache-Control "public, max-age=31536000, immutable" </FilesMatch>'),
    "caching of manifests": (
        "add_header Cache-Control no-cache; for m3u8, mpd and json; no expires, and open_file_cache off;",
        'Header set Cache-Control no-cache for m3u8, mpd and json; no ExpiresActive or ExpiresDefault for them'),
    "caching of errors": ("add_header Cache-Control ... without always; open_file_cache_errors off;",
                          "Header set Cache-Control ... without always"),
    "requests per connection": ("keepalive_requests 100000; keepalive_time 1d; no keepalive_disable",
                                "KeepAlive On and MaxKeepAliveRequests 0"),
    "pipelining": 2 * ("nothing: it does this by itself; look for a proxy in front of it",),
    "idle timeout": ("keepalive_timeout 75s;", "KeepAliveTimeout 75"),
    "HTTP/2": ("listen 443 ssl http2; (from 1.25.1 on: http2 on;)",
               "Protocols h2 http/1.1 (a2enmod http2; with mpm_event, not mpm_prefork)"),
    "certificate": ("ssl_certificate with the certificate and its chain (fullchain.pem) for this name, not expired",
                    "SSLCertificateFile with the certificate and its chain (fullchain.pem) for this name, not expired"),
    "clock": 2 * ("set the clock of the server, for example by chrony",),
    "blocking playlists": ("write the site anew: tributary-origin --nginx DIR --live 127.0.0.1:8089; and run tributary-origin "
                           "live DIR --listen 127.0.0.1:8089; or let the encoder not state CAN-BLOCK-RELOAD",
                           "write the site anew: tributary-origin --apache DIR --live 127.0.0.1:8089; and run tributary-origin "
                           "live DIR --listen 127.0.0.1:8089; or let the encoder not state CAN-BLOCK-RELOAD"),
    "/time": ('location = /time { default_type text/plain; return 200 "$time_iso8601\\n"; }',
              "as tributary-origin --apache writes it, and export TZ=UTC in /etc/apache2/envvars"),
}
