// Packs the extension, with the libraries that it needs, as uncoil-VERSION.vsix:
// node build.mjs [FOLDER]. Nothing is published.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Packs the extension into a folder, and returns the name of the file. */
export async function pack(folder) {
  const { createVSIX } = createRequire(import.meta.url)('@vscode/vsce');
  // The licence stands at the root of the repository, and the tools for tests in
  // node_modules: a folder of its own has the one and not the others.
  const staged = await mkdtemp(join(tmpdir(), 'uncoil-vscode-'));
  try {
    const { devDependencies, scripts, private: _, ...manifest } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
    await writeFile(join(staged, 'package.json'), JSON.stringify(manifest, null, 2));
    await cp(join(here, '../../LICENSE'), join(staged, 'LICENSE'));
    const needed = (name) => !/\.([cm]?ts|map)$/.test(name); // neither types nor maps
    for (const name of ['README.md', 'src', ...libraries()]) await cp(join(here, name), join(staged, name), { recursive: true, filter: needed });
    await mkdir(folder, { recursive: true });
    const file = resolve(folder, `${manifest.name}-${manifest.version}.vsix`);
    await createVSIX({ cwd: staged, packagePath: file, allowMissingRepository: true, rewriteRelativeLinks: false });
    return file;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** The folders of the libraries that the extension needs. */
function libraries() {
  return execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: here, encoding: 'utf8' })
    .split('\n').map((path) => path && relative(here, path)).filter(Boolean);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  console.log(await pack(process.argv[2] ?? join(here, 'dist')));
}
