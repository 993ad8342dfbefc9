import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

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
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const source = isNode(value.source) && typeof value.source.value === 'string' ? value.source.value : null;
    if (source !== null && IMPORTING.has(value.type)) found.push({ source, isType: isTypeOnly(value) });
    else Object.values(value).forEach(visit);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

const IMPORTING = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']);

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** `import type`, `export type`, or braces in which every name is marked `type`. */
function isTypeOnly(node: Node): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = node.specifiers;
  if (!Array.isArray(names) || names.length === 0) return false;
  return names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}
