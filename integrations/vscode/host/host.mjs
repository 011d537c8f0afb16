// Tries the packed extension in VS Code itself: its server in a process, its window in
// Chromium. Both come from npm, into a folder of their own: node host/host.mjs [FOLDER].
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pack } from '../build.mjs';
import { build } from '../test/server.mjs';

const scratch = await mkdtemp(join(tmpdir(), 'uncoil-host-'));
const tools = process.argv[2] ?? join(scratch, 'tools');
const port = 20000 + process.pid % 20000;

/** Fetches the server, the Node that it is made for, and what drives Chromium. */
async function fetchTools() {
  if (existsSync(join(tools, 'ready'))) return;
  await mkdir(tools, { recursive: true });
  const npm = (folder, ...args) => execFileSync('npm', ['install', '--silent', '--no-fund', '--no-audit', ...args], { cwd: folder, stdio: 'inherit' });
  await writeFile(join(tools, 'package.json'), '{"private": true}');
  npm(tools, '--ignore-scripts', 'code-server@4.139.1', `node-${process.platform}-${process.arch}@24.21.0`, 'playwright-core@1.56.1');
  npm(join(tools, 'node_modules/code-server/lib/vscode'), '--ignore-scripts', '--omit=dev', '--legacy-peer-deps');
  await writeFile(join(tools, 'ready'), '');
}

/** Starts VS Code with the extension, and returns its address. */
async function start(program) {
  const node = join(tools, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  const main = join(tools, 'node_modules/code-server/lib/vscode/out/server-main.js');
  const data = join(scratch, 'data');
  await mkdir(join(data, 'data/Machine'), { recursive: true });
  await writeFile(join(data, 'data/Machine/settings.json'), JSON.stringify({ 'uncoil.path': program }));
  execFileSync(node, [main, '--server-data-dir', data, '--install-extension', await pack(scratch)], { stdio: 'ignore' });
  const server = spawn(node, [main, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms', '--server-data-dir', data], { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(scratch, 'server.log'));
  server.stdout.pipe(log);
  server.stderr.pipe(log);
  const address = `http://127.0.0.1:${port}/`;
  for (let tries = 0; ; tries++) {
    try {
      await fetch(address);
      return { server, address };
    } catch (problem) {
      if (tries === 100) throw problem;
      await sleep(300);
    }
  }
}

const document = "# Title\n\n```sh\ncurl --heder 'A: ${b}' https://h.test/\n```\n\n";

/** The text of an editor as people see it. */
const textOf = async (lines) => (await lines.innerText()).replace(/\u00a0/g, ' ');

async function tryAll(page, address, folder) {
  await page.goto(`${address}?folder=${encodeURIComponent(folder)}`);
  // Some versions ask first; the extension needs no trust.
  await page.addLocatorHandler(page.getByRole('button', { name: /I trust/ }), (button) => button.click());
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'README.md' }).dblclick({ timeout: 60000 });
  const press = (keys) => page.keyboard.press(keys);
  const input = page.locator('.quick-input-widget input').first();
  const goTo = async (line, column) => {
    await press('Control+g');
    await input.fill(`:${line}:${column}`);
    await input.press('Enter');
    await page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  };
  const command = async (name) => {
    await press('F1');
    await input.fill(`>${name}`);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  };
  const pick = async (name) => {
    await page.getByPlaceholder('Write the request as').fill(name); // not the list of commands, which is closing
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  };

  await page.locator('.squiggly-error').first().waitFor({ timeout: 60000 });
  console.log('ok: a mistake is marked');

  await page.locator('.view-lines').first().click();
  await goTo(4, 8);
  const actions = page.locator('.action-widget', { hasText: 'Did you mean' });
  for (let tries = 0; tries < 20 && !await actions.isVisible(); tries++) { // until the editor has asked the server
    await press('Control+.');
    await sleep(1000);
  }
  const offered = await actions.innerText();
  for (const title of ['Did you mean --header?', 'Convert to Python']) assert.ok(offered.includes(title), offered);
  await press('Enter');
  await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  assert.match(await textOf(page.locator('.view-lines').first()), /curl --header 'A: \$\{b\}'/);
  console.log('ok: its fix is made');

  await goTo(4, 8);
  await command('Show or Focus Hover');
  const hover = page.locator('.monaco-hover').filter({ hasText: '--header' });
  await hover.waitFor();
  assert.match(await hover.innerText(), /headers\.A/);
  await press('Escape');
  console.log('ok: an option is explained');

  await command('uncoil: Convert selection');
  await pick('python-requests');
  await page.locator('.view-lines', { hasText: 'import requests' }).waitFor();
  assert.match(await textOf(page.locator('.view-lines', { hasText: 'import requests' })), /"A": "\$\{b\}"/);
  console.log('ok: a command opens as a program');

  await page.evaluate(() => navigator.clipboard.writeText("curl -d 'a=${1:x}' https://h.test/pasted"));
  await page.locator('.tab', { hasText: 'README.md' }).click();
  await goTo(7, 1);
  await command('uncoil: Paste as code');
  await pick('python-requests');
  const pasted = page.locator('.view-lines', { hasText: 'https://h.test/pasted' });
  await pasted.waitFor();
  assert.ok((await textOf(pasted)).includes('${1:x}'), 'the text of the command is a snippet');
  console.log('ok: the clipboard is pasted as a program');
}

let server;
let browser;
try {
  await fetchTools();
  const folder = join(scratch, 'folder');
  await mkdir(folder);
  await writeFile(join(folder, 'README.md'), document);
  const program = join(scratch, 'uncoil');
  await cp(build(), program);
  let address;
  ({ server, address } = await start(program));
  const { chromium } = createRequire(join(tools, 'package.json'))('playwright-core');
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: { width: 1800, height: 1000 }, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  try {
    await tryAll(page, address, folder);
  } catch (problem) {
    await page.screenshot({ path: join(tmpdir(), 'uncoil-host.png') });
    throw problem;
  }
} finally {
  await browser?.close();
  server?.kill();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
