import { randomNumbers } from '@gradsim/base';
import type { Model } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { Plan } from '../plan/plan.ts';
import type { FullOptions } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import type { Worlds } from '../problem/worlds.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Drawn values of all worlds, by field key: flat [world][element][component]. */
export type DrawnValues = ReadonlyMap<string, Float64Array>;

const OPTIONS = { count: true, draw: true, drawEachIteration: true, clip: true } as const;

/** Checks the worlds of a problem. @throws if they are invalid, or incompatible with its unknowns and options. */
export function refuseWorlds(
  worlds: Worlds,
  { model, observations = [] }: Pick<Problem, 'model' | 'observations'>,
  unknowns: Unknowns,
  { search }: FullOptions,
): void {
  refuseUnknownOptions<Worlds>("The problem's worlds", worlds, OPTIONS);
  const { count, draw, drawEachIteration = true, clip } = worlds;
  if (!(Number.isInteger(count) && count >= 1))
    throw new GradsimError(
      'optim/option-out-of-range',
      `The problem's worlds are ${describeValue(count)}; their count must be a whole number of at least 1.`,
    );
  if (typeof draw !== 'function')
    throw new GradsimError(
      'optim/no-function',
      "The problem's worlds need `draw`, a function that gives the values of one.",
    );
  if (clip !== undefined && !(clip > 0 && Number.isFinite(clip)))
    throw new GradsimError(
      'optim/option-out-of-range',
      `The \`clip\` of the problem's worlds is ${describeValue(clip)}.`,
      {
        hint: 'It must be a number above 0.',
      },
    );
  const shared = unknowns.fields.find((key) => model.field(key).shared);
  if (clip !== undefined && shared !== undefined)
    throw new GradsimError(
      'optim/shared-by-worlds',
      `The \`clip\` of the problem's worlds goes by the gradient of each, and ${shared} is shared by all, so that there is only their sum.`,
      { hint: 'Leave it out, use the option `clip`, or do not share it.' },
    );
  if (observations.length > 0)
    throw new GradsimError(
      'optim/losses-alone',
      'Worlds have losses, and no observations: what was seen is of one run.',
      { hint: 'Use `losses`, or leave `worlds` out.' },
    );
  if (search.method === 'levenberg-marquardt' || (drawEachIteration && search.method === 'l-bfgs'))
    throw new GradsimError(
      'optim/option-of-other-method',
      `The method ${search.method} compares losses of one iteration with those of another, which ${drawEachIteration ? 'worlds that are drawn anew do not have in common' : 'it does world by world'}.`,
      {
        hint: `Use \`method: 'adam'\`${search.method === 'l-bfgs' ? ', or draw once, with `drawEachIteration: false`' : ''}.`,
      },
    );
  for (const [name, none] of [
    ['starts', 1],
    ['scan', 0],
    ['hops', 0],
  ] as const)
    if (search[name] !== none)
      throw new GradsimError(
        'optim/worlds-already',
        `\`${name}\` is ${search[name]}, and the problem has worlds already.`,
        { hint: 'Leave one of them out.' },
      );
  drawOf(model, worlds, randomNumbers(search.seed), unknowns);
}

/** Returns a function that draws the worlds' values for the next iteration; reproducible for equal seed and frames. */
export function drawsOf({ run: { model, frames }, unknowns, options }: Plan, worlds: Worlds): () => DrawnValues {
  // Every horizon has draws of its own.
  const random = randomNumbers(options.search.seed + 7919 * frames);
  const first = drawOf(model, worlds, random, unknowns);
  let isFirst = true;
  return () => {
    const drawn = isFirst || worlds.drawEachIteration === false ? first : drawOf(model, worlds, random, unknowns);
    isFirst = false;
    return drawn;
  };
}

function drawOf(model: Model, { count, draw }: Worlds, random: () => number, unknowns: Unknowns): DrawnValues {
  const drawn = new Map<string, Float64Array>();
  for (let w = 0; w < count; w++) {
    const own = draw(random, w);
    const names = Object.keys(own);
    const other = w > 0 && (names.length !== drawn.size || names.some((key) => !drawn.has(key)));
    if (other)
      throw new GradsimError(
        'optim/wrong-draw',
        `World ${w} is drawn with ${names.join(', ') || 'nothing'}, and world 0 with ${[...drawn.keys()].join(', ') || 'nothing'}; all have values of the same fields.`,
      );
    for (const [key, values] of Object.entries(own)) {
      const field = model.field(key);
      const size = field.components * model.domain(field.domain).size;
      if (unknowns.fields.includes(field.key))
        throw new GradsimError(
          'optim/wrong-draw',
          `World ${w} is drawn with ${key}, to which an unknown goes, the same in all worlds.`,
          { field: key },
        );
      if (field.shared || field.variesBy)
        throw new GradsimError(
          'optim/wrong-draw',
          `World ${w} is drawn with ${key}, which ${field.shared ? 'all worlds share' : `has a value for every ${field.variesBy}`}; a world has values of other fields of its own.`,
          { field: key },
        );
      if (values.length !== size)
        throw new GradsimError(
          'optim/wrong-draw',
          `World ${w} is drawn with ${values.length} values of ${key}, which has ${size}.`,
          { field: key },
        );
      for (let k = 0; k < size; k++) {
        const flaw = flawOf(values[k], field);
        if (flaw)
          throw new GradsimError('optim/value-out-of-range', `World ${w} is drawn with ${key}[${k}] of ${values[k]}.`, {
            field: key,
            hint: `It must ${flaw}.`,
          });
      }
      const all = drawn.get(key) ?? new Float64Array(size * count);
      all.set(Array.from(values), w * size);
      drawn.set(key, all);
    }
  }
  return drawn;
}
