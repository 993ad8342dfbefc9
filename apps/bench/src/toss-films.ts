// Boxes that are tossed onto a floor, from films of known truth, as one who films his own: each by `gradsim new toss` and
// `gradsim estimate`, no line of code. --films out/films, of `npm run -s films -- --kinds toss --spoiled 0`; --each 12 of them, --first 0.
// Gravity is not told, it is found as well. What is not trusted, or not determined, counts neither as right nor as wrong.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FilmRecord } from '@gradsim/films/record';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['films', 'each', 'first']);
const folder = resolve(options.text('films', 'out/films'));
const first = options.number('first', 0);
const command = join(dirname(fileURLToPath(import.meta.resolve('gradsim'))), 'main.js');

/** Names in the experiment by names in the film's record of the truth. */
const NAMES: Readonly<Record<string, string>> = {
  restitution: 'restitution',
  mu: 'friction',
  gravity: 'gravity',
  speed: 'speed',
  spin: 'spin',
};

interface Told {
  readonly estimate: number;
  readonly standardError: number | null;
}

let [films, trusted, lines, within] = [0, 0, 0, 0];
for (let k = first; k < first + options.number('each', 12); k++) {
  const name = `toss-${String(k).padStart(2, '0')}`;
  const record: FilmRecord = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  const began = performance.now();
  const result = await estimated(name, record);
  const seconds = (performance.now() - began) / 1000;
  const isTrusted = result?.verdict.trusted ?? false;
  films++;
  trusted += Number(isTrusted);
  for (const [parameter, truth] of Object.entries(record.truth)) {
    const told = { ...result?.parameters, ...result?.derived }[NAMES[parameter]];
    const estimate = told ? (parameter === 'gravity' ? -told.estimate : told.estimate) : null;
    const standardError = told?.standardError ?? null;
    const errorsOff = estimate === null || !standardError ? null : (estimate - truth) / standardError;
    if (isTrusted && errorsOff !== null) {
      lines++;
      within += Number(Math.abs(errorsOff) <= 2);
    }
    print({
      film: name,
      parameter,
      truth,
      estimate,
      standardError,
      standardErrorsOff: errorsOff,
      seconds,
      verdict: isTrusted ? 'trusted' : (result?.verdict.findings[0]?.note ?? 'failed'),
    });
  }
}
print({ bench: 'toss-films', device: options.device.kind, films, trusted, lines, within });

/** Runs both commands on a film and returns their estimates; undefined if they fail. */
async function estimated(name: string, { camera, known }: FilmRecord) {
  const scratch = await mkdtemp(join(folder, '.toss-'));
  try {
    const set = Object.entries({
      size: (known.halfSizes as readonly number[]).map((half) => 2 * half).join(','),
      eye: camera.eye.join(','),
      target: camera.target.join(','),
      fieldOfView: (camera.fieldOfView * 180) / Math.PI,
      gravity: 'null',
      chroma: 'centre',
      background: join(folder, `${name}.plate.png`),
    }).flatMap(([what, value]) => ['--set', `${what}=${value}`]);
    const experiment = join(scratch, 'toss');
    await run(['new', 'toss', '--video', join(folder, `${name}.mp4`), '--out', experiment, ...set]);
    await run(['estimate', join(experiment, 'toss.ts'), '--out', join(scratch, 'out')]);
    const { stages } = JSON.parse(await readFile(join(scratch, 'out', 'result.json'), 'utf8'));
    return stages[0] as {
      readonly verdict: {
        readonly trusted: boolean;
        readonly findings: readonly { readonly note: string }[];
      };
      readonly parameters: Readonly<Record<string, Told>>;
      readonly derived: Readonly<Record<string, Told>>;
    };
  } catch {
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'close');
}
