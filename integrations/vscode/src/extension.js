// Starts uncoil lsp, and offers its commands. What needs no editor to be tried is in
// commands.js.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { commands, settings } = require('./commands.js');

/** The languages whose documents the server sees. */
const languages = [
  'markdown', 'mdx', 'shellscript', 'yaml', 'dockerfile', 'dockercompose', 'makefile', 'restructuredtext', 'asciidoc', 'html', 'http',
  'json', 'jsonc', 'plaintext',
];

let client;

function activate(context) {
  // Files that are open, texts without a file, and cells of notebooks.
  const selector = languages.flatMap((language) => ['file', 'untitled', 'vscode-notebook-cell'].map((scheme) => ({ language, scheme })));
  const ours = commands(vscode, {
    request: async (params) => (await started()).sendRequest('workspace/executeCommand', params),
    sees: (document) => vscode.languages.match(selector, document) > 0,
    state: context.globalState,
  });
  const configuration = () => settings(vscode.workspace.getConfiguration('uncoil'));

  const create = () => new LanguageClient(
    'uncoil', 'uncoil',
    { command: vscode.workspace.getConfiguration('uncoil').get('path') || 'uncoil', args: ['lsp'] },
    {
      documentSelector: selector,
      initializationOptions: configuration(),
      middleware: {
        // A code action "Convert to …" runs the command of the server; here is who shows
        // what that returns.
        executeCommand: async (command, args, next) => {
          if (command !== 'uncoil.convert') return next(command, args);
          return ours.show(() => next(command, args));
        },
      },
    },
  );

  const begin = async () => {
    const one = create();
    client = one;
    try {
      await one.start();
    } catch (problem) {
      const settingsButton = 'Open settings';
      void vscode.window.showErrorMessage(`uncoil lsp does not start: ${problem.message}`, settingsButton).then((chosen) => {
        if (chosen === settingsButton) void vscode.commands.executeCommand('workbench.action.openSettings', 'uncoil.path');
      });
      throw problem;
    }
    return one;
  };
  let running = begin();
  running.catch(() => {}); // the user was told; a command tells again
  const started = () => running;
  const restart = async () => {
    await stop();
    running = begin();
    running.catch(() => {});
  };

  context.subscriptions.push(
    vscode.commands.registerCommand('uncoil.pasteAsCode', () => ours.pasteAsCode()),
    vscode.commands.registerCommand('uncoil.convertSelection', () => ours.convertSelection()),
    vscode.commands.registerCommand('uncoil.restart', restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('uncoil.path')) return restart();
      if (!event.affectsConfiguration('uncoil')) return undefined;
      return running.then((one) => one.sendNotification('workspace/didChangeConfiguration', { settings: { uncoil: configuration() } }), () => {});
    }),
  );
}

async function stop() {
  const one = client;
  client = undefined;
  try {
    await one?.stop();
  } catch {
    // It never started.
  }
}

module.exports = { activate, deactivate: stop };
