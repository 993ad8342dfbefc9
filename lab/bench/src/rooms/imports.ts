import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Node } from '../support/syntax.ts';
import { isNode, nodesOf, walk } from '../support/syntax.ts';

/** One import between two files of a package; paths are relative to its `src`. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** True if only types are imported, so that the import vanishes when compiled. */
  readonly isType: boolean;
}

/** Sorted paths of a package's source files, relative to `src`, with forward slashes. */
export const sourceFiles = (src: string): readonly string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .sort();

/** Relative imports and re-exports in `files`: at most one of values and one of types for each pair of files. */
export function importsOf(src: string, files: readonly string[]): readonly Import[] {
  const known = new Set(files);
  return files.flatMap((from) => {
    const found = new Map<string, Import>();
    for (const { source, isType } of statementsOf(join(src, from))) {
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

/** Import and re-export statements in a file, including `import()` of a string literal. */
function statementsOf(file: string): readonly Statement[] {
  const found: Statement[] = [];
  const visit = (node: Node): boolean => {
    const source = isNode(node.source) && typeof node.source.value === 'string' ? node.source.value : null;
    if (source === null || !IMPORTING.has(node.type)) return true;
    found.push({ source, isType: isTypeOnly(node) });
    return false;
  };
  walk(readFileSync(file, 'utf8'), visit, file.endsWith('x') ? 'tsx' : 'ts');
  return found;
}

const IMPORTING = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']);

/** True for `import type`, `export type`, or a list in which every name is marked `type`. */
function isTypeOnly(node: Node): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = nodesOf(node.specifiers);
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}
