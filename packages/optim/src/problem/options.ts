import { GradsimError, refuseUnknownOptions } from '@gradsim/core';

export type Method = 'levenberg-marquardt' | 'l-bfgs' | 'adam' | 'sgd';
export const METHODS: readonly Method[] = ['levenberg-marquardt', 'l-bfgs', 'adam', 'sgd'];

/** How the unknowns are searched for. */
export interface SearchOptions {
  /**
   * `levenberg-marquardt` solves least squares with forward-mode Jacobians, one world for each unknown, for up to a few
   * dozen; it needs observations and nothing else. `l-bfgs`, `adam` and `sgd` (with momentum) follow gradients: one run
   * forward and one back an iteration, however many unknowns there are and whatever the loss is. Default
   * `levenberg-marquardt` where it can be used and there are no arrays, else `l-bfgs`.
   */
  readonly method?: Method;
  /** At most so many iterations: runs, of gradient methods forward and back. */
  readonly iterations?: number;
  /** Stops when the loss changes by less than this, relatively. */
  readonly tolerance?: number;
  /**
   * Step size of `adam` and `sgd`, and of the first step of `l-bfgs`, in natural steps of the unknowns' transformed
   * coordinates.
   */
  readonly learningRate?: number;
  /**
   * Of `l-bfgs`: the loss that is known to be attainable, 0 where the goal can be reached. The first step then goes, whatever
   * the `learningRate`, to where a square that falls along the gradient as the loss does would come to it, and on by false
   * position. Default: not known.
   */
  readonly attainable?: number;
  /**
   * Of `l-bfgs` with `attainable`: the first line is left where no more than this share of what there was to gain remains.
   * A small one suits long runs with contact, whose gradients hold for one line and say little for the next. Default 0.05.
   */
  readonly remainder?: number;
  /**
   * Of `adam` and `sgd`: the longest gradient that is followed, d loss / d natural step over all unknowns; a longer one is
   * shortened to it, and the iteration says so. Default: none is shortened.
   */
  readonly clip?: number;
  /** What the step size of `adam` and `sgd` is multiplied by after every step. Default 1. */
  readonly decay?: number;
  /** How much of the last mean gradient and of the last mean square `adam` keeps. Defaults 0.9 and 0.999. */
  readonly beta1?: number;
  readonly beta2?: number;
  /** Added by `adam` to the root of the mean square. Default 1e-12. */
  readonly epsilon?: number;
  /** How much of the last step `sgd` takes again. Default 0.9. */
  readonly momentum?: number;
  /** Pairs of steps and changes of the gradient from which `l-bfgs` knows the curvature. Default 10. */
  readonly pairs?: number;
  /**
   * Starts that run side by side as worlds of one batch: the first from the unknowns' initial values, the others
   * drawn from their ranges. At most 100,000. Default 1.
   */
  readonly starts?: number;
  /** Points drawn from the ranges and rendered once before the descent; the best become starts. At most 1,000,000. Default 0. */
  readonly scan?: number;
  /**
   * Shares of the frames to estimate from, one after another, ascending to 1: `[0.25, 0.5, 1]` begins with the first
   * quarter. Every stage begins at the ends of the one before and, where there is a Hessian, at points drawn around them,
   * over the whole range of what is not determined yet. Contact makes long videos hard to begin with: what happens late
   * depends on everything before, while the flight before the first contact already tells the mass. Not for models that
   * hold values frame by frame, nor for losses that are functions of what was recorded. `growing` chooses them as it goes:
   * each as far as the one before foretells the frames, and a little more, so that they grow by small steps around contacts
   * and by long ones in flight. Default `[1]`.
   */
  readonly horizons?: readonly number[] | 'growing';
  /**
   * Rounds of looking around the end of each descent and descending again from a better point: contact makes small
   * false minima. Ends when a round finds nothing or the fit is exact. Looks as far as the Hessian suggests, which gradient
   * methods have with {@link UncertaintyOptions.standardErrors}. Default 0.
   */
  readonly hops?: number;
  /** Seed of what is drawn, here and for a bootstrap. Default 1. */
  readonly seed?: number;
}

/** Whether and how it is found how sure the estimate is. */
export interface UncertaintyOptions {
  /**
   * Whether gradient methods find standard errors at the end, which takes a tangent for each unknown. Levenberg-Marquardt
   * has them anyway. Default false.
   */
  readonly standardErrors?: boolean;
  /**
   * How 95 % intervals are found beside those of the curvature: by `profile`, the loss refitted over the others along each
   * unknown until it has risen enough, in at most 20 iterations for each end; by `bootstrap`, 320 estimates from residuals drawn
   * anew in blocks of frames, in as many runs without derivatives. Default `curvature`: not at all.
   */
  readonly intervals?: 'curvature' | 'profile' | 'bootstrap';
  /**
   * Whether the same is estimated again with half the substep and, where the problem has `refined`, with a finer mesh, in a
   * few steps from the estimate: the verdict names what moves by more than its standard error. Default false.
   */
  readonly verify?: boolean;
}

/** Options of an estimation. */
export interface EstimateOptions {
  readonly search?: SearchOptions;
  readonly uncertainty?: UncertaintyOptions;
  /** Bytes for the run's history. Default 256e6. */
  readonly memory?: number;
}

/** Options with their defaults. */
export interface FullOptions {
  readonly search: Required<Omit<SearchOptions, 'attainable' | 'clip'>> & Pick<SearchOptions, 'attainable' | 'clip'>;
  readonly uncertainty: Required<UncertaintyOptions>;
  readonly memory: number;
}

export const ESTIMATE_DEFAULTS = {
  search: {
    iterations: 100,
    tolerance: 1e-7,
    learningRate: 0.05,
    decay: 1,
    beta1: 0.9,
    beta2: 0.999,
    epsilon: 1e-12,
    momentum: 0.9,
    pairs: 10,
    remainder: 0.05,
    starts: 1,
    scan: 0,
    horizons: [1] as readonly number[] | 'growing',
    hops: 0,
    seed: 1,
  },
  uncertainty: { standardErrors: false, intervals: 'curvature', verify: false },
  memory: 256e6,
} as const satisfies Omit<FullOptions, 'search'> & { readonly search: Omit<FullOptions['search'], 'method'> };

/** Most starts: each is a world of one batch, and so many of even one particle take the better part of a gigabyte. */
const MOST_STARTS = 100_000;
/** Most points drawn before the descent: all of them are held in memory. */
const MOST_SCANNED = 1_000_000;

const INTERVALS: readonly FullOptions['uncertainty']['intervals'][] = ['curvature', 'profile', 'bootstrap'];

/** What the choice of a method hangs on. */
interface Suited {
  /** A loss that is no sum of squared residuals. */
  readonly withoutResiduals: string | undefined;
  readonly hasArrays: boolean;
}

/** Options without those that are undefined. */
const given = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Names of a group's options. */
const SEARCH = { ...ESTIMATE_DEFAULTS.search, method: true, attainable: true, clip: true };
const UNCERTAINTY = ESTIMATE_DEFAULTS.uncertainty;

/** @throws for an option that is not there, or in another group. */
function refuseMisplaced(options: EstimateOptions): void {
  for (const name of Object.keys(options)) {
    const group = Object.hasOwn(SEARCH, name) ? 'search' : Object.hasOwn(UNCERTAINTY, name) ? 'uncertainty' : null;
    if (group)
      throw new GradsimError(
        'optim/option-in-other-group',
        `The problem's option \`${name}\` belongs in a group: \`options: { ${group}: { ${name} } }\`.`,
      );
  }
  refuseUnknownOptions<EstimateOptions>("The problem's options", options, ESTIMATE_DEFAULTS);
  const { search = {}, uncertainty = {} } = options;
  if (typeof uncertainty === 'boolean')
    throw new GradsimError(
      'optim/option-in-other-group',
      `The problem's \`uncertainty\` is ${uncertainty}, and a group of options: \`uncertainty: { standardErrors: ${uncertainty} }\`.`,
    );
  refuseUnknownOptions<SearchOptions>("The problem's options for `search`", search, SEARCH);
  refuseUnknownOptions<UncertaintyOptions>("The problem's options for `uncertainty`", uncertainty, UNCERTAINTY);
}

/**
 * The options with their defaults.
 * @throws for a method that is not there or does not suit the losses, numbers out of range, or horizons that do not
 * ascend to the whole, 1.
 */
export function fullOptions(options: EstimateOptions = {}, { withoutResiduals, hasArrays }: Suited): FullOptions {
  refuseMisplaced(options);
  const method = withoutResiduals === undefined && !hasArrays ? 'levenberg-marquardt' : 'l-bfgs';
  const full: FullOptions = {
    search: { method, ...ESTIMATE_DEFAULTS.search, ...given(options.search ?? {}) },
    uncertainty: { ...ESTIMATE_DEFAULTS.uncertainty, ...given(options.uncertainty ?? {}) },
    memory: options.memory ?? ESTIMATE_DEFAULTS.memory,
  };
  const { search, uncertainty } = full;
  checkNumbers(search);
  checkHorizons(search.horizons);
  if (!METHODS.includes(search.method))
    throw new GradsimError(
      'optim/unknown-choice',
      `There is no method "${search.method}"; the methods are ${METHODS.join(', ')}.`,
    );
  if (!INTERVALS.includes(uncertainty.intervals))
    throw new GradsimError(
      'optim/unknown-choice',
      `There are no intervals by "${uncertainty.intervals}"; there are those by ${INTERVALS.join(', ')}.`,
    );
  if (withoutResiduals === undefined) refuseWithoutErrors(full);
  else refuseResiduals(full, withoutResiduals);
  return full;
}

const asks = ({ uncertainty: { verify, intervals } }: FullOptions) => ({
  verify,
  intervals: intervals !== 'curvature',
});

/** @throws for options that go by standard errors, which the method does not have. */
function refuseWithoutErrors(options: FullOptions): void {
  const { method, hops } = options.search;
  if (method === 'levenberg-marquardt' || options.uncertainty.standardErrors) return;
  const remedy = `set \`uncertainty: { standardErrors: true }\` for it`;
  if (hops > 0)
    throw new GradsimError(
      'optim/hessian-missing',
      `\`hops\` look as far around an end as its Hessian suggests, which ${method} does not have: ${remedy}, or leave \`hops\` out.`,
    );
  const { verify, intervals } = asks(options);
  if (!verify && !intervals) return;
  const name = verify ? 'verify' : 'intervals';
  throw new GradsimError(
    'optim/hessian-missing',
    `\`${name}\` goes by standard errors, and ${method} has none: ${remedy}, or leave \`${name}\` out.`,
  );
}

/** @throws for options that go by residuals, of a loss that has none. */
function refuseResiduals(options: FullOptions, loss: string): void {
  const { method, hops } = options.search;
  if (method === 'levenberg-marquardt')
    throw new GradsimError(
      'optim/residuals-missing',
      `levenberg-marquardt solves least squares, and the loss ${loss} has no residuals, only a gradient.`,
      {
        hint: "Use `method: 'l-bfgs'` or 'adam'. A loss that is a sum of squares can be an observation, with target 0, of a field that holds what is squared.",
      },
    );
  const asked = { standardErrors: options.uncertainty.standardErrors, hops: hops > 0, ...asks(options) };
  for (const [name, isAsked] of Object.entries(asked))
    if (isAsked)
      throw new GradsimError(
        'optim/residuals-missing',
        `\`${name}\` needs the Gauss-Newton Hessian of residuals, and the loss ${loss} has none.`,
        { hint: 'Leave it out.' },
      );
}

/** Why a problem is estimated by its method, in words that follow its name. */
export function methodReasonOf(options: EstimateOptions | undefined, { withoutResiduals, hasArrays }: Suited): string {
  if (options?.search?.method !== undefined) return 'as the problem says';
  if (withoutResiduals !== undefined) return `since the loss ${withoutResiduals} is no sum of squared residuals`;
  return hasArrays
    ? 'since there are arrays, and Levenberg-Marquardt takes a tangent for each of their values'
    : 'since there are residuals of observations alone, and no arrays';
}

function checkNumbers(search: FullOptions['search']): void {
  const least = { iterations: 0, starts: 1, scan: 0, hops: 0, seed: 0, pairs: 1 } as const;
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    if (!(Number.isInteger(search[name]) && search[name] >= least[name]))
      throw new GradsimError('optim/option-out-of-range', `\`${name}\` is ${search[name]}.`, {
        hint: `It must be a whole number of at least ${least[name]}.`,
      });
  }
  for (const [name, most] of [
    ['starts', MOST_STARTS],
    ['scan', MOST_SCANNED],
  ] as const)
    if (search[name] > most)
      throw new GradsimError(
        'optim/option-out-of-range',
        `\`${name}\` is ${search[name]}; at most ${most} are allowed.`,
      );
  for (const name of ['tolerance', 'learningRate', 'epsilon'] as const) {
    if (!(search[name] >= 0 && Number.isFinite(search[name])))
      throw new GradsimError('optim/option-out-of-range', `\`${name}\` is ${search[name]}.`, {
        hint: 'It must be a number of at least 0.',
      });
  }
  if (!(search.remainder > 0 && search.remainder < 1))
    throw new GradsimError('optim/option-out-of-range', `\`remainder\` is ${search.remainder}.`, {
      hint: 'It must be above 0 and below 1.',
    });
  for (const name of ['beta1', 'beta2', 'momentum'] as const) {
    if (!(search[name] >= 0 && search[name] < 1))
      throw new GradsimError('optim/option-out-of-range', `\`${name}\` is ${search[name]}.`, {
        hint: 'It must be at least 0 and below 1.',
      });
  }
  const { clip, method } = search;
  if (clip !== undefined && !(clip > 0 && Number.isFinite(clip)))
    throw new GradsimError('optim/option-out-of-range', `\`clip\` is ${clip}.`, {
      hint: 'It must be a number above 0.',
    });
  if (clip !== undefined && method !== 'adam' && method !== 'sgd')
    throw new GradsimError(
      'optim/option-of-other-method',
      `\`clip\` shortens gradients of adam and sgd; ${method} takes the lengths of its steps from how the loss changes.`,
      { hint: "Leave it out, or use `method: 'adam'`." },
    );
  if (search.attainable !== undefined && method !== 'l-bfgs')
    throw new GradsimError(
      'optim/option-of-other-method',
      `\`attainable\` is for \`method: 'l-bfgs'\`, not for ${method}.`,
      { hint: 'Leave it out.' },
    );
  if (search.attainable !== undefined && !Number.isFinite(search.attainable))
    throw new GradsimError('optim/option-out-of-range', `\`attainable\` is ${search.attainable}.`, {
      hint: 'It must be a finite number.',
    });
  if (!(search.decay > 0 && search.decay <= 1))
    throw new GradsimError('optim/option-out-of-range', `\`decay\` is ${search.decay}.`, {
      hint: 'It must be above 0 and at most 1.',
    });
}

function checkHorizons(horizons: FullOptions['search']['horizons']): void {
  if (horizons === 'growing') return;
  if (!Array.isArray(horizons))
    throw new GradsimError('optim/option-out-of-range', `The horizons are ${horizons}.`, {
      hint: "They must be a list of shares, or 'growing'.",
    });
  const ascends = horizons.every((share, k) => k === 0 || share > horizons[k - 1]);
  if (!ascends || horizons[horizons.length - 1] !== 1)
    throw new GradsimError('optim/option-out-of-range', `The horizons are ${horizons.join(', ') || 'none'}.`, {
      hint: 'They must ascend and end with 1, all frames.',
    });
}
