"""The child: forks, threads, its death, and many commands."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import uncoil
from uncoil import _process

# How many commands TestMany asks; `make nightly` asks 100,000.
MANY = int(os.environ.get("UNCOIL_MANY", "4000"))


def answer(number):
    return uncoil.convert(f"curl h.test/{number}")["url"]


def children(pid):
    """The processes that a process has started."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == pid:
                    found.append(int(entry))
        except (OSError, ValueError):
            continue
    return found


@unittest.skipUnless(hasattr(os, "fork") and os.path.isdir("/proc/self"), "needs fork and /proc")
class Forks(unittest.TestCase):
    def test_pool(self):
        uncoil.convert("curl h.test")
        own = _process._states[os.getpid()].child._process.pid
        with multiprocessing.get_context("fork").Pool(4) as pool:
            for got, want in zip(pool.map(answer, range(200), chunksize=5), range(200)):
                self.assertEqual(got, f"http://h.test/{want}")
        self.assertEqual(_process._states[os.getpid()].child._process.pid, own)
        self.assertEqual(answer(1), "http://h.test/1")

    def test_fork_during_a_call(self):
        """A fork while threads hold the lock and wait for answers."""
        stop = threading.Event()

        def ask():
            while not stop.is_set():
                answer(0)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            for number in range(20):
                pid = os.fork()
                if pid == 0:
                    signal.alarm(20)
                    os._exit(0 if answer(number) == f"http://h.test/{number}" else 1)
                self.assertEqual(os.waitpid(pid, 0)[1], 0)
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def test_forked_process_keeps_nothing(self):
        """The child of a process ends with it, though a forked process lives on."""
        script = (
            "import os, time, uncoil\n"
            "uncoil.convert('curl h.test')\n"
            "child = uncoil._process._states[os.getpid()].child._process.pid\n"
            "forked = os.fork()\n"
            "if forked == 0:\n"
            "    os.closerange(0, 3)\n"
            "    time.sleep(20)\n"
            "    os._exit(0)\n"
            "print(child, forked, flush=True)\n"
            "os._exit(0)\n"
        )
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
            child, forked = map(int, process.stdout.readline().split())
            process.wait()
            try:
                deadline = time.monotonic() + 10
                while os.path.exists(f"/proc/{child}"):
                    self.assertLess(time.monotonic(), deadline, "the child lives on")
                    time.sleep(0.02)
            finally:
                os.kill(forked, signal.SIGKILL)


class Children(unittest.TestCase):
    def test_threads(self):
        with ThreadPoolExecutor(8) as pool:
            for got, want in zip(pool.map(answer, range(500)), range(500)):
                self.assertEqual(got, f"http://h.test/{want}")

    def test_killed(self):
        for _ in range(3):
            answer(1)
            _process._states[os.getpid()].child._process.kill()
            self.assertEqual(answer(2), "http://h.test/2")

    @unittest.skipUnless(os.path.isdir("/proc/self"), "needs /proc")
    def test_one_child_and_none_left(self):
        script = "import os, uncoil\nfor _ in range(3): uncoil.convert('curl h.test')\nprint(os.getpid(), flush=True)\ninput()\n"
        with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            pid = int(process.stdout.readline())
            started = children(pid)
            self.assertEqual(len(started), 1)
            process.communicate("\n")
        self.assertFalse(os.path.exists(f"/proc/{started[0]}"))

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs signals")
    def test_interrupt(self):
        """An exception in the middle of a call leaves no answer to a later one."""

        class Interrupt(Exception):
            pass

        def interrupt(*_):
            raise Interrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        interrupted = 0
        try:
            for number in range(200):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0001 * (number % 7 + 1))
                    for _ in range(50):
                        self.assertEqual(answer(number), f"http://h.test/{number}")
                except Interrupt:
                    interrupted += 1
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
        except Interrupt:
            pass
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertGreater(interrupted, 20)
        self.assertEqual(answer(3), "http://h.test/3")


@unittest.skipUnless(os.path.isdir("/proc/self"), "needs /proc")
class Many(unittest.TestCase):
    def test_many(self):
        def resident(pid):
            with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        for number in range(MANY // 2):
            answer(number)
        child = _process._states[os.getpid()].child._process.pid
        before = resident(os.getpid()), resident(child)
        for number in range(MANY // 2):
            self.assertEqual(answer(number), f"http://h.test/{number}")
        after = resident(os.getpid()), resident(child)
        self.assertEqual(_process._states[os.getpid()].child._process.pid, child)
        self.assertLess(after[0] - before[0], 8 << 20)
        self.assertLess(after[1] - before[1], 32 << 20)


if __name__ == "__main__":
    unittest.main()
