import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pack } from '../build.mjs';

const require = createRequire(import.meta.url);
const yauzl = createRequire(require.resolve('@vscode/vsce/package.json'))('yauzl');

/** The names and sizes of what a file holds. */
function entries(file) {
  return new Promise((done, failed) => {
    yauzl.open(file, { lazyEntries: true }, (problem, zip) => {
      if (problem) return failed(problem);
      const all = new Map();
      zip.on('entry', (entry) => { all.set(entry.fileName, entry.uncompressedSize); zip.readEntry(); });
      zip.on('end', () => done(all));
      zip.on('error', failed);
      return zip.readEntry();
    });
  });
}

test('the package has the extension, its libraries, and nothing of its tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uncoil-vsix-'));
  try {
    const all = await entries(await pack(folder));
    for (const name of ['package.json', 'readme.md', 'LICENSE.txt', 'src/extension.js', 'src/commands.js', 'node_modules/vscode-languageclient/package.json', 'node_modules/vscode-jsonrpc/package.json']) {
      assert.ok(all.has(`extension/${name}`), `${name} is missing`);
    }
    for (const name of all.keys()) assert.doesNotMatch(name, /extension\/(test|host|build)|node_modules\/(@vscode|yauzl)|\.map$/);
    const size = [...all.values()].reduce((sum, n) => sum + n, 0);
    assert.ok(size < 3e6, `${size} bytes are too many`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
