"""The objects of requests and httpx, and what a server would read of them."""

import unittest
import warnings

import uncoil

try:
    import httpx
    import requests
except ImportError:
    httpx = requests = None


@unittest.skipIf(requests is None, "requests or httpx is not installed")
class Objects(unittest.TestCase):
    def both(self, command, **options):
        """Yield what both clients would send: the method, the URL, the header fields and the body."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            prepared = uncoil.to_requests(command, **options).prepare()
            sent = uncoil.to_httpx(command, **options)
        body = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body
        yield prepared.method, prepared.url, prepared.headers, body or b""
        yield sent.method, str(sent.url), sent.headers, sent.read()

    def test_bodies(self):
        for command, options, want in (
            ("curl h.test -d a=1", {}, b"a=1"),
            ("curl h.test --json '{\"a\": 1.10}'", {}, b'{"a": 1.10}'),
            ("curl h.test -d é", {}, "é".encode()),
            ("curl h.test --data-binary @f", {"files": {"f": b"\xff\x00"}}, b"\xff\x00"),
            ("curl h.test", {}, b""),
            ("curl -X POST h.test", {}, b""),
        ):
            for _, _, headers, body in self.both(command, **options):
                self.assertEqual(body, want)

    def test_heads(self):
        for method, url, headers, _ in self.both("curl -X PUT -H 'A: 1' -H 'A: 2' -u a:b -b c=d 'https://h.test/x?y=z'"):
            self.assertEqual((method, url), ("PUT", "https://h.test/x?y=z"))
            self.assertEqual((headers["A"], headers["Authorization"], headers["Cookie"]), ("1, 2", "Basic YTpi", "c=d"))

    def test_forms(self):
        command = "curl h.test -F a=b -F 'f=@p.png;headers=\"X: y\"'"
        for content in (b"text", b"\x89PNG\xff"):
            for _, _, headers, body in self.both(command, files={"p.png": content}):
                kind, _, boundary = headers["Content-Type"].partition("; boundary=")
                self.assertEqual(kind, "multipart/form-data")
                parts = body.split(b"--" + boundary.encode())
                self.assertEqual(len(parts), 4)
                self.assertIn(b'name="a"', parts[1])
                self.assertTrue(parts[1].endswith(b"\r\n\r\nb\r\n"))
                self.assertIn(b'name="f"; filename="p.png"', parts[2])
                self.assertIn(b"Content-Type: image/png", parts[2])
                self.assertIn(b"X: y", parts[2])
                self.assertTrue(parts[2].endswith(b"\r\n\r\n" + content + b"\r\n"))

    def test_digest(self):
        request = uncoil.to_requests("curl --digest -u ann:pw h.test")
        self.assertEqual(request.auth, requests.auth.HTTPDigestAuth("ann", "pw"))
        with self.assertWarnsRegex(uncoil.UncoilWarning, "no place for auth"):
            uncoil.to_httpx("curl --digest -u ann:pw h.test")

    def test_no_place(self):
        for convert in (uncoil.to_requests, uncoil.to_httpx):
            with self.assertWarnsRegex(uncoil.UncoilWarning, "insecure, proxy") as caught:
                convert("curl -k -x p.test:1 h.test")
            self.assertEqual(caught.filename, __file__)
            with self.assertWarnsRegex(uncoil.UncoilWarning, "curl sends this method as it is typed"):
                convert("curl -X post h.test -d a")

    def test_errors(self):
        for command, code in (
            ("curl h.test h2.test", "multiple-requests"),
            ("curl -d @f h.test", "file-not-supplied"),
            ("curl --ntlm -u a:b h.test", "computed-auth"),
            ("curl --nothing h.test", "unknown-option"),
        ):
            for convert in (uncoil.to_requests, uncoil.to_httpx):
                with self.assertRaises(uncoil.UncoilError) as caught:
                    convert(command)
                self.assertEqual(caught.exception.code, code)


if __name__ == "__main__":
    unittest.main()
