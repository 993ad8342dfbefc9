// Where a camera stands, from one picture that another renderer took: rays cast through every pixel of a mesh. Says whether
// estimates are right and whether their verdicts are. `--renderers coverage,area` (of the model), `--shapes torus,box`,
// `--by alpha,rgba`, `--noise 0.01`, `--count 1` of each, `--seed 1`; with `--own yes` the model's renderer takes the picture.
import { RENDERERS } from './stills/renderers.ts';
import { SHAPES } from './stills/shapes.ts';
import { type Outcome, runTrial } from './stills/trial.ts';
import { benchOptions, chosenNames, print } from './support/options.ts';

const options = await benchOptions(['renderers', 'shapes', 'by', 'noise', 'count', 'seed', 'own']);
const { device } = options;
const renderers = chosenNames('renderers', options.text('renderers', ''), Object.keys(RENDERERS));
const shapes = chosenNames('shapes', options.text('shapes', ''), Object.keys(SHAPES));
const pictures = chosenNames('by', options.text('by', ''), ['alpha', 'rgba'] as const);
const noise = Number(options.text('noise', '0.01'));
const count = options.number('count', 1);
const seed = options.number('seed', 1);
const isOwn = options.text('own', 'no') === 'yes';

for (const renderer of renderers)
  for (const by of pictures) {
    const outcomes: Outcome[] = [];
    for (const [s, shape] of shapes.entries())
      for (let k = 0; k < count; k++) {
        const trial = { renderer, by, shape, noise, seed: 1000 * seed + 100 * s + k, isOwn };
        const outcome = await runTrial(trial, device);
        outcomes.push(outcome);
        print({ bench: 'stills', ...trial, ...outcome });
      }
    const [wrong, right] = [true, false].map((isWrong) => outcomes.filter((outcome) => outcome.isWrong === isWrong));
    print({
      bench: 'stills',
      summary: true,
      renderer,
      by,
      noise,
      isOwn,
      wrong: wrong.length,
      /** Distrusted, or with the truth within three of their standard errors. */
      wrongSeen: wrong.filter(({ trusted, bars }) => !trusted || bars <= 3).length,
      right: right.length,
      rightTrusted: right.filter(({ trusted }) => trusted).length,
    });
  }
device.dispose();
