// The commands of the extension. The editor and the server are passed in, so that a test
// can be either.
'use strict';

/** What the server calls a language, where the editor calls it otherwise. */
const named = {
  batch: 'bat', bru: 'plaintext', cmd: 'bat', curlrc: 'plaintext', fish: 'shellscript', hcl: 'plaintext', hurl: 'plaintext',
  objc: 'objective-c', sh: 'shellscript', shell: 'shellscript',
};

/** Names of a language in the editor whose programs are of another one. */
const alike = { javascriptreact: 'javascript', typescriptreact: 'typescript', jsonc: 'json' };

const languageOf = (target) => named[target.language] ?? target.language;

/** The settings as the server takes them. */
function settings(configuration) {
  return {
    targets: configuration.get('targets') ?? [],
    advice: configuration.get('advice') ?? false,
    docs: configuration.get('docs') ?? '',
  };
}

/**
 * Sorts targets for who chooses one: the one of last time, those of the document's
 * language, the favourite ones, and the rest as they are.
 */
function sorted(targets, { last, language, favourites }) {
  const wanted = alike[language] ?? language;
  const rank = (t) => {
    if (t.name === last) return 0;
    if (wanted && languageOf(t) === wanted && t.kind === 'code') return 1;
    const i = favourites.findIndex((name) => name === t.name || t.aliases.includes(name));
    return i >= 0 ? 2 + i : 2 + favourites.length;
  };
  return targets.map((t, i) => [rank(t), i, t]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , t]) => t);
}

/** A position as the protocol has it. */
const place = ({ line, character }) => ({ line, character });

const lastTarget = 'uncoil.lastTarget';

/**
 * @param vscode the editor
 * @param server {request(params): what workspace/executeCommand returns,
 *   sees(document): whether the server has its text, state: what is kept between sessions}
 */
function commands(vscode, { request, sees, state }) {
  const { window } = vscode;

  const run = async (command, ...args) => request({ command, arguments: args });

  /** Lets the user choose a target. */
  const choose = async (language) => {
    const favourites = settings(vscode.workspace.getConfiguration('uncoil')).targets;
    const targets = sorted(await run('uncoil.targets'), { last: state.get(lastTarget), language, favourites });
    const items = targets.map((target) => ({
      label: target.name, description: `${target.client} ${target.version}`.trim(), detail: target.aliases.join(', ') || undefined, target,
    }));
    const chosen = await window.showQuickPick(items, { title: 'uncoil', placeHolder: 'Write the request as …', matchOnDescription: true, matchOnDetail: true });
    if (chosen) await state.update(lastTarget, chosen.target.name);
    return chosen?.target;
  };

  /** Says what is doubtful about a program. */
  const doubt = ({ warnings = [] }) => {
    const doubts = warnings.filter((w) => w.level === 'doubt').map((w) => w.message);
    if (doubts.length > 0) void window.showWarningMessage(`uncoil: ${doubts.join('; ')}`);
  };

  /** Does something that may fail, and tells the user why it did. */
  const told = async (action) => {
    try {
      return await action();
    } catch (problem) {
      void window.showErrorMessage(`uncoil: ${problem.message}`);
      return undefined;
    }
  };

  /** Opens the program that a request returns beside the document. */
  const show = (convert) => told(async () => {
    const program = await convert();
    if (!program?.code) return program;
    const document = await vscode.workspace.openTextDocument({ language: languageOf(program), content: program.code });
    await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    doubt(program);
    return program;
  });

  /** Inserts the command of the clipboard as a program, in place of the selection. */
  const pasteAsCode = () => told(async () => {
    const editor = window.activeTextEditor;
    if (!editor) throw new Error('no editor is open');
    const text = await vscode.env.clipboard.readText();
    if (text.trim() === '') throw new Error('the clipboard is empty');
    const target = await choose(editor.document.languageId);
    if (!target) return;
    const program = await run('uncoil.convert', { curl: text, target: target.name });
    // An edit, not a snippet: nothing in the text is a place for something else.
    const code = program.code.replace(/\n$/, '');
    const done = await editor.edit((edit) => { for (const s of editor.selections) edit.replace(s, code); });
    if (!done) throw new Error('the editor has refused the edit');
    doubt(program);
  });

  /** Opens the selected commands, or the one on the line, as a program. */
  const convertSelection = () => told(async () => {
    const editor = window.activeTextEditor;
    if (!editor) throw new Error('no editor is open');
    const { document, selection } = editor;
    let where;
    if (sees(document)) {
      where = { uri: document.uri.toString(), range: { start: place(selection.start), end: place(selection.end) } };
    } else {
      where = { curl: selection.isEmpty ? document.lineAt(selection.start.line).text : document.getText(selection) };
    }
    const target = await choose();
    if (target) await show(() => run('uncoil.convert', { ...where, target: target.name }));
  });

  return { pasteAsCode, convertSelection, show };
}

module.exports = { commands, settings, sorted, languageOf };
