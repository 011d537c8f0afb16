"""What requests and httpx send of the objects, beside what curl sends."""

import contextlib
import http.server
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
import warnings

import uncoil
from uncoil import uncurl

try:
    import httpx
    import requests
except ImportError:
    httpx = requests = None

# HOST stands for the server. Files are those of FILES.
COMMANDS = (
    "curl HOST",
    "curl -I HOST/a",
    "curl -X DELETE HOST/a%20b?c=d%2Fe",
    "curl HOST/a -G --data-urlencode 'q=a b&c' -d x=y",
    "curl HOST -d 'a=1&b=2' -d c=é",
    "curl HOST -d ''",
    "curl HOST --json '{\"a\": 1.10, \"b\": \"é\"}'",
    "curl HOST -H 'Content-Type: application/json' --data-raw '{\"@\": \"a\\n\"}'",
    "curl HOST --data-binary @bytes -H 'Content-Type: image/png'",
    "curl HOST -T bytes -H 'X-One: 1'",
    "curl HOST -u 'ann:p w:é'",
    "curl HOST --oauth2-bearer token",
    "curl HOST -b 'a=1; b=\"2\"' -A agent -e HOST/before -r 0-9",
    "curl HOST -b a=1 -H 'Cookie: c=3'",
    "curl HOST -H 'X-Empty;' -H 'Accept: text/plain' -H 'X-Two: a:b'",
    "curl HOST -F a=b -F 'c=é;type=text/plain' -F d=@text",
    "curl HOST -F p=@bytes -F 'q=x;headers=\"X-Y: z\"'",
    "curl -X PURGE HOST/cache",
    "curl HOST/redirect",
)
FILES = {"bytes": b"\x89PNG\x00\xff", "text": b"line\r\n\xc3\xa9"}

# Fields that a client has of its own unless a command sets them.
OWN = {"user-agent": ("curl/", "python-"), "accept": ("*/*",), "accept-encoding": ("",), "connection": ("",), "expect": ("",)}


class Recorder(http.server.BaseHTTPRequestHandler):
    """Keeps what arrives, and answers a redirect that nobody is to follow."""

    protocol_version = "HTTP/1.1"

    def record(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.seen.append((self.command, self.path, self.headers.items(), body))
        self.send_response(302 if self.path == "/redirect" else 200)
        self.send_header("Location", "/followed")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.record
        raise AttributeError(name)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def recorder():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as server:
        server.seen = []
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def meaning(request):
    """A request without what differs from client to client: own fields, boundaries, quotes around tokens."""
    method, path, fields, body = request
    headers = {}
    for name, value in fields:
        name = name.lower()
        if name in OWN and value.startswith(OWN[name]) or name in ("host", "content-length") and not body:
            continue
        headers[name] = value
    boundary = re.search(r'boundary="?([^";]+)', headers.get("content-type", ""))
    if boundary:
        headers["content-type"] = "multipart/form-data"
        body = parts(body, boundary[1])
        headers.pop("content-length")
    return method, path, headers, body


def parts(body, boundary):
    """The parts of a form, each as the lines of its head, in any order, and its content."""
    found = []
    for part in body.split(b"--" + boundary.encode())[1:-1]:
        head, _, content = part[2:-2].partition(b"\r\n\r\n")
        found.append((sorted(head.lower().split(b"\r\n")), content))
    return found


@unittest.skipIf(requests is None or not shutil.which("curl"), "requests, httpx or curl is not installed")
class Wire(unittest.TestCase):
    def check(self, send, commands=COMMANDS):
        with recorder() as server, self.files() as folder:
            host = f"http://127.0.0.1:{server.server_address[1]}"
            for command in commands:
                command = command.replace("HOST", host)
                del server.seen[:]
                subprocess.run(["sh", "-c", command], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", uncoil.UncoilWarning)
                    send(command)
                self.assertEqual(len(server.seen), 2, command)
                self.assertEqual(meaning(server.seen[1]), meaning(server.seen[0]), command)

    @contextlib.contextmanager
    def files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in FILES.items():
                (pathlib.Path(folder) / name).write_bytes(content)
            yield folder

    def test_requests(self):
        def send(command):
            with requests.Session() as session:
                session.trust_env = False
                request = uncoil.to_requests(command, files=FILES)
                session.send(session.prepare_request(request), allow_redirects=False)

        self.check(send)

    def test_httpx(self):
        def send(command):
            with httpx.Client(trust_env=False) as client:
                client.send(uncoil.to_httpx(command, files=FILES))

        self.check(send)

    def test_uncurl(self):
        def send(command):
            program = uncurl.parse(command, allow_redirects=False)
            eval(program, {"requests": requests})

        self.check(send, [command for command in COMMANDS if not any(name in command for name in FILES)])


if __name__ == "__main__":
    unittest.main()
