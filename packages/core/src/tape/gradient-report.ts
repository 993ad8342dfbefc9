import { GradsimError, refuseUnknownOptions } from '@gradsim/kernel';
import type { Asking } from '@gradsim/kernel/compiler';
import type { CompiledRun } from './compiled-run.ts';
import type { GrowingPass } from './growing-pass.ts';
import { growingPass } from './growing-pass.ts';
import type { Growth } from './growth.ts';
import { growthOf, isExploded } from './growth.ts';
import type { Look } from './looks.ts';
import type { Runner } from './runner.ts';
import type { SeedWriter } from './seeds.ts';

export interface GradientReportOptions {
  /** Also measures by how much the gradient changes by the rounding of single precision. Default false. */
  readonly noise?: boolean;
  /** The growth that the horizon is for. Default: what the precision of the device carries. */
  readonly growth?: number;
}

/** See {@link Simulation.gradientReport}. */
export interface GradientReport extends Growth {
  /** Null where adjoints grow nowhere. */
  readonly pass: GrowingPass | null;
  /**
   * By parameter: how far its gradient goes when every value that the run begins with is moved by one rounding of single
   * precision, relative to its largest value. Null where it was not asked for.
   */
  readonly noise: Readonly<Record<string, number>> | null;
}

/** @throws for options that there are not, and values that they cannot have. */
export function checkReportOptions(options: GradientReportOptions): void {
  refuseUnknownOptions<GradientReportOptions>('gradientReport', options, { noise: true, growth: true });
  const { growth } = options;
  if (growth !== undefined && !(growth > 1))
    throw new GradsimError('core/option-out-of-range', `gradientReport: growth is ${growth}.`, {
      field: 'growth',
      hint: 'It must be a number above 1.',
    });
}

/** What to say, and what it is about. */
interface Warning {
  readonly text: string;
  readonly subject: string;
}

/** Watches how the adjoints of a simulation grow, and warns of a gradient that grew by more than its precision carries. */
export class GradientWatch {
  readonly #run: CompiledRun;
  readonly #runner: Runner;
  readonly #seeds: SeedWriter;
  #hasWarned = false;
  /** The looks of the run back that was asked about last. */
  #seen: readonly Look[] | null = null;

  constructor(run: CompiledRun, runner: Runner, seeds: SeedWriter) {
    this.#run = run;
    this.#runner = runner;
    this.#seeds = seeds;
  }

  /** What to say of the gradient of the last run back; null where that grew by less, or was told before. */
  *warning(): Asking<Warning | null> {
    const { looks } = this.#runner;
    if (this.#hasWarned || !looks || this.#seen === looks.taken) return null;
    this.#seen = looks.taken;
    const question = isExploded(this.#run, looks);
    if (!question.conclude(yield question.asks)) return null;
    this.#hasWarned = true;
    const { asks, conclude } = growthOf(this.#run, looks);
    const growth = conclude(yield asks);
    const pass = yield* this.#pass(growth);
    const subject = `gradient of ${pass?.kernel} by ${pass?.field ?? growth.field}`;
    return { text: growthWarning(growth, pass, this.#run), subject };
  }

  /** How the adjoints of the last run back grew, and where. */
  *report(most?: number): Asking<Omit<GradientReport, 'noise'>> {
    this.#again();
    const { asks, conclude } = growthOf(this.#run, this.#runner.looks, most);
    const growth = conclude(yield asks);
    return { ...growth, pass: yield* this.#pass(growth) };
  }

  /** The pass where adjoints grow; leaves gradients as they were. */
  *#pass(growth: Growth): Asking<GrowingPass | null> {
    const pass = yield* growingPass(this.#run, this.#runner, growth, () => this.#seed());
    this.#again();
    return pass;
  }
  /** Clears all adjoints and gives outputs theirs, as for the last run back. */
  #seed(): void {
    this.#runner.clearAdjoints();
    this.#seeds.writeAgain();
  }
  #again(): void {
    this.#seed();
    for (const _ of this.#runner.backward());
  }
}

/** A factor with two digits. */
const times = (factor: number): string => {
  if (!Number.isFinite(factor)) return 'by more than can be computed';
  const value = Number(factor.toPrecision(factor < 10 ? 3 : 2));
  return `${value >= 1e4 ? value.toExponential() : value} times`;
};

/** What to say of a gradient that grew by more than the precision carries. */
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
