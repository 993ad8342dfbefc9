// What `gradsim new robot` takes for 90 s of six joints at 500 Hz, and whether decimated logs give the same: processor time,
// memory, and estimates against the truth and against those of the whole log, from each of its parts of every second or fourth
// sample. A JSON line for every decimation.
// `--samples 45000`, `--seed 5`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFrom } from './robots/draw.ts';
import { decimated, guessedUrdf, sixJointLog, sixJointParameters } from './robots/six-joints.ts';
import { truthOf } from './robots/trial.ts';
import { COMMAND } from './support/command.ts';
import { benchOptions, print } from './support/options.ts';

/** A module by which a process says as it ends, in its last line, what it took. */
const TAKEN = `data:text/javascript,process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();console.error(JSON.stringify({peakMegabytes:maxRSS/1024,processorSeconds:(userCPUTime+systemCPUTime)/1e6}))})`;

/** An estimate of `gradsim new robot --json`. */
interface Combination {
  readonly name: string;
  readonly estimate: number;
  readonly standardError: number;
}

const options = await benchOptions(['samples', 'seed']);
options.device.dispose();
const samples = options.number('samples', 45_000);
const seed = options.number('seed', 5);
const draw = drawFrom(seed);
const folder = mkdtempSync(join(tmpdir(), 'gradsim-robot-speed-'));
const rms = (values: readonly number[]): number => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
const truth = sixJointParameters();
try {
  const model = join(folder, 'six.urdf');
  writeFileSync(model, guessedUrdf(draw));
  const [log, heldOut] = [sixJointLog(draw, samples), sixJointLog(draw, Math.round(samples / 3))];
  let whole: readonly Combination[] = [];
  for (const by of [1, 2, 4]) {
    const answers = Array.from({ length: by }, (_, from) =>
      answerTo(decimated(log, by, from), decimated(heldOut, by, from)),
    );
    const [{ combinations, trusted, taken }] = answers;
    whole = by === 1 ? combinations : whole;
    const bars = combinations.map(
      ({ name, estimate, standardError }) => (estimate - truthOf(name, truth)) / standardError,
    );
    const moves = answers.map((answer) =>
      answer.combinations.map(({ estimate, standardError }, k) => (estimate - whole[k].estimate) / standardError),
    );
    print({
      bench: 'robot-speed',
      seed,
      decimation: by,
      samples: Math.ceil(samples / by),
      ...taken,
      trusted,
      errorInBars: rms(bars),
      withinTwoBars: bars.filter((x) => Math.abs(x) <= 2).length / bars.length,
      movedInBars: rms(moves.flat()),
      mostMovedInBars: Math.max(...moves.flat().map(Math.abs)),
      // All parts together have the noise of the whole log, so that what their mean is off by is none.
      movedInTheMean: rms(combinations.map((_, k) => moves.reduce((sum, own) => sum + own[k], 0) / by)),
      barOverThatOfWhole: rms(combinations.map(({ standardError }, k) => standardError / whole[k].standardError)),
    });
  }

  function answerTo(fitted: string, held: string) {
    const at = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const logs = ['--log', at('a.csv', fitted), '--hold-out', at('b.csv', held)];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--import',
        TAKEN,
        COMMAND,
        'new',
        'robot',
        '--model',
        model,
        ...logs,
        '--json',
        '--force',
        '--out',
        join(folder, 'out'),
      ],
      { encoding: 'utf8', maxBuffer: 2 ** 26 },
    );
    if (stdout === '') throw new Error(stderr);
    const { combinations, verdict } = JSON.parse(stdout) as {
      readonly combinations: readonly Combination[];
      readonly verdict: { readonly trusted: boolean };
    };
    return { combinations, trusted: verdict.trusted, taken: JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') };
  }
} finally {
  rmSync(folder, { recursive: true });
}
