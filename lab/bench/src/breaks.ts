// Whether the judge of random programs catches mistakes: `--breaks N` (default 100) of them drawn by `--seed` from all that
// operators over the syntax tree make of the files that decide derivatives, each alone, in a copy of the sources, with how
// many random programs it took (`--programs` at most, default 300) and what caught it. What is not caught is either no
// mistake (it costs time or memory only, or words) or one to look at. `--in TEXT` takes files whose path has it, `--operator
// NAME` one operator; `--list` prints the breaks and tries none.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '@gradsim/random-programs';
import { rolldown } from 'rolldown';
import type { SourceMutation } from './breaks/sites.ts';
import { applyMutation, mutationsOf } from './breaks/sites.ts';
import { sourceFiles } from './rooms/imports.ts';
import { print, wholeNumber } from './support/options.ts';

const { values } = parseArgs({
  options: {
    breaks: { type: 'string', default: '100' },
    programs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: '' },
    operator: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});
const programsAtMost = wholeNumber('programs', values.programs, 1);
const seed = wholeNumber('seed', values.seed, 0);

const root = fileURLToPath(new URL('../../..', import.meta.url));
const judge = join(root, 'lab/random-programs/src/until-wrong.ts');

/**
 * Source folders whose code computes derivatives, in which breaks are made; in `primitives` only the derivative rules
 * are broken.
 */
const FOLDERS = [
  { folder: 'packages/kernel/src/derivatives', scope: 'file' },
  { folder: 'packages/kernel/src/primitives', scope: 'derivative' },
  { folder: 'packages/kernel/src/program', scope: 'file' },
  { folder: 'packages/core/src/compile', scope: 'file' },
  { folder: 'packages/core/src/tape', scope: 'file' },
] as const;

interface PlacedMutation extends SourceMutation {
  readonly folder: string;
  readonly file: string;
}

function allBreaks(): readonly PlacedMutation[] {
  return FOLDERS.flatMap(({ folder, scope }) =>
    sourceFiles(join(root, folder)).flatMap((name) => {
      const file = `${folder}/${name}`;
      return mutationsOf(readFileSync(join(root, file), 'utf8'), scope).map((one) => ({ ...one, folder, file }));
    }),
  ).filter(({ file, operator }) => file.includes(values.in) && (!values.operator || operator === values.operator));
}

/** The first `--breaks` of all breaks, in a random order given by `--seed`. */
const drawMutations = (all: readonly PlacedMutation[]): readonly PlacedMutation[] =>
  new Random(seed).shuffle(all).slice(0, wholeNumber('breaks', values.breaks, 1));

/**
 * Bundles the random-program checker with the core packages and one break, into one file. Returns its path, or null if
 * the bundle does not contain the broken file.
 */
async function bundle(one: PlacedMutation, folder: string): Promise<string | null> {
  let isBroken = false;
  const built = await rolldown({
    input: judge,
    platform: 'node',
    resolve: { conditionNames: ['@gradsim/source', 'import', 'node'] },
    external: ['webgpu'],
    treeshake: false,
    plugins: [
      {
        name: 'break',
        transform(code, id) {
          if (!id.replaceAll('\\', '/').endsWith(one.file)) return null;
          isBroken = true;
          return applyMutation(code, one);
        },
      },
    ],
  });
  const path = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await built.write({ file: path, format: 'esm', codeSplitting: false });
  await built.close();
  return isBroken ? path : null;
}

interface CaughtMutation {
  readonly programs: number;
  readonly finding?: string;
  readonly detail?: string;
}

/** Maximum time between two progress reports of a run, ms: long enough for a few programs on a busy machine. */
const TIMEOUT_MS = 300_000;

/**
 * Checks random programs with a broken bundle until one gives a wrong result. A break that hangs or ends the process
 * counts as caught.
 */
function run(path: string): Promise<CaughtMutation> {
  const child = spawn(process.execPath, [path, String(seed), String(programsAtMost)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let last: CaughtMutation = { programs: 0 };
  const limit = setTimeout(() => child.kill(), TIMEOUT_MS);
  createInterface(child.stdout).on('line', (line) => {
    last = JSON.parse(line) as CaughtMutation;
    limit.refresh();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve(code === 0 ? last : { ...last, finding: 'refused', detail: 'the process ended' });
    });
  });
}

const all = allBreaks();
if (values.list) {
  for (const { file, line, operator, from, to } of drawMutations(all)) print({ file, line, operator, from, to });
} else await tryMutations();

async function tryMutations(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-breaks-'));
  const tried = new Map<string, { breaks: number; caught: number }>();
  for (const one of drawMutations(all)) {
    const path = await bundle(one, folder);
    if (path === null) continue;
    const caught = await run(path);
    await rm(path);
    const { file, line, operator, from, to } = one;
    print({ bench: 'breaks', file, line, operator, from, to, caught: caught.finding !== undefined, ...caught });
    const counts = tried.get(one.folder) ?? { breaks: 0, caught: 0 };
    tried.set(one.folder, {
      breaks: counts.breaks + 1,
      caught: counts.caught + (caught.finding === undefined ? 0 : 1),
    });
  }
  await rm(folder, { recursive: true });
  for (const [of, { breaks, caught }] of tried)
    print({
      bench: 'breaks',
      of,
      seed,
      programsAtMost,
      possible: all.filter((b) => b.folder === of).length,
      breaks,
      caught,
      share: caught / breaks,
    });
}
