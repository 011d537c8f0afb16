import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { build, serve } from './server.mjs';

const { commands, languageOf, settings, sorted } = createRequire(import.meta.url)('../src/commands.js');

let session;
before(async () => { session = await serve(build(), { targets: ['python'] }); });
after(async () => { assert.equal(await session.end(), 0); });

/** An editor that does what a test says, and notes what was done to it. */
function editor({ clipboard = '', text = '', languageId = 'markdown', selections = [], pick = () => undefined, seen = true, settings: set = {} } = {}) {
  const lines = text.split('\n');
  const offset = ({ line, character }) => lines.slice(0, line).reduce((n, l) => n + l.length + 1, 0) + character;
  const done = { errors: [], warnings: [], opened: [], edits: [], picked: [] };
  const document = {
    languageId, uri: { toString: () => 'file:///a.md' },
    lineAt: (line) => ({ text: lines[line] }),
    getText: (range) => text.slice(offset(range.start), offset(range.end)),
  };
  const vscode = {
    ViewColumn: { Beside: -2 },
    env: { clipboard: { readText: async () => clipboard } },
    workspace: {
      getConfiguration: () => ({ get: (name) => set[name] }),
      openTextDocument: async (options) => { done.opened.push(options); return options; },
    },
    window: {
      activeTextEditor: selections.length > 0 ? {
        document, selections, selection: selections[0],
        edit: async (change) => { change({ replace: (where, code) => done.edits.push({ where, code }) }); return true; },
      } : undefined,
      showTextDocument: async () => {},
      showErrorMessage: async (message) => { done.errors.push(message); },
      showWarningMessage: async (message) => { done.warnings.push(message); },
      showQuickPick: async (items) => { done.picked = items; return items.find((item) => pick(item.target)); },
    },
  };
  const kept = new Map();
  const ours = commands(vscode, {
    request: (params) => session.connection.sendRequest('workspace/executeCommand', params),
    sees: () => seen,
    state: { get: (key) => kept.get(key), update: async (key, value) => { kept.set(key, value); } },
  });
  return { ours, done, kept };
}

const at = (line, character, endLine = line, endCharacter = character) => ({
  start: { line, character }, end: { line: endLine, character: endCharacter }, isEmpty: line === endLine && character === endCharacter,
});

const is = (name) => (target) => target.name === name || target.aliases.includes(name);

test('paste as code writes the command of the clipboard in place of each selection', async () => {
  const { ours, done, kept } = editor({ clipboard: "curl -d 'a=${b}' https://h.test/\n", languageId: 'python', selections: [at(0, 0), at(1, 0, 1, 4)], pick: is('python') });
  await ours.pasteAsCode();
  assert.deepEqual(done.errors, []);
  assert.equal(done.edits.length, 2);
  assert.match(done.edits[0].code, /requests\.post\(/);
  assert.match(done.edits[0].code, /\$\{b\}/); // it is text, not a place of a snippet
  assert.doesNotMatch(done.edits[0].code, /\n$/);
  assert.equal(done.picked[0].target.language, 'python');
  assert.equal(kept.get('uncoil.lastTarget'), done.picked.find((item) => is('python')(item.target)).target.name);
});

test('the target of last time stands first', async () => {
  const { ours, done } = editor({ clipboard: 'curl h.test', languageId: 'go', selections: [at(0, 0)], pick: is('rust') });
  await ours.pasteAsCode();
  await ours.pasteAsCode();
  assert.ok(is('rust')(done.picked[0].target), done.picked[0].label);
  assert.equal(done.picked[1].target.language, 'go');
});

test('what goes wrong is told', async () => {
  for (const [options, message] of [
    [{}, /no editor is open/],
    [{ selections: [at(0, 0)] }, /the clipboard is empty/],
    [{ clipboard: 'curl --heder h.test', selections: [at(0, 0)], pick: is('python') }, /no option --heder \(did you mean --header\?\)/],
  ]) {
    const { ours, done } = editor(options);
    await ours.pasteAsCode();
    assert.equal(done.errors.length, 1);
    assert.match(done.errors[0], message);
    assert.deepEqual(done.edits, []);
  }
});

test('who chooses no target gets nothing', async () => {
  const { ours, done } = editor({ clipboard: 'curl h.test', selections: [at(0, 0)] });
  await ours.pasteAsCode();
  assert.deepEqual([done.edits, done.errors, done.opened], [[], [], []]);
});

test('doubts are told with the program', async () => {
  const { ours, done } = editor({ clipboard: 'curl https://h.test/?a=1&b=2', selections: [at(0, 0)], pick: is('python') });
  await ours.pasteAsCode();
  assert.equal(done.edits.length, 1);
  assert.match(done.warnings.join(), /& ends the command/);
});

test('convert selection opens the command of a document', async () => {
  const text = '```sh\n$ curl -X PUT https://h.test/1\n```\n';
  await session.connection.sendNotification('textDocument/didOpen', { textDocument: { uri: 'file:///a.md', languageId: 'markdown', version: 1, text } });
  for (const selection of [at(1, 0), at(1, 3, 1, 9)]) {
    const { ours, done } = editor({ text, selections: [selection], pick: is('python') });
    await ours.convertSelection();
    assert.deepEqual(done.errors, []);
    assert.equal(done.opened[0].language, 'python');
    assert.match(done.opened[0].content, /requests\.put\("https:\/\/h\.test\/1"\)/);
  }
});

test('convert selection takes the text where the server does not see the document', async () => {
  const { ours, done } = editor({ text: 'x\ncurl https://h.test/2\n', languageId: 'rust', selections: [at(1, 3)], pick: is('curl'), seen: false });
  await ours.convertSelection();
  assert.deepEqual(done.errors, []);
  assert.equal(done.opened[0].language, 'shellscript');
  assert.match(done.opened[0].content, /https:\/\/h\.test\/2/);
});

test('a code action shows what its command returns', async () => {
  const { ours, done } = editor();
  await ours.show(async () => ({ code: 'x = 1\n', language: 'python', warnings: [] }));
  await ours.show(async () => { throw new Error('no curl command stands here'); });
  assert.deepEqual(done.opened, [{ language: 'python', content: 'x = 1\n' }]);
  assert.deepEqual(done.errors, ['uncoil: no curl command stands here']);
});

test('each setting has the type that the server takes', () => {
  assert.deepEqual(settings({ get: () => undefined }), { targets: [], advice: false, docs: '' });
  assert.deepEqual(settings({ get: (name) => ({ targets: ['go'], advice: true, docs: 'https://h.test' })[name] }), { targets: ['go'], advice: true, docs: 'https://h.test' });
});

test('targets keep their order but for what is wanted', () => {
  const targets = ['a', 'b', 'c', 'd', 'e'].map((name, i) => ({ name, kind: 'code', language: i < 2 ? 'python' : 'sh', aliases: [`${name}${name}`] }));
  const order = (wanted) => sorted(targets, { favourites: [], ...wanted }).map((t) => t.name).join('');
  assert.equal(order({}), 'abcde');
  assert.equal(order({ last: 'e', favourites: ['dd', 'c'] }), 'edcab');
  assert.equal(order({ language: 'shellscript', favourites: ['b'] }), 'cdeba');
  assert.equal(languageOf({ language: 'sh' }), 'shellscript');
  assert.equal(languageOf({ language: 'rust' }), 'rust');
});
