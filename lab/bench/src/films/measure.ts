import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { standardErrorsOff as errorsOff, median } from '@gradsim/base';
import { Random } from '@gradsim/films/random';
import type { FilmRecord } from '@gradsim/films/record';
import { KINDS, type Kind } from '@gradsim/kinds';
import { COMMAND } from '../support/command.ts';
import { print } from '../support/options.ts';
import { measuredTexts } from './measured.ts';

/** A parameter in the result of `gradsim estimate`; null stands for infinity. */
interface StatedParameter {
  readonly estimate: number;
  readonly standardError: number | null;
  readonly interval: readonly [number | null, number | null] | null;
  readonly bound?: number;
}

interface Result {
  readonly residual: number;
  readonly verdict: {
    readonly trusted: boolean;
    readonly findings: readonly { readonly kind: string; readonly note: string }[];
  };
  readonly parameters: Readonly<Record<string, StatedParameter>>;
  readonly derived?: Readonly<Record<string, StatedParameter>>;
}

/** Films whose parameters are estimated, and how well what is beside them was measured. */
interface Films {
  /** Name of the benchmark. */
  readonly bench: string;
  /** Folder of the films, and their names without an ending. */
  readonly folder: string;
  readonly names: readonly string[];
  /** Kinds beside those of gradsim, by what `gradsim new` calls them. */
  readonly kinds?: ReadonlyMap<string, Kind>;
  /** Seed of the errors of measurements. */
  readonly seed: number;
  /** True if measurements are exact, and told so. */
  readonly isExact: boolean;
}

/** Estimates from films by the commands that a user runs, and prints a line for each film, each parameter, and all. */
export async function measureFilms({ bench, folder, names, kinds, seed, isExact }: Films): Promise<void> {
  let [lines, within, beyond, undetermined, good, distrusted, spoiled, named, right] = Array<number>(9).fill(0);
  const [squares, bars, times]: number[][] = [[], [], []];
  for (const name of names) {
    const record: FilmRecord = JSON.parse(
      await readFile(join(folder, `${name}.json`), 'utf8').catch(() => {
        throw new Error(
          `There is no film ${name} in ${folder}: make the films by \`npm run -s films -- --out ${folder}\`.`,
        );
      }),
    );
    const own = [...KINDS.map((kind) => [kind.name, kind] as const), ...(kinds ?? [])];
    const [called, kind] = own.find(([, { name }]) => name === record.kind) ?? [];
    if (!called || !kind) throw new Error(`The film ${name} is one of the kind ${record.kind}: name it in --kinds.`);
    // By its number, so that the errors of a film are those of every choice of films.
    const random = new Random(1000 * seed + record.number);
    const began = performance.now();
    const set = {
      ...measuredTexts(kind, record, isExact ? null : () => random.normal()),
      background: join(folder, `${name}.plate.png`),
    };
    const { result, commands, failed } = await estimated(join(folder, record.film), { called, kind, set });
    const seconds = (performance.now() - began) / 1000;
    times.push(seconds);
    const trusted = result?.verdict.trusted ?? false;
    if (record.spoiled) {
      spoiled++;
      named += Number(!trusted);
    } else {
      good++;
      distrusted += Number(!trusted);
    }
    print({
      film: name,
      kind: record.kind,
      version: kind.version,
      commands,
      verdict: trusted ? 'trusted' : (result?.verdict.findings.find(Boolean)?.kind ?? failed),
      residual: result?.residual ?? null,
      seconds,
      ...(record.spoiled && { spoiled: record.spoiled.how }),
    });
    let held = 0;
    const truths = Object.entries(record.truth);
    for (const [parameter, truth] of truths) {
      const told = { ...result?.parameters, ...result?.derived }[parameter];
      const { estimate = null, standardError = null, interval = null, bound = null } = told ?? {};
      const standardErrorsOff = told ? errorsOff(told, truth) : null;
      const isWithin = standardErrorsOff === null ? holds(interval, truth) : Math.abs(standardErrorsOff) <= 2;
      held += Number(isWithin);
      if (!record.spoiled) {
        lines++;
        within += Number(trusted && isWithin);
        undetermined += Number(trusted && standardErrorsOff === null);
        beyond += Number(trusted && Math.abs(standardErrorsOff ?? 0) > 4);
        if (trusted && standardErrorsOff !== null) squares.push(standardErrorsOff ** 2);
        if (trusted && standardError && bound) bars.push(standardError / bound);
      }
      print({ film: name, parameter, truth, estimate, standardError, interval, bound, standardErrorsOff });
    }
    if (record.spoiled) right += Number(trusted && held === truths.length);
  }
  const sum = squares.reduce((total, square) => total + square, 0);
  print({
    bench,
    device: 'cpu',
    measured: isExact ? 'exact' : 'as the tolerances say',
    lines,
    within,
    beyond,
    undetermined,
    films: good,
    distrusted,
    spoiled,
    named,
    right,
    // 1 where bars are as wide as the estimates scatter.
    barOverScatter: Math.sqrt(squares.length / sum),
    barOverBound: bars.length > 0 ? median(bars) : null,
    secondsMedian: median(times),
  });
}

/** Measurements of kinds that a record of another kind does not hold, as a person would guess them. */
const GUESSED_MEASURES: Readonly<Record<string, string>> = {
  radius: '0.05',
  gyration: '0.3',
  length: '0.5',
  ends: '200,100,200,300',
  span: '0.5',
  angle: '10',
  fieldOfView: '40',
  size: '0.1,0.1,0.1',
  thickness: '0.002',
  width: '0.03',
  density: '1200',
};

/** Distance from the truth, in standard errors, within which what a wrong kind finds counts as right. */
const MAX_RIGHT_ERRORS = 3;

/**
 * Films of each kind given to the kinds of others: prints for each pair whether it is distrusted or fails, or is right, and
 * whether the right kind is named; then a table of kinds of films and kinds that were asked.
 */
export async function measureWrongKinds(
  folder: string,
  names: readonly string[],
  kinds: readonly Kind[],
): Promise<void> {
  const table: Record<string, Record<string, { films: number; good: number; named: number }>> = {};
  for (const name of names) {
    const record: FilmRecord = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
    for (const kind of kinds) {
      if (kind.name === record.kind) continue;
      const told = measuredTexts(kind, record, () => 0);
      // Something else takes the place of gravity where that is looked for.
      const instead = (told.gravity ?? 'null') === 'null' ? ['gyration', 'length'] : ['gyration'];
      const asked = Object.entries(kind.measures).filter(
        ([what, { default: own }]) => own === undefined || instead.includes(what),
      );
      const guessed = asked.flatMap(([what]) =>
        what in told || !(what in GUESSED_MEASURES) ? [] : [[what, GUESSED_MEASURES[what]]],
      );
      const background = join(folder, `${name}.plate.png`);
      const all: Record<string, string> = { ...told, ...Object.fromEntries(guessed), background };
      const takes = (what: string, text: string): boolean => {
        // A marked length says how far away the camera is, and no kind takes both.
        if ('ends' in told && (what === 'eye' || what === 'target')) return false;
        const measure = kind.measures[what];
        return measure !== undefined && (text !== 'null' || measure.isOptional === true || measure.default === null);
      };
      const set = Object.fromEntries(Object.entries(all).filter(([what, text]) => takes(what, text)));
      const { result, failed } = await estimated(join(folder, record.film), { called: kind.name, kind, set });
      const said = result?.verdict.findings.map(({ note }) => note).join(' ') ?? failed;
      const trusted = result?.verdict.trusted ?? false;
      const isNamed = said.includes(`gradsim new ${record.kind}`);
      const off = Object.entries(record.truth).flatMap(([what, truth]) => {
        const found = result?.parameters[what];
        return found && typeof truth === 'number' ? [errorsOff(found, truth) ?? Number.POSITIVE_INFINITY] : [];
      });
      const isRight = trusted && off.length > 0 && off.every((errors) => Math.abs(errors) < MAX_RIGHT_ERRORS);
      print({ film: name, kind: record.kind, asked: kind.name, trusted, isRight, isNamed, said });
      table[record.kind] ??= {};
      table[record.kind][kind.name] ??= { films: 0, good: 0, named: 0 };
      const pair = table[record.kind][kind.name];
      pair.films++;
      pair.good += Number(!trusted || isRight);
      pair.named += Number(isNamed);
    }
  }
  const pairs = Object.values(table).flatMap((row) => Object.values(row));
  const share = (of: 'good' | 'named'): number =>
    pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.reduce((sum, { films }) => sum + films, 0);
  print({ bench: 'wrong kinds', table, distrustedOrRight: share('good'), named: share('named') });
}

/** True if an interval contains a value: that of an unknown without a standard error, which a film bounds at most. */
const holds = (interval: StatedParameter['interval'], value: number): boolean =>
  interval !== null &&
  value >= (interval[0] ?? Number.NEGATIVE_INFINITY) &&
  value <= (interval[1] ?? Number.POSITIVE_INFINITY);

/** Kind of a film, as `gradsim new` calls it, and the texts of `--set`. */
interface CalledKind {
  readonly called: string;
  readonly kind: Kind;
  readonly set: Readonly<Record<string, string>>;
}

/** Runs both commands on a film; without a result one of them failed, for a reason. */
async function estimated(film: string, { called, kind, set }: CalledKind) {
  const scratch = join(dirname(film), `.${basename(film, extname(film))}`);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch);
  const sets = Object.entries(set).flatMap(([what, value]) => ['--set', `${what}=${value}`]);
  const experiment = join(scratch, kind.name);
  const calls = [
    ['new', called, '--video', film, '--out', experiment, ...sets],
    ['estimate', join(experiment, `${kind.name}.ts`), '--out', join(scratch, 'out')],
  ] as const;
  const commands = calls.map((call) => `gradsim ${call.map(quoted).join(' ')}`);
  try {
    const made = await run(calls[0]);
    const { said } = made.code === 0 ? await run(calls[1]) : made;
    const text = await readFile(join(scratch, 'out', 'result.json'), 'utf8').catch(() => undefined);
    const result: Result | undefined = text && JSON.parse(text).stages[0];
    return { result, commands, failed: `failed: ${said.trim().split('\n').at(-1)}` };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function quoted(word: string): string {
  return /^[\w./,=:-]+$/.test(word) ? word : `'${word}'`;
}

/** Runs the command, and returns its exit status and what it wrote on standard error. */
async function run(args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => {
    said += String(part);
  });
  const [code] = await once(child, 'close');
  return { code, said };
}
