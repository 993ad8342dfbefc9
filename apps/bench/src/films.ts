// Physical parameters from films of known truth, as one who films finds them: each by `gradsim new` and `gradsim estimate`, no
// line of code; the commands are printed. --films out/films, which `npm run -s films` makes; --kinds ball,slide of those that
// there are, --each 12 of each kind from --first 0, --spoiled 12 of those that are spoiled. What was measured beside a film is off by the
// errors that its tolerances say, drawn by --seed 1; with --exact 1 it is exact, and told so. What is not trusted counts as
// missed.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Random } from '@gradsim/films/random';
import type { FilmRecord } from '@gradsim/films/record';
import { KINDS } from '@gradsim/kinds';
import { median } from '@gradsim/numeric';
import { measuredTexts } from './films/measured.ts';
import { COMMAND } from './support/command.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['films', 'kinds', 'each', 'first', 'spoiled', 'seed', 'exact']);
const folder = resolve(options.text('films', 'out/films'));
const first = options.number('first', 0);
const seed = options.number('seed', 1);
const isExact = options.number('exact', 0) === 1;
const ofFilms = KINDS.filter(({ measures }) => 'video' in measures);
const chosen = options.text('kinds', ofFilms.map(({ name }) => name).join(',')).split(',');
for (const kind of chosen)
  if (!ofFilms.some(({ name }) => name === kind))
    throw new Error(`--kinds takes ${ofFilms.map(({ name }) => name).join(', ')}, not ${kind}.`);
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${name}-${String(first + k).padStart(2, '0')}`);
const names = [
  ...chosen.flatMap((kind) => numbered(kind, options.number('each', 12))),
  ...numbered('spoiled', options.number('spoiled', 0)),
];

/** A parameter in the result of `gradsim estimate`. */
interface Told {
  readonly estimate: number;
  readonly standardError: number | null;
}

interface Result {
  readonly residual: number;
  readonly verdict: { readonly trusted: boolean; readonly findings: readonly { readonly kind: string }[] };
  readonly parameters: Readonly<Record<string, Told>>;
  readonly derived?: Readonly<Record<string, Told>>;
}

let [lines, within, beyond, good, distrusted, spoiled, named] = [0, 0, 0, 0, 0, 0, 0];
const [squares, times]: [number[], number[]] = [[], []];
for (const name of names) {
  const record: FilmRecord = JSON.parse(
    await readFile(join(folder, `${name}.json`), 'utf8').catch(() => {
      throw new Error(
        `There is no film ${name} in ${folder}: make the films by \`npm run -s films -- --out ${folder}\`.`,
      );
    }),
  );
  // By its number, so that the errors of a film are those of every choice of films.
  const random = new Random(1000 * seed + record.number);
  const began = performance.now();
  const { result, commands, failed } = await estimated(name, record, isExact ? null : () => random.normal());
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
  const kind = KINDS.find((each) => each.name === record.kind)!;
  print({
    film: name,
    kind: record.kind,
    version: kind.version,
    commands,
    verdict: trusted ? 'trusted' : (result?.verdict.findings[0].kind ?? failed),
    residual: result?.residual ?? null,
    seconds,
    ...(record.spoiled && { spoiled: record.spoiled.how }),
  });
  for (const [parameter, truth] of Object.entries(record.truth)) {
    const { estimate = null, standardError = null } = { ...result?.parameters, ...result?.derived }[parameter] ?? {};
    const standardErrorsOff = estimate === null || !standardError ? null : (estimate - truth) / standardError;
    if (!record.spoiled) {
      lines++;
      within += Number(trusted && standardErrorsOff !== null && Math.abs(standardErrorsOff) <= 2);
      beyond += Number(trusted && standardErrorsOff !== null && Math.abs(standardErrorsOff) > 4);
      if (trusted && standardErrorsOff !== null) squares.push(standardErrorsOff ** 2);
    }
    print({ film: name, parameter, truth, estimate, standardError, standardErrorsOff });
  }
}
const sum = squares.reduce((total, square) => total + square, 0);
print({
  bench: 'films',
  device: options.device.kind,
  measured: isExact ? 'exact' : 'as the tolerances say',
  lines,
  within,
  beyond,
  films: good,
  distrusted,
  spoiled,
  named,
  // 1 where bars are as wide as the estimates scatter.
  barOverScatter: Math.sqrt(squares.length / sum),
  secondsMedian: median(times),
});
options.device.dispose();

/** Runs both commands on a film; without a result they failed, for a reason. */
async function estimated(name: string, record: FilmRecord, normal: (() => number) | null) {
  const scratch = join(folder, `.${name}`);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch);
  const set = { ...measuredTexts(record, normal), background: join(folder, `${name}.plate.png`) };
  const sets = Object.entries(set).flatMap(([what, value]) => ['--set', `${what}=${value}`]);
  const experiment = join(scratch, record.kind);
  const calls = [
    ['new', record.kind, '--video', join(folder, record.film), '--out', experiment, ...sets],
    ['estimate', join(experiment, `${record.kind}.ts`), '--out', join(scratch, 'out')],
  ];
  const commands = calls.map((call) => `gradsim ${call.map(quoted).join(' ')}`);
  try {
    let said = '';
    for (const call of calls) said = run(call) || said;
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

/** Runs the command, and returns what it wrote on standard error. */
function run(args: readonly string[]): string {
  return spawnSync(process.execPath, [COMMAND, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }).stderr;
}
