import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { AnyCheck } from '../posterior/check.ts';
import { refuseChecks } from '../posterior/check.ts';
import type { Posterior } from '../posterior/posterior.ts';
import { POSTERIOR_PROPERTIES } from '../posterior/posterior.ts';

export type Method = 'levenberg-marquardt' | 'l-bfgs' | 'adam' | 'sgd';
export const METHODS: readonly Method[] = ['levenberg-marquardt', 'l-bfgs', 'adam', 'sgd'];

/** Options of the search for the values of the unknowns. */
export interface SearchOptions {
  /**
   * Search method. `levenberg-marquardt` solves least squares with forward-mode Jacobians, one world per unknown, and
   * suits up to a few dozen unknowns; all losses must be observations. `l-bfgs`, `adam` and `sgd` (with momentum)
   * follow gradients: one forward and one backward run per iteration, for any number of unknowns and any loss. Default
   * `levenberg-marquardt` if all losses are observations and there are no arrays, else `l-bfgs`.
   */
  readonly method?: Method;
  /** Maximum number of iterations. One is a forward run, for gradient methods also a backward run. */
  readonly iterations?: number;
  /** Relative decrease of the loss below which the search ends. */
  readonly tolerance?: number;
  /** Step size of `adam` and `sgd`, and of the first step of `l-bfgs`, in natural steps (`scale`) of the unknowns. */
  readonly learningRate?: number;
  /**
   * For `l-bfgs`: a loss known to be attainable, for example 0 if a goal can be reached. The first step then ignores
   * `learningRate`: its length is that at which a quadratic with the present loss and slope, and this minimum, has its
   * minimum; the line search continues by false position. Default: unknown.
   */
  readonly attainable?: number;
  /**
   * For `l-bfgs` with `attainable`: share of the difference between loss and `attainable` that may remain when the
   * first line search ends. A small share suits long runs with contact, whose gradients help along one line and little
   * beyond it. Default 0.05.
   */
  readonly remainder?: number;
  /**
   * For `adam` and `sgd`: maximum Euclidean norm of the gradient, d loss / d natural step over all unknowns. A longer
   * gradient is scaled down to it, and the iteration reports its original norm. Default: no limit.
   */
  readonly clip?: number;
  /** Factor by which the step size of `adam` and `sgd` is multiplied after every step. Default 1. */
  readonly decay?: number;
  /**
   * Decay rate of `adam`'s mean gradient. Default 0.9. `beta2`: decay rate of its mean squared gradient. Default 0.999.
   */
  readonly beta1?: number;
  readonly beta2?: number;
  /** Constant that `adam` adds to the root of the mean squared gradient. Default 1e-12. */
  readonly epsilon?: number;
  /** Share of the previous step that `sgd` adds to each step. Default 0.9. */
  readonly momentum?: number;
  /** Number of recent steps, with their gradient changes, that `l-bfgs` stores. Default 10. */
  readonly pairs?: number;
  /**
   * Number of starting points, which run side by side as worlds of one batch: first the unknowns' initial values, then
   * points drawn from their ranges. At most 100,000. Default 1.
   */
  readonly starts?: number;
  /**
   * Number of points that are drawn from the ranges and evaluated once before the descent; the best of them become
   * starting points. At most 1,000,000. Default 0.
   */
  readonly scan?: number;
  /**
   * Shares of the frames over which the problem is estimated, one after another, ascending to 1: `[0.25, 0.5, 1]`
   * begins with the first quarter. Each stage starts at the ends of the previous one and, if there is a Hessian, at
   * points drawn around them, over the whole range of what is not determined yet. Contact makes long films hard to
   * start with: late frames depend on everything before, while the flight before the first contact already determines
   * the mass. Not for models that hold values of every frame, nor for losses that are functions of recorded fields.
   * `growing` chooses the shares during the search: each extends as far as the present estimate predicts the frames,
   * and a little more, so that steps are small around contacts and long in flight. Default `growing` for
   * Levenberg-Marquardt from one start without `iterations`, if at least a dozen frames are compared and the run can be
   * cut at any frame; else `[1]`.
   */
  readonly horizons?: readonly number[] | 'growing';
  /**
   * Maximum number of hops out of small false minima, which contact makes. A hop descends from a better point around
   * the end of the search, if one is found, and with several `starts` also from points on both sides of the end along the
   * least determined direction, as many at once as there are starts. Hops stop when all descents return to the same minimum, when
   * two in a row gain nothing, or when the fit is exact. The search radius follows from the Hessian, which gradient
   * methods have only with {@link UncertaintyOptions.standardErrors}. Default 0.
   */
  readonly hops?: number;
  /**
   * Mean of weighted squared residuals (`parts.observations`) that an earlier search reached and whose estimate is the
   * start of this one; a result clearly above it is not trusted. Default: unknown.
   */
  readonly reached?: number;
  /** Seed of all random draws of the search and the bootstrap. Default 1. */
  readonly seed?: number;
}

/** Options for the uncertainty of the estimate. */
export interface UncertaintyOptions {
  /**
   * True to compute standard errors, intervals and what the verdict needs from derivatives at the end: one tangent per
   * unknown, and for each two runs more to check them. False for an estimate that only provides a start. Default: true
   * for Levenberg-Marquardt, false for gradient methods.
   */
  readonly standardErrors?: boolean;
  /**
   * Method of the 95 % intervals. `curvature`: from the derivatives at the estimate. `checked`: the same, but the loss
   * is also computed at both ends (two runs for each of at most 32 unknowns); if it has not risen there as the
   * curvature predicts, an interval from the profile of the loss replaces one that is much shorter. `profile` and
   * `bootstrap` report further intervals beside those of the curvature. `profile`: the range of each unknown over which
   * the loss, minimised over all others, stays below the required rise; at most 20 iterations for each end.
   * `bootstrap`: from 320 estimates for residuals resampled in blocks of frames, which take as many runs without
   * derivatives. Default `checked`.
   */
  readonly intervals?: 'checked' | 'curvature' | 'profile' | 'bootstrap';
  /**
   * True to estimate again with half the substep and, if the problem has `refined`, with a finer mesh, in a few steps
   * from the estimate; the verdict then names unknowns that move by more than their standard error. Default false.
   */
  readonly verify?: boolean;
}

/** Options of an estimation. */
export interface EstimateOptions {
  readonly search?: SearchOptions;
  readonly uncertainty?: UncertaintyOptions;
  /**
   * Checks of the result that are made beside those of every estimate, see {@link defineCheck}: by something known that
   * is not fitted, for example.
   */
  readonly checks?: readonly AnyCheck<Posterior>[];
  /** Memory limit for the history of a run that its backward pass needs, bytes. Default 256e6. */
  readonly memory?: number;
}

/** Names of the search options without a default. */
type Optional = 'attainable' | 'clip' | 'reached';

/** Options in which all defaults are filled in. */
export interface FullOptions {
  readonly search: Required<Omit<SearchOptions, Optional>> & Pick<SearchOptions, Optional>;
  readonly uncertainty: Required<UncertaintyOptions>;
  readonly checks: readonly AnyCheck<Posterior>[];
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
  uncertainty: { standardErrors: false, intervals: 'checked', verify: false },
  checks: [] as readonly AnyCheck<Posterior>[],
  memory: 256e6,
} as const satisfies Omit<FullOptions, 'search'> & { readonly search: Omit<FullOptions['search'], 'method'> };

/**
 * Maximum number of starting points. Each is a world of one batch, and so many worlds with a single particle already
 * take most of a gigabyte.
 */
const MAX_STARTS = 100_000;
/** Maximum number of points drawn before the descent: all of them are held in memory. */
const MAX_SCANNED = 1_000_000;

const INTERVAL_KINDS: readonly FullOptions['uncertainty']['intervals'][] = [
  'checked',
  'curvature',
  'profile',
  'bootstrap',
];

/** True if the options request profile or bootstrap intervals beside those of the curvature. */
export const hasOtherIntervals = ({ intervals }: FullOptions['uncertainty']): boolean =>
  intervals === 'profile' || intervals === 'bootstrap';

/** Facts about a problem on which the choice of method depends. */
interface Suited {
  /** Name of the first loss that is no sum of squared residuals; undefined if there is none. */
  readonly withoutResiduals: string | undefined;
  readonly hasArrays: boolean;
  /** True if a search may choose horizons by itself. */
  readonly suitsHorizons: boolean;
}

/** Copy of an options object without its undefined properties. */
const withoutUndefined = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** Names of all search options, as keys. */
const SEARCH_KEYS = { ...ESTIMATE_DEFAULTS.search, method: true, attainable: true, clip: true, reached: true };
const UNCERTAINTY_DEFAULTS = ESTIMATE_DEFAULTS.uncertainty;

/** Checks the names of options. @throws for one that is unknown or belongs to another group. */
function refuseMisplaced(options: EstimateOptions): void {
  for (const name of Object.keys(options ?? {})) {
    const group = Object.hasOwn(SEARCH_KEYS, name)
      ? 'search'
      : Object.hasOwn(UNCERTAINTY_DEFAULTS, name)
        ? 'uncertainty'
        : null;
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
  refuseUnknownOptions<SearchOptions>("The problem's options for `search`", search, SEARCH_KEYS);
  refuseUnknownOptions<UncertaintyOptions>(
    "The problem's options for `uncertainty`",
    uncertainty,
    UNCERTAINTY_DEFAULTS,
  );
}

/**
 * Fills in the defaults of the options and checks them.
 * @throws for a method that is unknown or does not suit the losses, for numbers out of range, or for horizons that do
 * not ascend to 1.
 */
export function fullOptions(
  options: EstimateOptions = {},
  { withoutResiduals, hasArrays, suitsHorizons }: Suited,
): FullOptions {
  refuseMisplaced(options);
  const usual = withoutResiduals === undefined && !hasArrays ? 'levenberg-marquardt' : 'l-bfgs';
  const { method = usual, scan = 0, starts = 1, iterations } = options.search ?? {};
  // Points that are drawn to start from find the way from far without; and iterations that are counted are those over all frames.
  const isPlain = scan === 0 && starts === 1 && iterations === undefined;
  const grows = suitsHorizons && isPlain && method === 'levenberg-marquardt';
  const { search: fixed } = ESTIMATE_DEFAULTS;
  const full: FullOptions = {
    search: {
      ...fixed,
      method,
      horizons: grows ? 'growing' : fixed.horizons,
      ...withoutUndefined(options.search ?? {}),
    },
    uncertainty: {
      ...ESTIMATE_DEFAULTS.uncertainty,
      standardErrors: method === 'levenberg-marquardt',
      ...withoutUndefined(options.uncertainty ?? {}),
    },
    checks: options.checks ?? ESTIMATE_DEFAULTS.checks,
    memory: options.memory ?? ESTIMATE_DEFAULTS.memory,
  };
  refuseChecks(full.checks, POSTERIOR_PROPERTIES);
  const { search, uncertainty } = full;
  checkNumbers(search);
  checkHorizons(search.horizons);
  if (!METHODS.includes(search.method))
    throw new GradsimError(
      'optim/unknown-choice',
      `There is no method ${describeValue(search.method)}; the methods are ${METHODS.join(', ')}.`,
    );
  if (!INTERVAL_KINDS.includes(uncertainty.intervals))
    throw new GradsimError(
      'optim/unknown-choice',
      `There are no intervals by ${describeValue(uncertainty.intervals)}; there are those by ${INTERVAL_KINDS.join(', ')}.`,
    );
  if (withoutResiduals === undefined) refuseWithoutErrors(full);
  else refuseResiduals(full, withoutResiduals);
  return full;
}

const requestsUncertainty = ({ uncertainty }: FullOptions) => ({
  verify: uncertainty.verify,
  intervals: hasOtherIntervals(uncertainty),
});

/** Checks options if the method computes no standard errors. @throws for options that need them. */
function refuseWithoutErrors(options: FullOptions): void {
  const { method, hops } = options.search;
  if (options.uncertainty.standardErrors) return;
  const remedy = `set \`uncertainty: { standardErrors: true }\` for it`;
  if (hops > 0 && method !== 'levenberg-marquardt')
    throw new GradsimError(
      'optim/hessian-missing',
      `\`hops\` look as far around an end as its Hessian suggests, which ${method} does not have: ${remedy}, or leave \`hops\` out.`,
    );
  const { verify, intervals } = requestsUncertainty(options);
  if (!verify && !intervals) return;
  const name = verify ? 'verify' : 'intervals';
  throw new GradsimError(
    'optim/hessian-missing',
    `\`${name}\` goes by standard errors, and ${method} has none here: ${remedy}, or leave \`${name}\` out.`,
  );
}

/** Checks options if a loss has no residuals. @throws for options that need residuals. */
function refuseResiduals(options: FullOptions, loss: string): void {
  const { method, hops, reached } = options.search;
  if (method === 'levenberg-marquardt')
    throw new GradsimError(
      'optim/residuals-missing',
      `levenberg-marquardt solves least squares, and the loss ${loss} has no residuals, only a gradient.`,
      {
        hint: "Use `method: 'l-bfgs'` or 'adam'. A loss that is a sum of squares can be an observation, with target 0, of a field that holds what is squared.",
      },
    );
  const asked = {
    standardErrors: options.uncertainty.standardErrors,
    hops: hops > 0,
    reached: reached !== undefined,
    ...requestsUncertainty(options),
  };
  for (const [name, isAsked] of Object.entries(asked))
    if (isAsked)
      throw new GradsimError(
        'optim/residuals-missing',
        `\`${name}\` needs the Gauss-Newton Hessian of residuals, and the loss ${loss} has none.`,
        { hint: 'Leave it out.' },
      );
}

/** Reason for the choice of a problem's method, as text that follows the method's name. */
export function methodReasonOf(
  options: EstimateOptions | undefined,
  { withoutResiduals, hasArrays }: Omit<Suited, 'suitsHorizons'>,
): string {
  if (options?.search?.method !== undefined) return 'which the problem asks for';
  if (withoutResiduals !== undefined)
    return `chosen because the loss ${withoutResiduals} is not a sum of squared residuals`;
  return hasArrays
    ? 'chosen because some unknowns are arrays, and Levenberg-Marquardt needs a tangent for each of their values'
    : 'chosen because the loss is a sum of squared residuals and no unknown is an array';
}

type NumberName = Exclude<keyof FullOptions['search'], 'method' | 'horizons'>;

const wholeNumberRange = (least: number, most = Number.MAX_SAFE_INTEGER) => ({
  is: (value: number): boolean => Number.isInteger(value) && value >= least && value <= most,
  must: `a whole number of at least ${least}${most < Number.MAX_SAFE_INTEGER ? ` and at most ${most}` : ''}`,
});
const finiteRange = (is: (value: number) => boolean, must: string) => ({
  is: (value: number): boolean => Number.isFinite(value) && is(value),
  must,
});
const notNegative = finiteRange((value) => value >= 0, 'a number of at least 0');
const belowOne = finiteRange((value) => value >= 0 && value < 1, 'at least 0 and below 1');

/** Range of each number among the search options, with the words for it. */
const NUMBER_RANGES: Readonly<Record<NumberName, ReturnType<typeof finiteRange>>> = {
  iterations: wholeNumberRange(0),
  starts: wholeNumberRange(1, MAX_STARTS),
  scan: wholeNumberRange(0, MAX_SCANNED),
  hops: wholeNumberRange(0),
  seed: wholeNumberRange(0),
  pairs: wholeNumberRange(1),
  tolerance: notNegative,
  learningRate: notNegative,
  epsilon: notNegative,
  reached: notNegative,
  beta1: belowOne,
  beta2: belowOne,
  momentum: belowOne,
  remainder: finiteRange((value) => value > 0 && value < 1, 'above 0 and below 1'),
  decay: finiteRange((value) => value > 0 && value <= 1, 'above 0 and at most 1'),
  clip: finiteRange((value) => value > 0, 'a number above 0'),
  attainable: finiteRange(() => true, 'a finite number'),
};

function checkNumbers(search: FullOptions['search']): void {
  for (const [name, { is, must }] of Object.entries(NUMBER_RANGES)) {
    const value = search[name as NumberName];
    if (value !== undefined && !is(value))
      throw new GradsimError('optim/option-out-of-range', `\`${name}\` is ${describeValue(value)}.`, {
        hint: `It must be ${must}.`,
      });
  }
  const { clip, method } = search;
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
}

function checkHorizons(horizons: FullOptions['search']['horizons']): void {
  if (horizons === 'growing') return;
  if (!Array.isArray(horizons))
    throw new GradsimError('optim/option-out-of-range', `The horizons are ${describeValue(horizons)}.`, {
      hint: "They must be a list of shares, or 'growing'.",
    });
  const ascends = horizons.every((share, k) => Number.isFinite(share) && (k === 0 || share > horizons[k - 1]));
  if (!ascends || horizons[horizons.length - 1] !== 1)
    throw new GradsimError('optim/option-out-of-range', `The horizons are ${describeValue(horizons)}.`, {
      hint: 'They must ascend and end with 1, all frames.',
    });
}
