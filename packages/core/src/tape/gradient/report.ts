import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { Query, QuerySteps } from '@gradsim/kernel/internal';
import { runQuery } from '@gradsim/kernel/internal';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { GrowthSample } from '../run/looks.ts';
import type { Runner } from '../run/runner.ts';
import type { Warning } from '../warnings.ts';
import type { GrowingPass } from './growing-pass.ts';
import { growingPass } from './growing-pass.ts';
import type { Growth } from './growth.ts';
import { growthAbove, growthOf, MAX_CORRECT_GROWTH } from './growth.ts';
import type { DifferentiableRun, InputReader } from './noise.ts';
import { singlePrecisionNoise } from './noise.ts';
import type { ReadsGradients } from './rounding-watch.ts';
import { MIN_SUSPECT_GROWTH, RoundingWatch } from './rounding-watch.ts';
import type { SeedWriter } from './seeds.ts';
import { times } from './times.ts';

export interface GradientReportOptions {
  /** True to also measure how much single-precision rounding changes the gradient. Default false. */
  readonly noise?: boolean;
  /**
   * Growth factor for which the horizon is computed. Default: the one above which the gradient has no correct digit in
   * the precision of the device.
   */
  readonly growth?: number;
}

/** Result of {@link Simulation.gradientReport}. */
export interface GradientReport extends Growth {
  /** The pass that makes adjoints grow; null if they grow nowhere. */
  readonly pass: GrowingPass | null;
  /**
   * Per parameter: largest change of its gradient when every initial value moves by one rounding error of single
   * precision, relative to the gradient's largest component. Null if not requested.
   */
  readonly noise: Readonly<Record<string, number>> | null;
}

/** @throws for unknown options and invalid values of {@link GradientReportOptions}. */
function checkReportOptions(options: GradientReportOptions): void {
  refuseUnknownOptions<GradientReportOptions>('gradientReport', options, { noise: true, growth: true });
  const { growth } = options;
  if (growth !== undefined && !(growth > 1))
    throw new GradsimError('core/option-out-of-range', `gradientReport: growth is ${describeValue(growth)}.`, {
      field: 'growth',
      hint: 'It must be a number above 1.',
    });
}

/** Parts of a simulation that its watch uses. */
interface WatchedParts {
  readonly runner: Runner;
  readonly seeds: SeedWriter;
  readonly inputs: InputReader;
  readonly gradients: ReadsGradients;
}

/**
 * Measures the growth of a simulation's adjoints, and warns of a gradient whose adjoints grew beyond its precision, or
 * that rounding changes.
 */
export class GradientWatch {
  readonly #run: CompiledRun;
  readonly #runner: Runner;
  readonly #seeds: SeedWriter;
  readonly #inputs: InputReader;
  readonly #simulation: DifferentiableRun;
  readonly #rounding: RoundingWatch;
  #hasWarned = false;
  /** Samples of the backward pass that was checked last. */
  #seen: readonly GrowthSample[] | null = null;

  constructor(run: CompiledRun, { runner, seeds, inputs, gradients }: WatchedParts, simulation: DifferentiableRun) {
    this.#run = run;
    this.#runner = runner;
    this.#seeds = seeds;
    this.#inputs = inputs;
    this.#simulation = simulation;
    this.#rounding = new RoundingWatch(run, inputs, gradients, simulation);
  }

  /**
   * Returns the warning about the gradient of the last backward pass; null if nothing is wrong with it, or the warning
   * was given before.
   * @param isOutdated true if inputs were set since the run, which cannot be repeated then.
   */
  *warning(isOutdated: boolean): QuerySteps<Warning | null> {
    const query = this.#growth(isOutdated);
    if (!query) return null;
    const growth = query.conclude(yield query.requests);
    if (!growth) return null;
    return this.#recordWarning(
      growth.isExploded ? yield* this.#explosion(growth) : this.#rounding.warning(growth, this.#seeds.last),
    );
  }

  /** Reads, as it is at the call, the growth that {@link warningLater} is about; null if it is none to warn of. */
  async growthNow(isOutdated: boolean): Promise<Growth | null> {
    const query = this.#growth(isOutdated);
    return query && runQuery(this.#run.compiled.executor, query);
  }

  /**
   * Returns the warning on a device that only records its work.
   * @param isCurrent returns whether the gradient is still that of the simulation's last run; if not, nothing is run.
   */
  async warningLater(growth: Growth, isCurrent: () => boolean): Promise<Warning | null> {
    if (!isCurrent()) return null;
    return this.#recordWarning(
      growth.isExploded
        ? await runQuery(this.#run.compiled.executor, this.#explosion(growth))
        : await this.#rounding.warningLater(growth, this.#seeds.last, isCurrent),
    );
  }

  #growth(isOutdated: boolean): Query<Growth | null> | null {
    const { looks } = this.#runner;
    if (this.#hasWarned || this.#rounding.isUnderWay || !looks || this.#seen === looks.taken) return null;
    this.#seen = looks.taken;
    const carried = MAX_CORRECT_GROWTH[this.#run.compiled.layout.options.precision];
    return growthAbove(this.#run, looks, !isOutdated && this.#rounding.isDue() ? MIN_SUSPECT_GROWTH : carried);
  }

  #recordWarning(warning: Warning | null): Warning | null {
    this.#seen = this.#runner.looks!.taken;
    this.#hasWarned ||= warning !== null;
    return warning;
  }

  *#explosion(growth: Growth): QuerySteps<Warning> {
    const pass = yield* this.#pass(growth);
    const subject = `gradient of ${pass?.kernel} by ${pass?.field ?? growth.field}`;
    return { text: growthWarning(growth, pass, this.#run), subject };
  }

  /** Returns the growth of the adjoints in the last backward pass, the pass that causes it, and the noise if asked for. */
  async report(options: GradientReportOptions): Promise<GradientReport> {
    checkReportOptions(options);
    const { executor } = this.#run.compiled;
    const report = await runQuery(executor, this.#report(options.growth));
    if (!options.noise) return { ...report, noise: null };
    const given = await runQuery(executor, this.#inputs.readInputs());
    return { ...report, noise: await singlePrecisionNoise(this.#simulation, given, this.#seeds.last) };
  }

  *#report(most?: number): QuerySteps<Omit<GradientReport, 'noise'>> {
    this.#again();
    const { requests, conclude } = growthOf(this.#run, this.#runner.looks, most);
    const growth = conclude(yield requests);
    return { ...growth, pass: yield* this.#pass(growth) };
  }

  /** Returns the pass where adjoints grow; leaves gradients as they were. */
  *#pass(growth: Growth): QuerySteps<GrowingPass | null> {
    const pass = yield* growingPass(this.#run, this.#runner, growth, () => this.#seed());
    this.#again();
    return pass;
  }
  /** Clears all adjoints and seeds those of the outputs, as for the last backward pass. */
  #seed(): void {
    this.#runner.clearAdjoints();
    this.#seeds.writeAgain();
  }
  #again(): void {
    this.#seed();
    for (const _ of this.#runner.backward());
  }
}

/** Returns the text of a warning about a gradient whose adjoints grew beyond its precision. */
function growthWarning(
  { growth, maxUsable, horizon, field, sizes }: Growth,
  pass: GrowingPass | null,
  { compiled }: CompiledRun,
): string {
  const precision = compiled.layout.options.precision === 'f32' ? 'single' : 'double';
  const where = pass
    ? ` It grows fastest in the derivative of ${pass.kernel} (phase ${pass.phase}) with respect to ${pass.field}: ${times(pass.factor)} in substep ${pass.substep}.`
    : '';
  const over = horizon
    ? ` Over ${horizon.substeps} substeps, ${Number(horizon.seconds.toPrecision(3))} s, it grows by as much as that: take a shorter run, shorter substeps, or more damping.`
    : '';
  return (
    `The gradient grew ${times(growth)} on its way back through ${sizes[0].substep} substeps, largest at ${field}, and ${precision} precision carries ${times(maxUsable)}: ` +
    `rounding decides about it.${where}${over} simulation.gradientReport() says more.`
  );
}
