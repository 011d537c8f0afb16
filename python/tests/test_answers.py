"""The functions, asked through an installed wheel."""

import doctest
import os
import pickle
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import uncoil
from uncoil import uncurl

README = Path(__file__).resolve().parent.parent / "README.md"


class Documents(unittest.TestCase):
    def test_doctests(self):
        for name in ("uncoil", "uncoil.uncurl"):
            failed, tried = doctest.testmod(sys.modules[name])
            self.assertEqual(failed, 0)
            self.assertGreater(tried, 0)
        failed, tried = doctest.testfile(str(README), module_relative=False)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 10)


class Errors(unittest.TestCase):
    def test_error(self):
        with self.assertRaises(uncoil.UncoilError) as caught:
            uncoil.convert("cürl 'é' ; curl --hedaer 'A: s3cret' https://example.com")
        error = caught.exception
        self.assertEqual((error.code, error.line, error.column), ("unknown-option", 1, 17))
        self.assertEqual(error.fix, "cürl 'é' ; curl --header 'A: s3cret' https://example.com")
        self.assertNotIn("s3cret", str(error) + repr(error))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.fix, again.problem), (str(error), error.fix, error.problem))

    def test_wrong_arguments(self):
        with self.assertRaises(TypeError):
            uncoil.convert(b"curl h.test")
        with self.assertRaises(TypeError):
            uncoil.convert("curl h.test", file={"a": "b"})
        for wrong in ({"shell": "sh"}, {"entry": 0}, {"data": "json"}):
            with self.assertRaises(uncoil.UncoilError) as caught:
                uncoil.convert("curl h.test", **wrong)
            self.assertEqual(caught.exception.code, "bad-request")
        with self.assertRaises(uncoil.UncoilError) as caught:
            uncoil.code("curl h.test", to="nothing")
        self.assertEqual(caught.exception.code, "unknown-target")

    def test_text_that_is_no_text(self):
        with self.assertRaises(uncoil.UncoilError):
            uncoil.convert("curl h.test/\ud800")
        self.assertEqual(uncoil.convert("curl h.test -d '\n\u2028\U0001f600'")["data"], "\n\u2028\U0001f600")


class Answers(unittest.TestCase):
    def test_options(self):
        answer = uncoil.convert("curl -d @f -H \"A: $X\" h.test", files={"f": b"a\nb"}, env={"X": "1"}, warnings=True)
        self.assertEqual((answer["data"], answer["headers"]["A"], answer["warnings"]), ("ab", "1", []))
        self.assertEqual(uncoil.convert("curl -d @- h.test", stdin="x")["data"], "x")
        self.assertEqual(uncoil.convert("curl --json '{}' h.test", data="text")["data"], "{}")
        self.assertIn("12345678901234567890.10", uncoil.convert_text("curl --json 12345678901234567890.10 h.test"))
        program = uncoil.code("curl h.test/$ID", to="python", function="auto", decode_json=True, check_status=True)
        self.assertIn("raise_for_status", program)
        self.assertEqual(program.function["parameters"][0]["variable"], "ID")
        program = uncoil.code("curl -H 'A: b' h.test", to="curl", long_names=True)
        self.assertIn("--header", program)
        self.assertEqual((program.target, program.filename), ("curl", "request.sh"))

    def test_long_line(self):
        body = "x" * (3 << 20)
        self.assertEqual(uncoil.convert(f"curl h.test -d {body}")["data"], body)

    def test_command(self):
        for command in ([sys.executable, "-m", "uncoil"], [os.path.join(os.path.dirname(sys.executable), "uncoil")]):
            out = subprocess.run([*command, "convert", "curl h.test"], check=True, capture_output=True, text=True).stdout
            self.assertEqual(out, uncoil.convert_text("curl h.test") + "\n")


class Uncurl(unittest.TestCase):
    def test_context(self):
        command = "curl -k -x proxy.test:8080 -U u:p -u ann:pw -b 'a=1; b=2' -H 'Cookie: c=3' -H 'A: b' https://h.test -F x=y"
        context = uncurl.parse_context(command)
        self.assertEqual((context.method, context.url, context.verify), ("post", "https://h.test", True))
        self.assertEqual(context.auth, ("ann", "pw"))
        self.assertEqual(context.proxy["https"], "http://u:p@proxy.test:8080")
        self.assertEqual(context.headers["A"], "b")
        self.assertIn('name="x"', context.data)
        self.assertTrue(context.headers["Content-Type"].startswith("multipart/form-data; boundary="))
        self.assertEqual(context.cookies, {"c": "3"})  # curl leaves out those of -b (Curl_http_cookies, http.c)

    def test_text_never_acts(self):
        for text in ("'", '"', "\\", '"""', "');import os;os.abort()#", "{x}", "\n", "\x7f", "é\u2028", "\\N{DIGIT ONE}", "\r\n"):
            quoted = "'" + text.replace("'", "'\\''") + "'"
            program = uncurl.parse(f"curl h.test --data-raw {quoted}", hooks=text)
            seen = {}
            requests = type("requests", (), {"post": staticmethod(lambda *args, **kwargs: seen.update(kwargs))})
            eval(program, {"requests": requests})
            data = seen["data"]
            self.assertEqual(data if isinstance(data, str) else data.decode(), text)
            self.assertEqual(seen["hooks"], text)

    def test_no_place(self):
        with self.assertWarnsRegex(uncoil.UncoilWarning, "followRedirects"):
            uncurl.parse_context("curl -L h.test")
        with self.assertWarnsRegex(uncoil.UncoilWarning, "auth"):
            uncurl.parse("curl --digest -u a:b h.test")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            uncurl.parse("curl --compressed -u a:b h.test")

    def test_other_method(self):
        self.assertTrue(uncurl.parse("curl -X PURGE h.test").startswith('requests.request(\n    "PURGE",\n    "http://h.test",\n'))


if __name__ == "__main__":
    unittest.main()
