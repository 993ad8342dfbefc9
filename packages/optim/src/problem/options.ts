import { refuseUnknownOptions } from '@gradsim/core';

export type Method = 'levenberg-marquardt' | 'l-bfgs' | 'adam' | 'sgd';
export const METHODS: readonly Method[] = ['levenberg-marquardt', 'l-bfgs', 'adam', 'sgd'];

export interface EstimateOptions {
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
   * methods have with `uncertainty`. Default 0.
   */
  readonly hops?: number;
  /**
   * Whether gradient methods find standard errors at the end, which takes a world for each unknown. Levenberg-Marquardt
   * has them anyway. Default false.
   */
  readonly uncertainty?: boolean;
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
  /** Seed of what is drawn. Default 1. */
  readonly seed?: number;
  /** Bytes for the run's history. */
  readonly memory?: number;
}

/** Options as an estimation goes by them. */
export type Settings = Required<Omit<EstimateOptions, 'attainable' | 'clip'>> &
  Pick<EstimateOptions, 'attainable' | 'clip'>;

export const ESTIMATE_DEFAULTS = {
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
  uncertainty: false,
  intervals: 'curvature',
  verify: false,
  seed: 1,
  memory: 256e6,
} as const satisfies Omit<Settings, 'method' | 'attainable' | 'clip'>;

/** Most starts: each is a world of one batch, and so many of even one particle take the better part of a gigabyte. */
const MOST_STARTS = 100_000;
/** Most points drawn before the descent: all of them are held in memory. */
const MOST_SCANNED = 1_000_000;

const INTERVALS: readonly Settings['intervals'][] = ['curvature', 'profile', 'bootstrap'];

/** What the choice of a method hangs on. */
interface Suited {
  /** A loss that is no sum of squared residuals. */
  readonly withoutResiduals: string | undefined;
  readonly hasArrays: boolean;
}

/**
 * The options with their defaults.
 * @throws for a method that is not there or does not suit the losses, numbers out of range, or horizons that do not
 * ascend to the whole, 1.
 */
export function settingsOf(given: EstimateOptions | undefined, { withoutResiduals, hasArrays }: Suited): Settings {
  const method = withoutResiduals === undefined && !hasArrays ? 'levenberg-marquardt' : 'l-bfgs';
  refuseUnknownOptions<EstimateOptions>("The problem's options", given ?? {}, {
    ...ESTIMATE_DEFAULTS,
    method,
    attainable: true,
    clip: true,
  });
  const named = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
  const settings: Settings = { method, ...ESTIMATE_DEFAULTS, ...named };
  checkNumbers(settings);
  checkHorizons(settings.horizons);
  if (!METHODS.includes(settings.method))
    throw new Error(`There is no method "${settings.method}"; the methods are ${METHODS.join(', ')}.`);
  if (!INTERVALS.includes(settings.intervals))
    throw new Error(`There are no intervals by "${settings.intervals}"; there are those by ${INTERVALS.join(', ')}.`);
  const isChecked = settings.intervals !== 'curvature';
  if (withoutResiduals === undefined) {
    if (settings.hops > 0 && settings.method !== 'levenberg-marquardt' && !settings.uncertainty)
      throw new Error(
        `\`hops\` look as far around an end as its Hessian suggests, which ${settings.method} does not have: set \`uncertainty: true\` for it, or leave \`hops\` out.`,
      );
    const named = settings.verify ? 'verify' : 'intervals';
    if ((settings.verify || isChecked) && settings.method !== 'levenberg-marquardt' && !settings.uncertainty)
      throw new Error(
        `\`${named}\` goes by standard errors, and ${settings.method} has none: set \`uncertainty: true\` for it, or leave \`${named}\` out.`,
      );
    return settings;
  }
  if (settings.method === 'levenberg-marquardt')
    throw new Error(
      `levenberg-marquardt solves least squares, and the loss ${withoutResiduals} has no residuals, only a gradient: use \`method: 'l-bfgs'\` or 'adam'. A loss that is a sum of squares can be an observation, with target 0, of a field that holds what is squared.`,
    );
  const needed = { ...settings, intervals: isChecked };
  for (const name of ['uncertainty', 'hops', 'verify', 'intervals'] as const)
    if (needed[name])
      throw new Error(
        `\`${name}\` needs the Gauss-Newton Hessian of residuals, and the loss ${withoutResiduals} has none: leave it out.`,
      );
  return settings;
}

/** Why a problem is estimated by its method, in words that follow its name. */
export function methodReasonOf(given: EstimateOptions | undefined, { withoutResiduals, hasArrays }: Suited): string {
  if (given?.method !== undefined) return 'as the problem says';
  if (withoutResiduals !== undefined) return `since the loss ${withoutResiduals} is no sum of squared residuals`;
  return hasArrays
    ? 'since there are arrays, and Levenberg-Marquardt takes a world for each of their values'
    : 'since there are residuals of observations alone, and no arrays';
}

function checkNumbers(settings: Settings): void {
  const least = { iterations: 0, starts: 1, scan: 0, hops: 0, seed: 0, pairs: 1 } as const;
  for (const name of Object.keys(least) as (keyof typeof least)[]) {
    if (!(Number.isInteger(settings[name]) && settings[name] >= least[name]))
      throw new Error(`\`${name}\` is ${settings[name]}; it must be a whole number of at least ${least[name]}.`);
  }
  for (const [name, most] of [
    ['starts', MOST_STARTS],
    ['scan', MOST_SCANNED],
  ] as const)
    if (settings[name] > most) throw new Error(`\`${name}\` is ${settings[name]}; at most ${most} are allowed.`);
  for (const name of ['tolerance', 'learningRate', 'epsilon'] as const) {
    if (!(settings[name] >= 0 && Number.isFinite(settings[name])))
      throw new Error(`\`${name}\` is ${settings[name]}; it must be a number of at least 0.`);
  }
  if (!(settings.remainder > 0 && settings.remainder < 1))
    throw new Error(`\`remainder\` is ${settings.remainder}; it must be above 0 and below 1.`);
  for (const name of ['beta1', 'beta2', 'momentum'] as const) {
    if (!(settings[name] >= 0 && settings[name] < 1))
      throw new Error(`\`${name}\` is ${settings[name]}; it must be at least 0 and below 1.`);
  }
  const { clip, method } = settings;
  if (clip !== undefined && !(clip > 0 && Number.isFinite(clip)))
    throw new Error(`\`clip\` is ${clip}; it must be a number above 0.`);
  if (clip !== undefined && method !== 'adam' && method !== 'sgd')
    throw new Error(
      `\`clip\` shortens gradients of adam and sgd; ${method} takes the lengths of its steps from how the loss changes. Leave it out, or use \`method: 'adam'\`.`,
    );
  if (settings.attainable !== undefined && method !== 'l-bfgs')
    throw new Error(`\`attainable\` is for \`method: 'l-bfgs'\`, not for ${method}: leave it out.`);
  if (settings.attainable !== undefined && !Number.isFinite(settings.attainable))
    throw new Error(`\`attainable\` is ${settings.attainable}; it must be a finite number.`);
  if (!(settings.decay > 0 && settings.decay <= 1))
    throw new Error(`\`decay\` is ${settings.decay}; it must be above 0 and at most 1.`);
}

function checkHorizons(horizons: Settings['horizons']): void {
  if (horizons === 'growing') return;
  if (!Array.isArray(horizons))
    throw new Error(`The horizons are ${horizons}; they must be a list of shares, or 'growing'.`);
  const ascends = horizons.every((share, k) => k === 0 || share > horizons[k - 1]);
  if (!ascends || horizons[horizons.length - 1] !== 1)
    throw new Error(`The horizons are ${horizons.join(', ') || 'none'}; they must ascend and end with 1, all frames.`);
}
