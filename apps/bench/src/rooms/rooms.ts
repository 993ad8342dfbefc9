import { basename, dirname } from 'node:path';
import { arrowsUp, cyclesOf, graphOf } from './graph.ts';
import { importsOf, sourceFiles } from './imports.ts';

/** Folders, arrows and cycles of one package. */
export interface Rooms {
  readonly files: number;
  readonly widestFolder: { readonly folder: string; readonly files: number };
  /** Imports whose two files lie in different folders. */
  readonly arrows: number;
  /** Imports against the order of the folders and files that lie beside each other, as few as there can be. */
  readonly up: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  /** Sets of files that import each other's values in a circle. */
  readonly valueCycles: readonly (readonly string[])[];
  /** Sets of files that are in a circle only by imports of types. */
  readonly typeCycles: readonly (readonly string[])[];
}

/** Folders, arrows and cycles of the TypeScript files below `src`. Files `index.ts`, which only export, are left out. */
export function roomsOf(src: string): Rooms {
  const files = sourceFiles(src).filter((file) => basename(file) !== 'index.ts');
  const imports = importsOf(src, files);
  const perFolder = new Map<string, number>();
  for (const file of files) perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
  const [folder, widest] = [...perFolder].reduce((a, b) => (b[1] > a[1] ? b : a), ['.', 0]);
  const pairs = [...new Map(imports.map((arrow) => [`${arrow.from} ${arrow.to}`, arrow])).values()];
  const valueCycles = cyclesOf(graphOf(imports.filter(({ isType }) => !isType)));
  const byValue = new Set(valueCycles.map((cycle) => cycle.join(' ')));
  return {
    files: files.length,
    widestFolder: { folder, files: widest },
    arrows: pairs.filter(({ from, to }) => dirname(from) !== dirname(to)).length,
    up: parentsOf(files).flatMap((parent) => arrowsUpIn(parent, pairs)),
    valueCycles,
    typeCycles: cyclesOf(graphOf(pairs)).filter((cycle) => !byValue.has(cycle.join(' '))),
  };
}

/** Folders that hold a file or another folder, from `.` down. */
function parentsOf(files: readonly string[]): readonly string[] {
  const parents = new Set(['.']);
  for (const file of files) for (let at = dirname(file); at !== '.'; at = dirname(at)) parents.add(at);
  return [...parents].sort();
}

/** Arrows up between what lies in a folder: its files, and its folders with all that they hold. */
function arrowsUpIn(parent: string, pairs: readonly { readonly from: string; readonly to: string }[]): Rooms['up'] {
  const prefix = parent === '.' ? '' : `${parent}/`;
  const child = (file: string): string => `${prefix}${file.slice(prefix.length).split('/')[0]}`;
  const within = pairs.filter(({ from, to }) => from.startsWith(prefix) && to.startsWith(prefix));
  // Files that import each other are counted as cycles: an arrow that points up has a folder at one end.
  return arrowsUp(graphOf(within, child)).filter(({ from, to }) => !from.endsWith('.ts') || !to.endsWith('.ts'));
}
