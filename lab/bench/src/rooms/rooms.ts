import { basename, dirname } from 'node:path';
import { arrowsUp, cyclesOf, graphOf } from './graph.ts';
import { importsOf, sourceFiles } from './imports.ts';

/** Folder structure of one package: counts, imports between folders, and import cycles. */
export interface Rooms {
  readonly files: number;
  readonly widestFolder: { readonly folder: string; readonly files: number };
  /** Number of imports between files of different folders. */
  readonly arrows: number;
  /** Imports from a lower to a higher layer, for the order of sibling folders and files that has the fewest. */
  readonly up: readonly { readonly from: string; readonly to: string; readonly count: number }[];
  /** Groups of files with cyclic imports of values. */
  readonly valueCycles: readonly (readonly string[])[];
  /** Groups of files whose import cycles contain imports of types. */
  readonly typeCycles: readonly (readonly string[])[];
}

/** Analyses imports and cycles of the TypeScript files below `src`, except `index.ts` files, which only re-export. */
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

/** Sorted paths of all folders that contain a file or another folder; the root is `.`. */
function parentsOf(files: readonly string[]): readonly string[] {
  const parents = new Set(['.']);
  for (const file of files) for (let at = dirname(file); at !== '.'; at = dirname(at)) parents.add(at);
  return [...parents].sort();
}

const isFile = (child: string): boolean => /\.tsx?$/.test(child);

/** Imports against the layer order among the children of a folder: its files, and its folders as a whole. */
function arrowsUpIn(parent: string, pairs: readonly { readonly from: string; readonly to: string }[]): Rooms['up'] {
  const prefix = parent === '.' ? '' : `${parent}/`;
  const child = (file: string): string => `${prefix}${file.slice(prefix.length).split('/')[0]}`;
  const within = pairs.filter(({ from, to }) => from.startsWith(prefix) && to.startsWith(prefix));
  // Files that import each other are counted as cycles: an arrow that points up has a folder at one end.
  return arrowsUp(graphOf(within, child)).filter(({ from, to }) => !isFile(from) || !isFile(to));
}
