// Random scenes of what the packages have, bodies, particles, springs, cloth, soft bodies, links and all that touches,
// and whether their derivatives are right: `--count 300 --seed 1`. Every second one is planar, symmetric or at rest,
// with zeros and defaults. In doubles: the adjoint against the tangent, and against central differences at four steps
// or, where they do not settle, against one-sided slopes: at a tie it must lie between them. Each scene that is wrong is
// a line with its figures, shrunk, and how to see it again; then the exit status is 1. `--from N` begins at the N-th
// scene of the series.
import { parseArgs } from 'node:util';
import { runScenes } from './scenes/series.ts';
import { print, wholeNumber } from './support/options.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    each: { type: 'boolean', default: false },
  },
});
const whole = (name: 'count' | 'seed' | 'from'): number => wholeNumber(name, values[name], 0);
const [count, seed, from] = [whole('count'), whole('seed'), whole('from')];
const began = performance.now();
const result = await runScenes({
  seed,
  count,
  from,
  onFinding: ({ scene, ...finding }) =>
    print({
      bench: 'scenes',
      scene,
      ...finding,
      again: `npm run -s bench -- scenes --seed ${seed} --from ${scene} --count 1`,
    }),
  onJudged: values.each ? (scene, judged) => judged.forEach((one) => print({ scene, ...one })) : undefined,
});
const seconds = Math.round((performance.now() - began) / 100) / 10;
print({ bench: 'scenes', seed, from, ...result, seconds });
if (result.wrong > 0) process.exitCode = 1;
