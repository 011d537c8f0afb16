import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { afterEach, test } from 'node:test';

const require = createRequire(import.meta.url);
const Module = require('node:module');
const manifest = require('../package.json');

/** Loads the extension with an editor and a client that are not there. */
function load({ fails, settings = {} } = {}) {
  const seen = { registered: new Map(), clients: [], errors: [], executed: [], opened: [] };
  const vscode = {
    ViewColumn: { Beside: -2 },
    commands: {
      registerCommand: (name, run) => { seen.registered.set(name, run); return { dispose() {} }; },
      executeCommand: async (...args) => { seen.executed.push(args); },
    },
    languages: { match: () => 1 },
    window: { showErrorMessage: async (message, button) => { seen.errors.push(message); return button; }, showTextDocument: async () => {} },
    workspace: {
      getConfiguration: () => ({ get: (name) => settings[name] }),
      onDidChangeConfiguration: (changed) => { seen.changed = changed; return { dispose() {} }; },
      openTextDocument: async (options) => { seen.opened.push(options); },
    },
  };
  class LanguageClient {
    constructor(id, name, program, options) { Object.assign(this, { program, options, sent: [], stopped: 0 }); seen.clients.push(this); }
    async start() { if (fails) throw new Error('spawn uncoil ENOENT'); }
    async stop() { this.stopped++; }
    async sendNotification(...message) { this.sent.push(message); }
  }
  const original = Module._load;
  Module._load = (name, ...rest) => ({ vscode, 'vscode-languageclient/node': { LanguageClient } })[name] ?? original(name, ...rest);
  for (const name of ['extension', 'commands']) delete require.cache[require.resolve(`../src/${name}.js`)];
  const extension = require('../src/extension.js');
  Module._load = original;
  const context = { subscriptions: [], globalState: new Map() };
  extension.activate(context);
  loaded = extension;
  return { seen, extension };
}

let loaded;
afterEach(() => loaded.deactivate());
const settled = () => new Promise((done) => setImmediate(done));

test('each command of the manifest is there, and no other', () => {
  const { seen } = load();
  assert.deepEqual([...seen.registered.keys()].sort(), manifest.contributes.commands.map((c) => c.command).sort());
  for (const items of Object.values(manifest.contributes.menus)) for (const { command } of items) assert.ok(seen.registered.has(command), command);
});

test('it begins with a document that the server sees', () => {
  const { seen } = load();
  const languages = new Set(seen.clients[0].options.documentSelector.map((s) => s.language));
  const begins = manifest.activationEvents.map((event) => event.replace('onLanguage:', ''));
  for (const language of begins) assert.ok(languages.has(language), language);
});

test('it starts the program of the settings, with the settings of the server', () => {
  const { seen } = load({ settings: { path: '/opt/uncoil', targets: ['go'], advice: true, docs: '' } });
  assert.deepEqual(seen.clients[0].program, { command: '/opt/uncoil', args: ['lsp'] });
  assert.deepEqual(seen.clients[0].options.initializationOptions, { targets: ['go'], advice: true, docs: '' });
  assert.deepEqual(load().seen.clients[0].program.command, 'uncoil');
});

test('no workspace chooses the program, or where links lead', () => {
  for (const name of ['uncoil.path', 'uncoil.docs']) assert.equal(manifest.contributes.configuration.properties[name].scope, 'machine');
});

test('settings go to the server, and another program is another server', async () => {
  const settings = { targets: [] };
  const { seen } = load({ settings });
  const change = (...names) => seen.changed({ affectsConfiguration: (name) => names.some((n) => n === name || n.startsWith(`${name}.`)) });
  await settled();
  settings.advice = true;
  await change('uncoil.advice');
  assert.deepEqual(seen.clients[0].sent, [['workspace/didChangeConfiguration', { settings: { uncoil: { targets: [], advice: true, docs: '' } } }]]);
  await change('editor.fontSize');
  assert.equal(seen.clients[0].sent.length, 1);
  await change('uncoil.path');
  assert.equal(seen.clients[0].stopped, 1);
  assert.equal(seen.clients.length, 2);
});

test('a program that is not there is told, with the way to the setting', async () => {
  const { seen } = load({ fails: true });
  await settled();
  assert.match(seen.errors[0], /does not start: spawn uncoil ENOENT/);
  await settled();
  assert.deepEqual(seen.executed, [['workbench.action.openSettings', 'uncoil.path']]);
});

test('what a code action returns is shown, and other commands are let through', async () => {
  const { seen } = load();
  const { executeCommand } = seen.clients[0].options.middleware;
  await executeCommand('uncoil.convert', [{}], async () => ({ code: 'x\n', language: 'go' }));
  assert.deepEqual(seen.opened, [{ language: 'go', content: 'x\n' }]);
  assert.equal(await executeCommand('uncoil.targets', [], async (command) => command), 'uncoil.targets');
});
