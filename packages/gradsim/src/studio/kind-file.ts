import { readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/core';
import type { Kind, KindImport } from '@gradsim/kinds';
import { KINDS } from '@gradsim/kinds';
import { enclosingPackage, packageNameOf } from '../modules/installed.ts';
import { createJiti } from '../modules/jiti.ts';
import { isEsModule } from '../modules/local-modules.ts';
import { findKind } from '../new/find-kind.ts';
import { messageOf } from '../terminal/describe.ts';
import { LIBRARIES } from './libraries.ts';

/** Parts of a kind that the studio's page shows: all but what it computes. */
export type ShownKind = Omit<Kind, 'stages' | 'experiment' | 'candidates'>;

/** Exports of the file of a kind that the studio serves: what its page shows, and the modules that its worker runs. */
export interface KindFile {
  readonly shown: ShownKind;
  /** Import of the kind in an experiment on this machine; its name is that under which the first module exports it. */
  readonly importFrom: KindImport;
  readonly modules: readonly KindModule[];
}

interface KindModule {
  /** Targets by specifier: the number of a module of the file, a library's name, or why it cannot be imported. */
  readonly imports: Readonly<Record<string, Imported>>;
  /** Evaluates the module, filling in its exports. */
  readonly run: (exports: object, jitiImport: (specifier: string) => Promise<object>) => Promise<void>;
}

type Imported = number | string | { readonly refused: string };

/** Text of a kind's file, and the kind's name. */
export interface KindText {
  readonly name: string;
  readonly text: string;
}

/**
 * Packs a kind of others, `@someone/kind` or `./kind.ts`, into one file for the studio: its modules and those of
 * packages that it imports, as JavaScript; of gradsim only the names.
 * @throws where {@link findKind} does, and for a kind that a page cannot show or run.
 */
export async function packKind(name: string): Promise<KindText> {
  const { kind, file, importFrom } = await findKind(name);
  if (file === undefined) throw refusal(name, 'is one of gradsim, which the studio offers anyway');
  checkShown(name, kind);
  const { title, finds, version, answers, meaning, note, drawing, mask, marked, turns, moving, measures } = kind;
  const shown: ShownKind = {
    name: kind.name,
    version,
    title,
    finds,
    answers,
    meaning,
    note,
    drawing,
    mask,
    marked,
    turns,
    measures,
    ...(moving === undefined ? {} : { moving: typeof moving === 'string' ? moving : moving.key }),
  };
  const path = file();
  const own = importFrom(dirname(path));
  // By its whole path, wherever the experiment is.
  const from = own.from.startsWith('.') ? path.split(sep).join('/') : own.from;
  const texts = new Modules(name).pack(path);
  const text = [
    `export const shown = ${JSON.stringify(shown)};`,
    `export const importFrom = ${JSON.stringify({ ...own, from })};`,
    `export const modules = [\n${texts.join(',\n')}\n];\n`,
  ].join('\n');
  return { name: kind.name, text };
}

const refusal = (name: string, why: string, hint?: string): GradsimError =>
  new GradsimError('gradsim/kind-not-of-pages', `The kind ${name} ${why}.`, { field: name, ...(hint ? { hint } : {}) });

const BY_COMMAND = 'gradsim new writes an experiment of it, and gradsim estimate runs that.';
const OF_FILES: readonly unknown[] = ['file', 'camera', 'data', 'written'];

/** Checks that the page can show a kind, and ask for what it needs. */
function checkShown(name: string, kind: Kind): void {
  const { measures, drawing, answers, meaning } = kind;
  if (!/^[A-Za-z][\w-]*$/.test(kind.name))
    throw refusal(name, `has the name "${kind.name}"; it takes letters, digits and -`);
  if (KINDS.some((own) => own.name === kind.name))
    throw refusal(name, `has the name of one of gradsim, ${kind.name}`, 'Give it another in its definition.');
  if (!('video' in measures)) throw refusal(name, 'has no measure video, and the studio is for films', BY_COMMAND);
  if (typeof drawing !== 'string')
    throw refusal(
      name,
      'has no drawing, by which the page offers it',
      'Add one: drawing, parts of an SVG of 160 x 90.',
    );
  if (!Array.isArray(answers) || typeof meaning !== 'object' || meaning === null)
    throw refusal(name, 'lacks its answers, a list of unknowns, or their meaning, a sentence each');
  const [file] = Object.entries(measures).find(
    ([key, measure]) => key !== 'video' && measure.default === undefined && OF_FILES.includes(measure.type),
  ) ?? [undefined];
  if (file) throw refusal(name, `needs the file ${file} beside the film, which a page has no place for`, BY_COMMAND);
}

/** Modules of a kind, numbered in the order in which imports reach them. */
class Modules {
  readonly #kind: string;
  readonly #files: string[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Packs a module and all that it imports, and returns the source of each as an object literal. */
  pack(file: string): string[] {
    this.#numberOf(file);
    const texts: string[] = [];
    // Grows while it is walked through.
    for (const each of this.#files) texts.push(this.#textOf(each));
    return texts;
  }

  #numberOf(file: string): number {
    const known = this.#files.indexOf(file);
    return known >= 0 ? known : this.#files.push(file) - 1;
  }

  #textOf(file: string): string {
    const source = readFileSync(file, 'utf8');
    if (extname(file) === '.json')
      return `{ imports: {}, async run(exports) { exports.default = ${JSON.stringify(JSON.parse(source))}; } }`;
    if (!isEsModule(file, source))
      throw refusal(this.#kind, `imports ${file}, which is no ES module; a page takes no others`);
    const imports: Record<string, Imported> = {};
    const { code, specifiers } = transpiled(file, source);
    const wrong = JITI_ERROR.exec(code);
    if (wrong) throw refusal(this.#kind, `imports ${file}, which is wrong: ${JSON.parse(wrong[1]).message}`);
    for (const [specifier, isAtOnce] of specifiers) {
      const imported = this.#resolve(specifier, file);
      if (isAtOnce && typeof imported === 'object')
        throw refusal(this.#kind, `cannot run in a page: ${imported.refused}`);
      imports[specifier] = imported;
    }
    return `{ imports: ${JSON.stringify(imports)}, async run(exports, jitiImport) {\n${code}\n} }`;
  }

  #resolve(specifier: string, importer: string): Imported {
    if (LIBRARIES.has(specifier)) return specifier;
    const refused = (why: string): Imported => ({
      refused: `${importer} imports ${specifier}, ${why}`,
    });
    if (isBuiltin(specifier)) return refused('which is of Node');
    const name = packageNameOf(specifier);
    if (name === 'gradsim' || name.startsWith('@gradsim/')) return refused('which the page does not have');
    let file: string;
    try {
      const url = createJiti(importer, { fsCache: false }).esmResolve(specifier, { conditions: ['browser', 'import'] });
      file = realpathSync(fileURLToPath(url));
    } catch (error) {
      return refused(`which is not found: ${messageOf(error).split('\n')[0]}`);
    }
    // What a kind imports by a path is in its package; of other packages, what they export.
    const folder = enclosingPackage(dirname(importer))?.folder ?? dirname(importer);
    const isByPath = /^[.#]|^file:/.test(specifier) || isAbsolute(specifier);
    const to = relative(folder, file);
    if (isByPath && (to.split(sep)[0] === '..' || isAbsolute(to))) return refused(`which is outside of ${folder}`);
    return this.#numberOf(file);
  }
}

/** Text by which jiti reports a syntax error in place of a module. */
const JITI_ERROR = /^exports\.__JITI_ERROR__ = (.*)/;

/** Module as JavaScript in the form that the command runs too, and what it imports: true for imports before it runs. */
function transpiled(file: string, source: string): { code: string; specifiers: ReadonlyMap<string, boolean> } {
  const specifiers = new Map<string, boolean>();
  const visitor = {
    CallExpression({ node, parent }: { node: CallNode; parent: { type: string } }): void {
      const [{ value } = { value: undefined }] = node.arguments;
      if (node.callee.name !== 'jitiImport' || typeof value !== 'string') return;
      specifiers.set(value, specifiers.get(value) || parent.type === 'AwaitExpression');
    },
  };
  const code = createJiti(file, { fsCache: false, interopDefault: false }).transform({
    source,
    filename: file,
    ts: true,
    async: true,
    babel: { comments: false, plugins: [() => ({ visitor })] },
  });
  return { code, specifiers };
}

interface CallNode {
  readonly callee: { readonly name?: string };
  readonly arguments: readonly { readonly value?: unknown }[];
}
