"""Asks the origin of a presentation everything that a client relies on."""
import ssl

from . import connection_checks, content_checks, live_checks
from .exchange import NoTimeLeft, ProtocolError, Server, UnusableUrl, without_secrets
from .findings import Result, Skipped, show_json, show_table
from .presentation import Presentation

FINDINGS = 5
LONGEST_S = 86400
NO_TIME = "no time was left for it (--within)"


def run(options):
    """Prints what was found; returns the exit status."""
    if options.requests < 1 or not 0 <= options.slow <= LONGEST_S or not 0 < options.within <= LONGEST_S:
        raise UnusableUrl(f"--requests is at least 1, --slow from 0 to {LONGEST_S}, and --within from 1")
    url, software = without_secrets(options.check), ""
    try:
        server = Server(options.check, options.cacert, options.within + options.slow)
        presentation = Presentation(server, options.check)
        url, software = presentation.url, server.ask(presentation.index, method="HEAD").header("Server")
        results = results_of(presentation, options)
    except ProtocolError as error:
        results = [Result(error.subject, [str(error)])]
    except NoTimeLeft:
        results = [Result(ProtocolError.subject, [too_late(options)])]
    (show_json if options.json else show_table)(url, software, results)
    return FINDINGS if any(result.problems for result in results) else 0


def results_of(presentation, options):
    checks = {name: (ask, (presentation,)) for name, ask in content_checks.CHECKS.items()}
    checks |= {name: (ask, (presentation, options)) for name, ask in (connection_checks.CHECKS | live_checks.CHECKS).items()}
    results, is_late = [], False
    for name, (ask, arguments) in checks.items():
        try:
            results.append(Result(name, note=NO_TIME, skipped=True) if is_late else result_of(name, ask, arguments))
        except NoTimeLeft:
            is_late = True
            results.append(Result(name, [too_late(options)]))
    return results


def result_of(name, ask, arguments):
    try:
        problems, note = ask(*arguments)
        return Result(name, problems, note)
    except Skipped as why:
        return Result(name, note=str(why), skipped=True)
    except (ProtocolError, UnusableUrl, ssl.SSLCertVerificationError) as error:
        return Result(name, [str(error)])


def too_late(options):
    return f"it had not ended when {options.within:g} s were over (--within)"
