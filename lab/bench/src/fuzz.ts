// Inputs that are wrong on purpose at a known place, and whole ones, given to what takes them: files of meshes and films,
// scenes, sequences of calls, command lines, cameras, tables of poses, markers, joints and tracks, recordings of other programs, robots, films that an ffmpeg decodes which
// misbehaves, raw requests, servers and jobs of a queue that others wrote, numbers, bombs, special files, names and options. `--count 1000 --seed 1`; `--kind meshes` (or another that fuzz/kinds has) takes all of one, `--from N` begins at the N-th of the series. Each that crashes, hangs, is accepted although it is wrong, is
// refused although it is right, or is refused without naming what is wrong, is a line with how to run it again.
import { parseArgs } from 'node:util';
import { Runner } from './fuzz/runner.ts';
import { print, wholeNumber } from './support/options.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    kind: { type: 'string' },
  },
});
const whole = (name: 'count' | 'seed' | 'from'): number => wholeNumber(name, values[name], 0);
const [count, seed, from] = [whole('count'), whole('seed'), whole('from')];
/** Number of cases of each kind among three hundred: fast kinds get more. */
const CASES_PER_KIND = {
  meshes: 48,
  scenes: 40,
  calls: 40,
  films: 16,
  commands: 4,
  requests: 2,
  journals: 2,
  modules: 6,
  folders: 2,
  cameras: 10,
  poses: 8,
  tables: 4,
  tracks: 8,
  recorded: 8,
  robots: 9,
  decoders: 1,
  studio: 30,
  redis: 1,
  forgeries: 1,
  numbers: 12,
  bombs: 4,
  specials: 12,
  names: 10,
  options: 30,
};
const MIX = Object.entries(CASES_PER_KIND).flatMap(([kind, share]) => Array<string>(share).fill(kind));
const kindOf = (n: number): string => values.kind ?? MIX[n % MIX.length];

const runner = new Runner();
const began = performance.now();
const verdicts = { fine: 0, crash: 0, hang: 0, silent: 0, refusal: 0, unclear: 0 };
const came = { accepted: 0, refused: 0, broke: 0 };
const kinds: Record<string, number> = {};
let undetectable = 0;
for (let n = from; n < from + count; n++) {
  const kind = kindOf(n);
  const result = await runner.run(kind, seed, n);
  verdicts[result.verdict]++;
  came[result.came]++;
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (result.isUndetectable) undetectable++;
  if (result.verdict === 'fine') continue;
  const again = `npm run -s bench -- fuzz --kind ${kind} --seed ${seed} --from ${n} --count 1`;
  print({
    bench: 'fuzz',
    kind,
    case: n,
    verdict: result.verdict,
    about: result.about,
    detail: result.detail,
    again,
  });
}
runner.end();
print({
  bench: 'fuzz',
  seed,
  from,
  count,
  kinds,
  crashes: verdicts.crash,
  hangs: verdicts.hang,
  silent: verdicts.silent,
  wronglyRefused: verdicts.refusal,
  unclear: verdicts.unclear,
  accepted: came.accepted,
  refused: came.refused,
  // Changed where the format has nothing to show it by: a digit of a position, a colour, compressed data.
  undetectable,
  seconds: Math.round((performance.now() - began) / 100) / 10,
});
process.exit(verdicts.fine === count ? 0 : 1);
