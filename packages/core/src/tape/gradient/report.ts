import { described, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { QuerySteps } from '@gradsim/kernel/internal';
import type { CompiledRun } from '../run/compiled-run.ts';
import type { Look } from '../run/looks.ts';
import type { Runner } from '../run/runner.ts';
import type { GrowingPass } from './growing-pass.ts';
import { growingPass } from './growing-pass.ts';
import type { Growth } from './growth.ts';
import { growthOf, isExploded } from './growth.ts';
import type { SeedWriter } from './seeds.ts';

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
export function checkReportOptions(options: GradientReportOptions): void {
  refuseUnknownOptions<GradientReportOptions>('gradientReport', options, { noise: true, growth: true });
  const { growth } = options;
  if (growth !== undefined && !(growth > 1))
    throw new GradsimError('core/option-out-of-range', `gradientReport: growth is ${described(growth)}.`, {
      field: 'growth',
      hint: 'It must be a number above 1.',
    });
}

/** Text of a warning, and the subject by which repeated warnings are recognised. */
interface Warning {
  readonly text: string;
  readonly subject: string;
}

/** Measures the growth of a simulation's adjoints, and warns of a gradient whose adjoints grew beyond its precision. */
export class GradientWatch {
  readonly #run: CompiledRun;
  readonly #runner: Runner;
  readonly #seeds: SeedWriter;
  #hasWarned = false;
  /** Samples of the backward pass that was checked last. */
  #seen: readonly Look[] | null = null;

  constructor(run: CompiledRun, runner: Runner, seeds: SeedWriter) {
    this.#run = run;
    this.#runner = runner;
    this.#seeds = seeds;
  }

  /**
   * Returns the warning about the gradient of the last backward pass; null if its growth is harmless, or the warning
   * was given before.
   */
  *warning(): QuerySteps<Warning | null> {
    const { looks } = this.#runner;
    if (this.#hasWarned || !looks || this.#seen === looks.taken) return null;
    this.#seen = looks.taken;
    const query = isExploded(this.#run, looks);
    if (!query.conclude(yield query.requests)) return null;
    this.#hasWarned = true;
    const { requests, conclude } = growthOf(this.#run, looks);
    const growth = conclude(yield requests);
    const pass = yield* this.#pass(growth);
    const subject = `gradient of ${pass?.kernel} by ${pass?.field ?? growth.field}`;
    return { text: growthWarning(growth, pass, this.#run), subject };
  }

  /** Returns the growth of the adjoints in the last backward pass, and the pass that causes it. */
  *report(most?: number): QuerySteps<Omit<GradientReport, 'noise'>> {
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

/** Formats a factor with two digits. */
const times = (factor: number): string => {
  if (!Number.isFinite(factor)) return 'by more than can be computed';
  const value = Number(factor.toPrecision(factor < 10 ? 3 : 2));
  return `${value >= 1e4 ? value.toExponential() : value} times`;
};

/** Returns the text of a warning about a gradient whose adjoints grew beyond its precision. */
function growthWarning(
  { growth, carried, horizon, field, sizes }: Growth,
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
    `The gradient grew ${times(growth)} on its way back through ${sizes[0].substep} substeps, largest at ${field}, and ${precision} precision carries ${times(carried)}: ` +
    `rounding decides about it.${where}${over} simulation.gradientReport() says more.`
  );
}
