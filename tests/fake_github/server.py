"""A stateful GitHub on loopback, checked against GitHub's own API description.

Say what there is (`pull`, `comment`), what goes wrong (`fails`, `limits`,
`loses_answer`, `read_only`), point a client at `url` with `token`, and look at
`comments`, `requests` and `violations` afterwards.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from tests.fake_github.contract import operation
from tests.fake_github.faults import Fault, Loss
from tests.fake_github.people import People
from tests.fake_github.routes_people import ROUTES
from tests.fake_github.state import Answer, Call, Comment, Pull, Repository, refused

_UNDESCRIBED: Final = frozenset({"/graphql"})
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})


class FakeGitHub:
    """One repository's GitHub; made by the fixture `github`."""

    def __init__(self) -> None:
        self.repository = Repository(full_name="octo/shop", id=1)
        self.token = "ghs_of-this-test"
        #: Whom the token belongs to.
        self.login = "github-actions[bot]"
        self.pulls: dict[int, Pull] = {}
        self.comments: dict[int, Comment] = {}
        #: Reviews, labels, commits and permissions.
        self.people = People()
        #: Pull requests that `commits/{sha}/pulls` forgets, as it does some forks'.
        self.unassociated: set[int] = set()
        self.requests: list[Call] = []
        #: What client or fake did against the description; the fixture wants none.
        self.violations: list[str] = []
        self._ancestors: dict[int, list[str]] = {}
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.github = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}
        )

    @property
    def repo(self) -> str:
        """The repository's "owner/name"."""
        return self.repository.full_name

    @property
    def url(self) -> str:
        """The address of its API."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Lets go of stalled requests and of the port."""
        self._stopped.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    # What there is.

    def pull(
        self,
        number: int,
        *,
        head: str = "a" * 40,
        branch: str = "feature",
        fork: str | None = None,
        state: str = "open",
        author: str | None = None,
    ) -> Pull:
        """A new pull request; `fork` is the "owner/name" that it comes from.

        Its author is the owner of the head's repository, unless said otherwise.
        """
        repository = self.repository
        if fork is not None:
            repository = Repository(full_name=fork, id=1000 + number)
        made = Pull(
            number=number,
            head=head,
            branch=branch,
            repository=repository,
            base_repository=self.repository,
            state=state,
            author=author or repository.owner,
        )
        self.pulls[number] = made
        return made

    def push(self, number: int, head: str) -> None:
        """A new head for a pull request; its old one stays in its history."""
        pull = self.pulls[number]
        self._ancestors.setdefault(number, []).append(pull.head)
        pull.head = head

    def ancestry(self, pull: Pull) -> Collection[str]:
        """The heads that a pull request had before."""
        return self._ancestors.get(pull.number, ())

    def comment(self, number: int, body: str, *, author: str = "octocat") -> Comment:
        """A new comment by anyone."""
        made = Comment(
            id=100 + len(self.comments), number=number, author=author, body=body
        )
        self.comments[made.id] = made
        return made

    def comments_of(self, number: int) -> list[Comment]:
        """A pull request's comments, the oldest first."""
        return [c for c in self.comments.values() if c.number == number]

    # What goes wrong.

    def fails(
        self,
        status: int,
        message: str = "Server Error",
        *,
        on: str = "",
        times: int = 1,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """The next matching requests are answered with this, and do nothing."""
        answer = Answer(status, refused(status, message).body, dict(headers or {}))
        self._faults.append(Fault(on=on, times=times, happens=answer))

    def limits(
        self,
        *,
        retry_after: int | None = None,
        reset: int | None = None,
        status: int = 403,
        on: str = "",
        times: int = 1,
    ) -> None:
        """The next matching requests run into a rate limit.

        `retry_after` in seconds, `reset` in seconds since the epoch; neither is how
        GitHub's secondary limits answer at their worst.
        """
        headers = {}
        if retry_after is not None:
            headers["retry-after"] = str(retry_after)
        if reset is not None:
            headers |= {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset)}
        message = "You have exceeded a secondary rate limit."
        self.fails(status, message, on=on, times=times, headers=headers)

    def loses_answer(
        self, *, on: str = "", times: int = 1, how: Loss = Loss.CUT
    ) -> None:
        """The next matching requests are not answered."""
        self._faults.append(Fault(on=on, times=times, happens=how))

    def read_only(self) -> None:
        """From now on the token may only read, as a fork's does."""
        for method in _WRITES:
            self.fails(
                403,
                "Resource not accessible by integration",
                on=f"{method} /repos",
                times=-1,
            )

    # How it is answered; called by the handler's threads.

    def answer(self, call: Call, token: str) -> Answer | None:
        """The answer to one request; None: none is sent."""
        with self._lock:
            self.requests.append(call)
            fault = next((f.happens for f in self._faults if f.takes(call)), None)
            answer = self._answer(call, token, fault)
            if not isinstance(fault, Loss):
                call.status = answer.status
                return answer
        if fault is not Loss.CUT:
            self._stopped.wait()
        return None

    def _answer(self, call: Call, token: str, fault: Answer | Loss | None) -> Answer:
        if token not in {f"Bearer {self.token}", f"token {self.token}"}:
            return refused(401, "Bad credentials")
        if isinstance(fault, Answer):
            return fault
        if fault is Loss.STALL:
            return refused(504, "never sent")
        try:
            return self._described(call)
        except Exception as error:  # noqa: BLE001 - whatever it is, the test must know
            return self._violated(call, [f"the fake itself failed: {error!r}"], 500)

    def _described(self, call: Call) -> Answer:
        if call.path in _UNDESCRIBED:
            return ROUTES[call.method, call.path](self, call)
        found = operation(call.method, call.path)
        if found is None:
            return self._violated(call, ["the description has no such operation"], 404)
        function = ROUTES.get((call.method, found.template))
        if function is None:
            return self._violated(call, ["routes.py has no function for it"], 501)
        if wrong := list(found.request_errors(call.query, call.body)):
            return self._violated(call, wrong, 422)
        call.parameters = dict(found.parameters)
        if (
            "{}/{}".format(*(call.parameters[n] for n in ("owner", "repo")))
            != self.repo
        ):
            return refused(404, "Not Found")
        answer = function(self, call)
        if wrong := list(found.answer_errors(answer.status, answer.body)):
            return self._violated(call, wrong, 500)
        return answer

    def _violated(self, call: Call, wrong: list[str], status: int) -> Answer:
        self.violations += [f"{call}: {error}" for error in wrong]
        return refused(status, wrong[0])


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    github: FakeGitHub

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a client that gave up has closed its end, and that is no news."""


class _Handler(BaseHTTPRequestHandler):
    def _any(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        parts = urlsplit(self.path)
        call = Call(
            method=self.command,
            path=parts.path,
            query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            body=json.loads(raw) if raw else None,
        )
        assert isinstance(self.server, _Server)
        token = self.headers.get("authorization", "")
        answer = self.server.github.answer(call, token)
        if answer is None:
            self.close_connection = True
            return
        content = json.dumps(answer.body).encode()
        self.send_response(answer.status)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(content)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _any  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: `FakeGitHub.requests` is the log."""
