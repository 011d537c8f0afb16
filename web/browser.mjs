// Starts the service and Debian's Chromium for the tests of the page.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

// build compiles the service with the page and its engine in it.
export function build() {
  const dir = mkdtempSync(join(tmpdir(), "uncoil-page-"));
  if (!existsSync(join(root, "web/engine/uncoil.wasm.br"))) throw new Error("the engine is not built: run  go generate ./web  first");
  execFileSync("go", ["build", "-o", join(dir, "uncoil"), "./cmd/uncoil"], { cwd: root, stdio: "inherit" });
  return { program: join(dir, "uncoil"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

// serve runs the service on a free port of the loopback interface.
export async function serve(program) {
  const service = spawn(program, ["serve", "-addr", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise((resolve, reject) => {
    let log = "";
    service.stderr.on("data", (data) => {
      log += data;
      const found = /127\.0\.0\.1:\d+/.exec(log);
      if (found && !found[0].endsWith(":0")) resolve(`http://${found[0]}/`);
    });
    service.on("exit", () => reject(new Error(`the service ended: ${log}`)));
  });
  return { url, stop: () => service.kill() };
}

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("Chromium is not installed: apt-get install chromium, or name it in CHROMIUM");
  return chromium.launch({
    executablePath,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}
