// The real server, as the editor has it: uncoil lsp in a process of its own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-languageserver-protocol/node');

/** Builds the program once, and returns its name. */
export function build() {
  const folder = mkdtempSync(join(tmpdir(), 'uncoil-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, process.platform === 'win32' ? 'uncoil.exe' : 'uncoil');
  execFileSync('go', ['build', '-o', program, './cmd/uncoil'], { cwd: fileURLToPath(new URL('../../..', import.meta.url)), stdio: 'inherit' });
  return program;
}

/** Starts a session. */
export async function serve(program, options) {
  const child = spawn(program, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.listen();
  const { capabilities } = await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: options });
  await connection.sendNotification('initialized', {});
  return {
    connection,
    capabilities,
    end: async () => {
      const left = new Promise((done) => child.once('exit', done));
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const code = await left;
      connection.dispose();
      return code;
    },
  };
}
