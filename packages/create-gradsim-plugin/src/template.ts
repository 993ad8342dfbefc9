import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/base';
import type { Versions } from './versions.ts';

const folder = fileURLToPath(new URL('../template', import.meta.url));

/** Placeholder of the new plugin's name in the template. */
const PLACEHOLDER = 'my-plugin';

/**
 * Final names of template files that are stored under other names, since npm would interpret the final names in this
 * package itself.
 */
const RENAMED: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': 'package.json',
};

/** Part of a package.json whose version ranges are filled in. */
interface Manifest {
  readonly peerDependencies: Versions;
  readonly devDependencies: Versions;
}

/** Returns the text of each file of a new plugin, by the file's path relative to the plugin's folder. */
export function filesOf(name: string, versions: Versions): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    const to = RENAMED[path] ?? path;
    const text = readFileSync(file, 'utf8').replaceAll(PLACEHOLDER, name);
    files.set(to, to === 'package.json' ? withVersions(text, versions) : text);
  }
  return files;
}

/**
 * Replaces each version `*` in a manifest by a version range. Peer dependencies accept any version of the same major:
 * the plugin contract checks the compatibility of core and plugin.
 */
function withVersions(text: string, versions: Versions): string {
  const manifest: Manifest = JSON.parse(text);
  const each = (given: Versions, of: (range: string) => string): Versions =>
    Object.fromEntries(
      Object.keys(given).map((name) => {
        if (!versions[name])
          throw new GradsimError(
            'create-gradsim-plugin/version-missing',
            `The template needs ${name}, of which no version is known.`,
            { field: 'versions', hint: `Give its version in \`versions\`.` },
          );
        return [name, of(versions[name])];
      }),
    );
  const filled = {
    ...manifest,
    peerDependencies: each(manifest.peerDependencies, (range) => `${/\d+/.exec(range)}.x`),
    devDependencies: each(manifest.devDependencies, (range) => range),
  };
  return `${JSON.stringify(filled, undefined, 2)}\n`;
}
