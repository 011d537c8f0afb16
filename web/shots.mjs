// Takes screenshots of the page in every state, for people to look at.
//
//	node shots.mjs DIR [STATE,…]
//	node shots.mjs readme           writes the README's picture again
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, launch, root, serve, started } from "./browser.mjs";

const dir = process.argv[2] ?? "shots";
if (dir !== "readme") mkdirSync(dir, { recursive: true });
const built = build();
const service = await serve(built.program);
const browser = await launch();

// states by name: what leads there.
const example = (name) => async (page) => {
  await page.locator("#examples-menu > summary").click();
  await page.locator("#examples").getByRole("button", { name, exact: true }).click();
};
const view = (name, tab) => async (page) => {
  await example(name)(page);
  await page.getByRole("tab", { name: tab }).click();
  if (tab === "Code") await page.locator("#panel-code pre").waitFor();
};
const states = {
  empty: async () => {},
  request: view("Copied from a browser", "Request"),
  upload: example("Form and upload"),
  mistake: example("A mistake"),
  json: view("JSON", "JSON"),
  http: view("Form and upload", "HTTP"),
  code: view("JSON", "Code"),
  picker: async (page) => {
    await view("JSON", "Code")(page);
    await page.getByRole("combobox", { name: "Write it as" }).click();
  },
  several: example("Several requests"),
  edit: async (page) => {
    await view("Copied from a browser", "Request")(page);
    for (const name of ["PUT, change the method", "Edit the header origin", "Add a pair"]) await page.getByRole("button", { name, exact: true }).click();
  },
  "new-version": (page) => page.evaluate(() => { document.getElementById("new-version").hidden = false; }),
  link: async (page) => {
    await example("JSON")(page);
    await page.getByRole("button", { name: "Link", exact: true }).click();
  },
  hidden: async (page) => {
    await example("JSON")(page);
    await page.getByLabel("Hide secrets").check();
  },
  warnings: (page) => page.locator("#command").fill("curl -X POST -d @body.json -H 'X: $TOKEN' -H \"Y: $KEY\" https://h.test/{1,2}"),
  problem: (page) => page.goto(service.url + "problems/unknown-option"),
  problems: (page) => page.goto(service.url + "problems"),
  "not-found": (page) => page.goto(service.url + "nothing"),
};
try {
  if (process.argv[2] === "readme") {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    await page.goto(service.url);
    await started(page);
    await view("Copied from a browser", "Code")(page);
    await page.screenshot({ path: join(root, "docs", "page.png") });
  } else for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
      for (const [name, lead] of Object.entries(states)) {
        if (process.argv[3] && !process.argv[3].split(",").includes(name)) continue;
        await page.goto(service.url);
        await started(page);
        await lead(page);
        await page.waitForSelector("#answer[aria-busy=false], main:not(:has(#answer))");
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(dir, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
  service.stop();
  built.remove();
}
