"""Asks the origin of a presentation everything that a client relies on."""
import http.client

from . import connection_checks, content_checks
from .exchange import UnusableUrl
from .findings import Result, Skipped, show_json, show_table
from .presentation import Presentation

FINDINGS = 5


def run(options):
    """Prints what was found; returns the exit status."""
    if options.requests < 1 or options.slow < 0:
        raise UnusableUrl("--requests is at least 1, and --slow at least 0")
    presentation = Presentation(options.check, options.cacert)
    software = presentation.server.ask(presentation.index, method="HEAD").header("Server")
    checks = {name: (ask, (presentation,)) for name, ask in content_checks.CHECKS.items()}
    checks |= {name: (ask, (presentation, options)) for name, ask in connection_checks.CHECKS.items()}
    results = [result_of(name, ask, arguments) for name, (ask, arguments) in checks.items()]
    (show_json if options.json else show_table)(presentation, software, results)
    return FINDINGS if any(result.problems for result in results) else 0


def result_of(name, ask, arguments):
    try:
        problems, note = ask(*arguments)
        return Result(name, problems, note)
    except Skipped as why:
        return Result(name, note=str(why), skipped=True)
    except (OSError, http.client.HTTPException) as error:
        return Result(name, [f"the server does not answer as HTTP says: {error!r}"])
