// Runs programs for a page in Chromium: each line of standard input has the folder of one, the
// environment, and a script of a module that the page loads first. The answer is how it ended.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const modules = process.env.UNCOIL_NODE_MODULES;
const { chromium } = await import(join(modules, "playwright-core", "index.mjs"));
// The policy for other origins is off, so that a server is asked for nothing else.
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--disable-web-security", "--no-sandbox"] });

for await (const line of createInterface({ input: process.stdin })) {
	// A context has cookies, credentials and a cache of its own.
	const context = await browser.newContext();
	const said = [];
	let exit = 0;
	try {
		await run(await context.newPage(), said, JSON.parse(line));
	} catch (error) {
		said.push(String(error));
		exit = 1;
	}
	await context.close();
	console.log(JSON.stringify({ exit, output: said.join("\n") }));
}
await browser.close();

// run runs the program of a folder in a page that has an input with the files of the folder
// and answers what it is asked from the environment.
async function run(page, said, { dir, env, library }) {
	const saved = [], program = readFileSync(join(dir, "request.mjs"), "utf8");
	page.on("dialog", (asked) => asked.accept(env[asked.message()] ?? ""));
	page.on("console", (message) => said.push(message.text()));
	page.on("download", (file) => saved.push(file.saveAs(join(dir, file.suggestedFilename()))));
	const failed = new Promise((_, fail) => page.on("pageerror", fail));
	failed.catch(() => {}); // where the program has ended
	await page.setContent("<input type=file multiple>");
	await page.setInputFiles("input", readdirSync(dir, { recursive: true }).map((name) => join(dir, name)).filter((path) => statSync(path).isFile()));
	if (library) await page.addScriptTag({ path: join(modules, library) });
	await page.addScriptTag({ type: "module", content: program + "\n;globalThis.ended = true;" });
	await Promise.race([page.waitForFunction("globalThis.ended"), failed]);
	if (program.includes(".download = ") && !saved.length) await page.waitForEvent("download", { timeout: 5000 }).catch(() => {});
	await Promise.all(saved);
}
