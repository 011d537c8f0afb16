// The page in a real browser: what it answers, marks, hides, copies, and that
// it sends nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, check, clipboard, complaints, example, open, page, paste, requests, service, tab } from "../harness.mjs";

// marked returns the text under each wavy line.
const marked = () => page.$$eval("#marks mark", (marks) => marks.map((mark) => [mark.classList[0], mark.textContent]));

// converted returns the text of the JSON tab.
async function converted() {
  await tab("JSON");
  return page.locator("#panel-json pre").innerText();
}

// What curl sends for each of the examples, by curl's manual and not by what
// the page says.
const want = {
  "JSON": { method: "POST", url: "https://api.example.com/users",
    headers: { Authorization: "Bearer eyJhbGciOiJub25lIn0.e30.", "Content-Type": "application/json", Accept: "application/json" },
    shell: "bash, zsh, sh", http: /^POST \/users HTTP\/1\.1\nHost: api\.example\.com\n/ },
  "Form and upload": { method: "POST", url: "https://api.example.com/me",
    headers: { Authorization: "Basic " + btoa("ann:secret"), "Content-Type": "multipart/form-data" },
    data: { note: { value: "Hello, Ann", contentType: "text/markdown" }, avatar: { file: "me.png", filename: "me.png", contentType: "image/png" } },
    shell: "bash, zsh, sh", http: null },
  "Copied from a browser": { method: "PUT", url: "https://shop.example.com/cart/items?lang=en&currency=EUR",
    headers: { Cookie: "session=8f14e45f; theme=dark", accept: "application/json", "accept-language": "en-GB,en;q=0.9",
      "content-type": "application/x-www-form-urlencoded", origin: "https://shop.example.com", "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" },
    data: "item=42&count=2&note=gift%20wrap", shell: "bash, zsh, sh", http: /\n\nitem=42&count=2&note=gift%20wrap$/ },
  "bash script": { method: "POST", url: "https://api.example.com/notes",
    headers: { Authorization: "Bearer abc123", "Content-Type": "application/x-www-form-urlencoded" },
    data: { text: "It's here", tags: ["a", "b"] }, shell: "bash, zsh, sh", http: /^POST \/notes HTTP/ },
  "cmd.exe": { method: "POST", url: "https://api.example.com/orders?dry-run=true&lang=en",
    headers: { "Content-Type": "application/json", "X-Api-Key": "0123456789" },
    data: { item: "desk lamp", count: 2 }, shell: "cmd.exe", http: /\n\n\{"item": "desk lamp", "count": 2\}$/ },
  "PowerShell": { method: "PATCH", url: "https://api.example.com/orders/7",
    headers: { Accept: "application/json", "Content-Type": "application/x-www-form-urlencoded" },
    data: "comment=right+on+time", shell: "PowerShell", http: /\n\ncomment=right\+on\+time$/ },
  "Invoke-WebRequest": { method: "POST", url: "https://api.example.com/search?q=coil",
    headers: { Accept: "application/json", "X-Trace": "1", "Content-Type": "application/json" },
    data: { page: 2 }, shell: "PowerShell", http: /\n\n\{"page": 2\}$/ },
};

test("each example has the right answer in each view", async () => {
  const names = await page.$$eval("#examples button", (buttons) => buttons.map((button) => button.textContent));
  assert.deepEqual(names, [...Object.keys(want), "Several requests", "A mistake"]);
  for (const [name, { shell, http, ...expected }] of Object.entries(want)) {
    await tab("Request");
    await example(name);
    await answered();
    assert.equal(await page.locator("#panel-request h3 .method").innerText(), expected.method, name);
    assert.equal(await page.locator("#panel-request h3 .url").innerText(), expected.url, name);
    assert.equal(await page.locator("#shell option:checked").innerText(), `${shell} (detected)`, name);
    const text = await converted();
    const got = JSON.parse(text);
    assert.deepEqual(Object.keys(got), ["method", "url", "headers", "data"], name);
    if (name === "JSON") {
      assert.match(text, /"id": 12345678901234567890\n/, "digits stay");
      delete got.data;
    }
    assert.deepEqual(got, expected, name);
    await tab("HTTP");
    if (http) assert.match((await page.locator("#panel-http pre").innerText()).trimEnd(), http, name);
    else assert.match(await page.locator("#panel-http").innerText(), /A note in brackets marks[\s\S]+POST \/me HTTP\/1\.1[\s\S]+\[content of me\.png\]/, name);
  }
});

test("what is pasted is answered as the service answers it", async () => {
  for (const command of [
    `curl -H 'A: b' -d '{"n":1.50,"n":2}' http://h.test`,
    "curl -b a=1 -X PURGE h.test/ü?q=é",
    "curl 'http://h.test/😀' -A 'x\"y'",
  ]) {
    await paste(command);
    const shown = await converted();
    // This request is the test's own, not the page's.
    const response = await fetch(service.url + "api/convert", { method: "POST", headers: { "Content-Type": "text/plain" }, body: command });
    const compact = (text) => text.replace(/\s+(?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)/g, "");
    assert.equal(compact(shown), compact(await response.text()), command);
  }
});

test("the readable view tells where things come from", async () => {
  await example("Copied from a browser");
  await answered();
  const rows = await page.$$eval("table[aria-label=Headers] tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows[0], ["Cookie", "session=8f14e45f; theme=dark", "-b", "Edit"]);
  assert.deepEqual(await page.$$eval("table[aria-label=Query] tbody tr", (rows) => rows.map((row) => row.innerText)), ["lang\ten\tEdit", "currency\tEUR\tEdit"]);
  assert.deepEqual(await page.$$eval("table[aria-label='Form data'] tbody tr", (rows) => rows.map((row) => row.innerText)), ["item\t42", "count\t2", "note\tgift wrap"]);
  assert.match(await page.locator("table[aria-label=Options]").innerText(), /compressed\tyes/);
  await example("Several requests");
  await answered();
  assert.equal(await page.locator("#panel-request article").count(), 4);
  await tab("JSON");
  const list = JSON.parse(await page.locator("#panel-json pre").innerText());
  assert.deepEqual(list.map(({ method, url }) => `${method} ${url}`),
    ["HEAD https://example.com/page1.html", "HEAD https://example.com/page2.html", "HEAD https://example.com/page3.html", "POST https://example.com/log"]);
  // One of them can be chosen in every view.
  await page.locator("#which [data-number='4']").click();
  await answered();
  assert.equal(JSON.parse(await page.locator("#panel-json pre").innerText()).url, "https://example.com/log");
  await tab("HTTP");
  assert.match(await page.locator("#panel-http").innerText(), /^POST \/log HTTP\/1\.1\n/);
  await tab("Request");
  assert.equal(await page.locator("#panel-request article").count(), 1);
  await example("JSON");
  await answered();
  assert.ok(!await page.locator("#which").isVisible());
});

test("each entry of a long recording can be chosen", async () => {
  const entries = Array.from({ length: 80 }, (_, i) => ({ request: { method: "GET", url: `https://h.test/entry${i + 1}`, httpVersion: "HTTP/1.1", headers: [], queryString: [], cookies: [] } }));
  await paste(JSON.stringify({ log: { version: "1.2", creator: { name: "t", version: "1" }, entries } }));
  const rows = page.locator("#which [data-number]");
  const row = (number) => page.locator(`#which [data-number="${number}"]`);
  assert.equal(await rows.count(), 81);
  await row(0).click();
  await page.locator("#panel-request", { hasText: "60 more are not shown" }).waitFor();
  await row(77).click();
  await answered();
  assert.deepEqual(await page.locator("#panel-request h3 .url").allInnerTexts(), ["https://h.test/entry77"]);
  assert.match(await page.locator("#panel-request").innerText(), /Request 77 of 80/);
  assert.equal(JSON.parse(await converted()).url, "https://h.test/entry77");
  await tab("HTTP");
  assert.match(await page.locator("#panel-http").innerText(), /^GET \/entry77 HTTP\/1\.1\n/);
  await tab("Code");
  await page.locator("#panel-code pre", { hasText: "h.test/entry77" }).waitFor();
  const listed = () => rows.evaluateAll((rows) => rows.map((row) => row.innerText.replace(/\s+/g, " ").trim()));
  assert.equal((await listed())[77], "77 GET – – /entry77 h.test");
  await page.getByLabel("Filter the requests").fill("get ENTRY42");
  assert.deepEqual(await listed(), ["All 80 requests", "42 GET – – /entry42 h.test"]);
  await row(42).click();
  await page.locator("#panel-code pre", { hasText: "h.test/entry42" }).waitFor();
  await page.getByLabel("Filter the requests").fill("");
  await row(0).click();
  await answered();
  await tab("Request");
  assert.equal(await page.locator("#panel-request article").count(), 20);
});

test("errors and warnings are underlined at their characters", async () => {
  await example("A mistake");
  await answered();
  assert.deepEqual(await marked(), [["error", "--hedaer"]]);
  assert.match(await page.locator("#problems").innerText(), /Error\s+2:3\s+curl has no option --hedaer\s+did you mean --header\?/);
  assert.equal(await page.locator("#command").getAttribute("aria-invalid"), "true");

  const cases = [
    ["curl -H 'Ä😀: ü' --hedaer x h.test", ["error", "--hedaer"]], // bytes, characters and UTF-16 differ
    ["curl h.test/😀 'x", ["error", "'"]],
    ["curl", ["error", "curl"]],
    ["curl -d", ["error", "-d"]],
    ["curl -H \"A: $TOKEN\" h.test", ["advised", "\"A: $TOKEN\""]],
    ["curl \\\n  -X\n", ["error", "-X"]],
  ];
  for (const [command, expected] of cases) {
    await paste(command);
    assert.deepEqual((await marked())[0], expected, command);
  }

  // The line must lie under the very characters of the box, wrapped or not.
  await open({ width: 390 });
  await paste(`curl 'https://h.test/${"a-long-path/".repeat(20)}' -H 'Accept: application/json' --hedaer 'x: y' -H '${"words ".repeat(30)}'`);
  const [mark, text] = await page.evaluate(() => {
    const box = document.getElementById("command");
    const rect = document.querySelector("#marks mark").getBoundingClientRect();
    // A copy of the box as plain text tells where it draws the characters.
    const copy = document.createElement("div");
    const style = getComputedStyle(box);
    for (const name of ["font", "padding", "lineHeight", "letterSpacing", "whiteSpace", "overflowWrap", "wordBreak", "tabSize"]) copy.style[name] = style[name];
    const at = box.getBoundingClientRect();
    Object.assign(copy.style, { position: "absolute", boxSizing: "border-box", left: `${at.left + scrollX}px`, top: `${at.top + scrollY}px`, width: `${box.clientWidth}px` });
    copy.textContent = box.value;
    document.body.append(copy);
    const range = document.createRange();
    const start = box.value.indexOf("--hedaer");
    range.setStart(copy.firstChild, start);
    range.setEnd(copy.firstChild, start + "--hedaer".length);
    const found = range.getBoundingClientRect();
    copy.remove();
    return [rect, found].map(({ left, top, width }) => ({ left, top, width }));
  });
  for (const side of ["left", "top", "width"]) assert.ok(Math.abs(mark[side] - text[side]) < 3, `${side}: ${mark[side]} and ${text[side]}`);
  // Both layers have the same height, so that they wrap alike.
  assert.ok(await page.evaluate(() => document.getElementById("command").scrollHeight <= document.getElementById("marks").offsetHeight + 1));
});

test("the place of a problem can be shown", async () => {
  await example("A mistake");
  await answered();
  await page.getByRole("button", { name: "2:3, show the position" }).click();
  assert.equal(await page.evaluate(() => { const box = document.activeElement; return box.value.slice(box.selectionStart, box.selectionEnd); }), "--hedaer");
});

test("the shell can be chosen", async () => {
  await paste('curl "http://h.test/%5Ea^&b"');
  await page.getByLabel("Shell", { exact: true }).selectOption("cmd");
  await answered();
  assert.equal(await page.locator("#shell option:checked").innerText(), "cmd.exe");
  await paste("curl http://h.test/a^^b");
  assert.match(await converted(), /"url": "http:\/\/h\.test\/a\^b"/);
  await page.getByLabel("Shell", { exact: true }).selectOption("posix");
  await answered();
  assert.match(await page.locator("#panel-json pre").innerText(), /"url": "http:\/\/h\.test\/a\^\^b"/);
});

test("after loading, nothing goes over the network", async () => {
  // The service worker loads what the page needs without a network.
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  assert.ok(requests.some((line) => line.endsWith("uncoil.wasm")), "the engine was loaded");
  assert.ok(requests.every((line) => line.startsWith(`GET ${service.url}`)), "all from the service itself");
  requests.length = 0;
  for (const name of [...Object.keys(want), "A mistake"]) {
    await example(name);
    await answered();
    for (const view of ["JSON", "HTTP", "Request"]) await tab(view);
  }
  await page.getByLabel("Hide secrets").check();
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByLabel("Hide secrets").uncheck();
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await paste("curl -u ann:hunter2 http://h.test/");
  await page.locator("#command").pressSequentially(" -H 'A: b'", { delay: 20 });
  await page.waitForTimeout(500);
  assert.deepEqual(requests, []);
  // And the policy would not let it.
  const refused = await page.evaluate(() => fetch("https://h.test/").then(() => false, () => true));
  assert.ok(refused);
  assert.ok(complaints.some((text) => text.includes("Content Security Policy")));
  complaints.length = 0;
  assert.deepEqual(await page.evaluate(() => [localStorage.length, document.cookie]), [0, ""]);
});

test("secrets are hidden where they are shown and copied", async () => {
  const secrets = ["hunter2", "t0ken", "c00kie", "s3cret", btoa("ann:hunter2")];
  await paste(`curl -u ann:hunter2 -b 'sid=c00kie' -H 'X-Api-Key: t0ken' --json '{"password":"s3cret","id":7}' 'https://h.test/?q=plain'`);
  await page.getByLabel("Hide secrets").check();
  await answered();
  for (const view of ["Request", "JSON", "HTTP"]) {
    await tab(view);
    const shown = await page.locator("main").innerText();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied", { exact: true }).first().waitFor();
    const copied = await clipboard();
    await page.getByRole("button", { name: "Copy" }).waitFor();
    for (const secret of secrets) {
      assert.ok(!shown.includes(secret), `${view} shows ${secret}`);
      assert.ok(!copied.includes(secret), `${view} copies ${secret}`);
    }
    assert.ok(copied.includes("plain") && copied.includes("•••"), `${view} copies ${copied}`);
  }
  assert.equal(await page.locator("#marks").innerText().then((text) => text.replaceAll("\u200b", "")),
    `curl -u ann:••••••• -b 'sid=••••••' -H 'X-Api-Key: •••••' --json '{"password":"••••••","id":7}' 'https://h.test/?q=plain'`);
  assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById("command")).color), "rgba(0, 0, 0, 0)");
  // A text with an error tells nothing of its secrets, so all of it is hidden.
  await paste("curl -u ann:hunter2 --hedaer x h.test");
  assert.match(await page.locator("#marks").innerText(), /^[•\s\u200b]+$/);
  // No link is made of it.
  await page.getByRole("button", { name: "Link", exact: true }).click();
  assert.equal(await page.evaluate(() => location.hash), "#view=http");
  await page.getByLabel("Hide secrets").uncheck();
  await answered();
  assert.ok((await page.locator("#marks").innerText()).includes("hunter2"));
});

test("each view is copied as it is", async () => {
  await example("JSON");
  await answered();
  const copyOf = async (view) => {
    await tab(view);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied", { exact: true }).first().waitFor();
    const text = await clipboard();
    await page.getByRole("button", { name: "Copy" }).waitFor();
    return text;
  };
  assert.match(await copyOf("JSON"), /"id": 12345678901234567890/);
  assert.match(await copyOf("Request"), /^POST https:\/\/api\.example\.com\/users\nAuthorization: Bearer [\s\S]+\n\n\{"name": "Ann", "id": 12345678901234567890\}\n$/);
  assert.match(await copyOf("HTTP"), /^POST \/users HTTP\/1\.1\r\nHost: api\.example\.com\r\n/);
});

test("a link is made on request only, and works", async () => {
  const command = "curl -d 'ü=1&b=2#3+4' \\\n  'http://h.test/😀'";
  await paste(command);
  assert.equal(await page.evaluate(() => location.hash), "#view=request");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.getByText("Copied", { exact: true }).first().waitFor();
  const address = await clipboard();
  assert.ok(address.startsWith(service.url + "#curl="), address);
  assert.equal(await page.getByLabel("This address contains").inputValue(), address);
  await page.locator("#command").press("End");
  await page.keyboard.type(" ");
  assert.equal(await page.evaluate(() => location.hash), "#view=request", "the address no longer fits the text");
  await open({ url: address, view: null });
  await answered();
  assert.equal(await page.locator("#command").inputValue(), command);
  assert.match(await converted(), /"data": "ü=1&b=2#3\+4"/);
});

test("it all works by keyboard", async () => {
  await page.locator("#command").focus();
  await page.keyboard.type("curl h.test");
  await answered();
  const seen = new Set();
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
  }
  for (const id of ["shell", "tab-request", "hide", "copy", "link", "panel-request"]) assert.ok(seen.has(id), `${id} is reached by Tab: ${[...seen]}`);
  await page.locator("#tab-request").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-http");
  assert.ok(await page.locator("#panel-http").isVisible());
  await page.keyboard.press("End");
  assert.ok(await page.locator("#panel-json").isVisible());
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#panel-code").isVisible());
  await page.locator("#status").filter({ hasText: "GET http://h.test" }).waitFor({ state: "attached" });
});

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]]) {
  test(`no accessibility errors at ${width} pixels, ${colorScheme}`, async () => {
    await open({ width, height: 844, colorScheme });
    await check("empty");
    for (const name of ["Form and upload", "Copied from a browser", "bash script", "Several requests", "A mistake"]) {
      await tab("Request");
      await example(name);
      await answered();
      for (const view of ["Request", "Code", "JSON", "HTTP"]) {
        await tab(view);
        if (view === "Code" && name !== "A mistake") await page.locator("#panel-code pre").waitFor();
        await check(`${name}, ${view}`);
      }
    }
    await example("JSON");
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByLabel("Hide secrets").check();
    await answered();
    await check("hidden");
  });
}

test("the engine is asked again after it fails", async () => {
  // A question that never ends is not known; a worker that dies is like it.
  await example("JSON");
  await answered();
  const workers = page.workers();
  assert.equal(workers.length, 2, "one for the answers, one for the code");
  await workers[0].evaluate(() => { postMessage({ ended: true }); });
  await example("PowerShell");
  await page.locator("#panel-request .url", { hasText: "orders/7" }).waitFor();
});

test("a long text is answered too, and only its beginning laid out", async () => {
  const fill = (text) => page.evaluate((text) => {
    const box = document.getElementById("command");
    box.value = text;
    box.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
  }, text);
  await fill(`curl -H 'Content-Type: text/plain' -d '${"x".repeat(900_000)}' http://h.test/`);
  await page.locator("#panel-request .url", { hasText: "http://h.test/" }).waitFor();
  assert.ok((await page.locator("#panel-request").innerText()).includes("and 800000 more characters"));
  await fill(`curl -d '${"token=abc&".repeat(3_000)}' http://h.test/many`);
  await page.locator("#panel-request .url", { hasText: "http://h.test/many" }).waitFor();
  assert.equal(await page.locator("table[aria-label='Form data'] tbody tr").count(), 500);
  assert.match(await page.locator("caption").innerText(), /The first 500 of 3000/);
});
