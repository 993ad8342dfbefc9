import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/base';
import { TEMPLATES, type TemplateName } from './templates.ts';
import type { Versions } from './versions.ts';

const folderOf = (template: TemplateName): string => fileURLToPath(new URL(`../template/${template}`, import.meta.url));

/**
 * Final names of template files that are stored under other names, since npm would interpret the final names in this
 * package itself.
 */
const RENAMED: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': 'package.json',
};

const KINDS_OF_NEEDS = ['dependencies', 'peerDependencies', 'devDependencies'] as const;
/** Part of a package.json whose version ranges are filled in. */
type Manifest = { readonly [kind in (typeof KINDS_OF_NEEDS)[number]]?: Versions };

const manifestOf = (template: TemplateName): Manifest =>
  JSON.parse(readFileSync(join(folderOf(template), '_package.json'), 'utf8'));

/** Returns the names of all packages that a project of a template depends on. */
export function neededBy(template: TemplateName): string[] {
  const manifest = manifestOf(template);
  return KINDS_OF_NEEDS.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
}

/** Returns the text of each file of a new project, by the file's path relative to the project's folder. */
export function filesOf(template: TemplateName, name: string, versions: Versions): Map<string, string> {
  const folder = folderOf(template);
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    const to = RENAMED[path] ?? path;
    const text = readFileSync(file, 'utf8').replaceAll(TEMPLATES[template].placeholder, name);
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
  const rangeOf = (name: string): string => {
    if (!versions[name])
      throw new GradsimError(
        'create-gradsim/version-missing',
        `The template needs ${name}, of which no version is known.`,
        {
          field: 'versions',
          hint: `Give its version in \`versions\`.`,
        },
      );
    return versions[name];
  };
  const filled = KINDS_OF_NEEDS.filter((kind) => manifest[kind]).map((kind) => {
    const ranges = Object.entries(manifest[kind]!).map(([name, own]) => {
      const range = own === '*' ? rangeOf(name) : own;
      return [name, kind === 'peerDependencies' ? `${/\d+/.exec(range)}.x` : range];
    });
    return [kind, Object.fromEntries(ranges)];
  });
  return `${JSON.stringify({ ...manifest, ...Object.fromEntries(filled) }, undefined, 2)}\n`;
}
