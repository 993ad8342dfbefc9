import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Node } from '../support/syntax.ts';
import { isNode, nodesOf, walk } from '../support/syntax.ts';

/** One import between two files of a package, as paths below its `src`. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Only types are imported: nothing is left of it when the file runs. */
  readonly isType: boolean;
}

/** Source files of a package, below its `src`, with forward slashes, sorted. */
export const sourceFiles = (src: string): readonly string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort();

/** Relative imports and re-exports of `files`, one for each pair of files and kind. */
export function importsOf(src: string, files: readonly string[]): readonly Import[] {
  const known = new Set(files);
  return files.flatMap((from) => {
    const found = new Map<string, Import>();
    for (const { source, isType } of statementsOf(readFileSync(join(src, from), 'utf8'))) {
      if (!source.startsWith('.')) continue;
      const to = relative(src, join(src, dirname(from), source)).replaceAll('\\', '/');
      if (known.has(to) && to !== from) found.set(`${to} ${isType}`, { from, to, isType });
    }
    return [...found.values()];
  });
}

interface Statement {
  readonly source: string;
  readonly isType: boolean;
}

/** Imports and re-exports that a file's text names; `import()` of a string too. */
function statementsOf(text: string): readonly Statement[] {
  const found: Statement[] = [];
  walk(text, (node) => {
    const source = isNode(node.source) && typeof node.source.value === 'string' ? node.source.value : null;
    if (source === null || !IMPORTING.has(node.type)) return true;
    found.push({ source, isType: isTypeOnly(node) });
    return false;
  });
  return found;
}

const IMPORTING = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']);

/** `import type`, `export type`, or braces in which every name is marked `type`. */
function isTypeOnly(node: Node): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = nodesOf(node.specifiers);
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}
