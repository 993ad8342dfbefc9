import { GradsimError } from '@gradsim/base';
import type { Query } from '@gradsim/kernel/internal';
import { runQuery, runQuerySync } from '@gradsim/kernel/internal';
import type { GivenInputs } from '../rounding.ts';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { Warning } from '../warnings.ts';
import type { Growth } from './growth.ts';
import type { DifferentiableRun, InputReader } from './noise.ts';
import { changesFrom, runPerturbed, sizeOf } from './noise.ts';
import type { GivenSeeds } from './seeds.ts';
import { times } from './times.ts';

/**
 * Growth above which a gradient in single precision is compared with others. Where the motion passes a kink within
 * the error that rounding has grown to, the derivative is that of the other side. Of 238 random motions with contact,
 * no gradient below a growth of 370 was wrong by a tenth, but at exact ties.
 */
export const MIN_SUSPECT_GROWTH = 100;
/** Number of perturbed runs of a comparison: what the first moves up, the second moves down. */
const PERTURBED_RUNS = 3;
/** Number of rounding errors that values move by: as errors of all substeps are worth, of which most cancel. */
const ROUNDING_ERRORS_PER_MOVE = 4;
/**
 * Number of gradients from one comparison to the next. A comparison costs {@link PERTURBED_RUNS} + 1 runs forward and back, and one
 * more back: at most 5 % of the time of all runs back, if a run forward takes no longer than one back.
 */
const COMPARISON_INTERVAL = 200;
/** Relative change of a parameter's gradient above which it is reported. */
const MAX_GRADIENT_CHANGE = 0.1;
/**
 * Share of a parameter in the change of the loss below which its gradient does not matter: it may be zero, and all of it
 * rounding.
 */
const MIN_LOSS_SHARE = 1e-3;

/** Gradients by key of the parameter. */
type Gradients = ReadonlyMap<string, Float64Array>;

/** Query of the gradients of the last backward pass; null if the run raised an alarm. */
export type ReadsGradients = () => Query<Gradients | null>;

/**
 * Compares some gradients of single precision with those from initial values that are moved by some rounding errors.
 * Growth bounds how rounding changes the motion, not which side of a kink it takes.
 */
export class RoundingWatch {
  readonly #run: CompiledRun;
  readonly #inputs: InputReader;
  readonly #gradients: ReadsGradients;
  readonly #simulation: DifferentiableRun;
  #comparisons = 0;
  /** Number of gradients until the next comparison. */
  #left = 0;
  #isUnderWay = false;

  constructor(run: CompiledRun, inputs: InputReader, gradients: ReadsGradients, simulation: DifferentiableRun) {
    this.#run = run;
    this.#inputs = inputs;
    this.#gradients = gradients;
    this.#simulation = simulation;
  }

  /** True while perturbed runs are made. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Counts a gradient, and returns whether to compare it. */
  isDue(): boolean {
    if (this.#run.compiled.layout.options.precision !== 'f32') return false;
    this.#left = Math.max(0, this.#left - 1);
    return this.#left === 0;
  }

  /** Compares the last gradient. Afterwards the simulation has its run and its gradients back, bit for bit. */
  warning(growth: Growth, given: GivenSeeds): Warning | null {
    const { executor } = this.#run.compiled;
    const inputs = runQuerySync(executor, this.#inputs.readInputs());
    return this.#warningFrom(
      this.#compared(given, inputs, (query) => runQuerySync(executor, query)),
      growth,
      inputs,
    );
  }

  /**
   * Compares like {@link warning}, on a device that only records its work: all runs are recorded at once, so that none
   * of the caller's comes between them.
   * @param isCurrent returns whether the gradient is still that of the simulation's last run.
   */
  async warningLater(growth: Growth, given: GivenSeeds, isCurrent: () => boolean): Promise<Warning | null> {
    const { executor } = this.#run.compiled;
    const inputs = await runQuery(executor, this.#inputs.readInputs());
    if (!isCurrent()) return null;
    const reads = this.#compared(given, inputs, (query) => runQuery(executor, query));
    return this.#warningFrom(await Promise.all(reads), growth, inputs);
  }

  /** Returns the gradients of the last run and of perturbed ones, as `read` returns them. */
  #compared<R>(seeds: GivenSeeds, { values, restore }: GivenInputs, read: (query: Query<Gradients | null>) => R): R[] {
    this.#left = COMPARISON_INTERVAL;
    const { framesTaken: frames } = this.#simulation;
    const random = movesFrom(this.#comparisons++ * INVERSE_GOLDEN_RATIO);
    const gradients: R[] = [];
    this.#isUnderWay = true;
    try {
      for (const _ of runPerturbed(this.#simulation, {
        seeds,
        values,
        random,
        draws: PERTURBED_RUNS,
        roundings: ROUNDING_ERRORS_PER_MOVE,
      }))
        gradients.push(read(this.#gradients()));
    } catch (error) {
      // A perturbed run that is refused says nothing about this one.
      if (!(error instanceof GradsimError)) throw error;
    } finally {
      restore();
      this.#simulation.forward({ frames });
      this.#simulation.backward(seeds.seeds, seeds.squares ?? undefined);
      this.#isUnderWay = false;
    }
    return gradients;
  }

  #warningFrom(
    [first, ...others]: readonly (Gradients | null)[],
    growth: Growth,
    { values }: GivenInputs,
  ): Warning | null {
    if (!first) return null;
    const parameters = [...first.keys()];
    const changes = changesFrom(
      [...first.values()],
      others.flatMap((moved) => (moved ? [[...moved.values()]] : [])),
    );
    const scales = parameters.map((key) => sizeOf(values[key] ?? []) || 1);
    const most = sizeOf(changes.map(({ size }, k) => size * scales[k]));
    const off = changes
      .map(({ difference, size }, k) => ({
        key: parameters[k],
        change: difference / size,
        part: difference * scales[k],
      }))
      .filter(({ change, part }) => change > MAX_GRADIENT_CHANGE && part > MIN_LOSS_SHARE * most)
      .sort((a, b) => b.part - a.part);
    return off.length > 0 ? { text: roundingWarning(off[0], growth), subject: `rounding of ${off[0].key}` } : null;
  }
}

const INVERSE_GOLDEN_RATIO = 0.6180339887498949;

/**
 * Returns random numbers in [0, 1) that depend on the size of a value alone: what is symmetric stays so, and the
 * derivative at its ties.
 */
const movesFrom =
  (offset: number) =>
  (value: number, draw: number): number =>
    (Math.abs(value) * 1e3 * (1 + (draw >> 1)) * INVERSE_GOLDEN_RATIO + offset + draw / 2) % 1;

const roundingWarning = ({ key, change }: { key: string; change: number }, { growth, sizes }: Growth): string =>
  `The gradient by ${key} is not to be trusted: it changes by ${times(change)} its largest component when initial values move by four rounding errors of single precision. ` +
  `Its ${sizes[0].substep} substeps make rounding ${times(growth)} as large, and come so close to a kink, such as a touch or a slip, that rounding decides on which side of it the motion passes. ` +
  'Compute it in doubles, with `device: f64Device()`, or take a shorter run. simulation.gradientReport({ noise: true }) says more.';
