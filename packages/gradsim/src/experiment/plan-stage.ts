import type { Device, StopSignal } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { Estimate, ExperimentPlan, PlanCandidate, PlannedExperiment, Stage } from '@gradsim/optim';
import { formatNumber } from '../terminal/numbers.ts';
import type { Engine } from './engine.ts';

/** Candidates of experiments that name none. */
const USUAL: readonly PlanCandidate[] = [
  { words: 'observe it twice as often', change: { frameRate: 2 } },
  { words: 'observe it half as long again', change: { seconds: 1.5 } },
];

/** Values and standard errors that an estimate found, by name. */
export interface FoundValues {
  readonly values: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number | null>>;
}

/** Values and errors of an estimate, with those of its given quantities. */
export function foundIn({ parameters, given }: Pick<Estimate, 'parameters' | 'given'>): FoundValues {
  const all = Object.entries({ ...parameters, ...given });
  return {
    values: Object.fromEntries(all.map(([name, { estimate }]) => [name, estimate])),
    errors: Object.fromEntries(Object.entries(parameters).map(([name, { standardError }]) => [name, standardError])),
  };
}

/** Names of the parameters of a stage that are wanted: those given, or those of its kind. @throws for an unknown name. */
export function wantedOf({ name: stage, problem, plan }: Stage, given: readonly string[] = []): string[] {
  const known = (problem.parameters ?? []).map(({ name }) => name);
  const other = given.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new GradsimError('gradsim/option-wrong', `--wanted ${other}: ${stage} has no such unknown.`, {
      field: '--wanted',
      hint: `It has ${known.join(', ')}.`,
    });
  const wanted = given.length > 0 ? given : (plan?.wanted ?? []).slice(0, 1);
  return wanted.length > 0 ? [...wanted] : known.slice(0, 1);
}

/** Plans the next experiment of a stage. */
export const planStage = (
  { optim }: Pick<Engine, 'optim'>,
  { problem, plan }: Stage,
  wanted: readonly string[],
  found: FoundValues | undefined,
  controls: { readonly device: Device; readonly signal?: StopSignal },
): Promise<ExperimentPlan> =>
  optim.planExperiment(
    problem,
    {
      wanted,
      candidates: plan?.candidates ?? USUAL,
      ...(plan?.isSeen ? { isSeen: plan.isSeen } : {}),
      ...(found ? { values: found.values, found: found.errors } : {}),
    },
    controls,
  );

/** Relative standard error above which a wanted value counts as hardly determined. */
const MAX_ROUGH_ERROR = 0.1;
/** Ratio of standard errors below which another experiment is worth its while. */
const MAX_WORTHWHILE_RATIO = 0.7;

/**
 * Sentence that says which experiment would determine what this one does not; none where the wanted value is determined,
 * nothing would help, or a plan is not possible.
 */
export async function adviceOn(
  engine: Pick<Engine, 'optim'>,
  stage: Stage,
  estimate: Estimate,
  controls: { readonly device: Device; readonly signal?: StopSignal },
): Promise<string[]> {
  if (!stage.plan) return [];
  const [name] = wantedOf(stage);
  const { estimate: value, standardError, determinedBy } = estimate.parameters[name] ?? {};
  if (value === undefined || standardError === null || standardError === undefined) return [];
  const isPoor =
    determinedBy === 'nothing' || determinedBy === 'priors' || standardError > MAX_ROUGH_ERROR * Math.abs(value);
  if (!isPoor) return [];
  try {
    const { planned } = await planStage(engine, stage, [name], foundIn(estimate), controls);
    const [best] = planned;
    const bar = best?.standardErrors[name];
    if (!best || !Number.isFinite(bar) || bar > MAX_WORTHWHILE_RATIO * standardError) return [];
    return [
      `To know ${name} better, ${best.words}: it would be known to ${share(bar, value)}, not ${share(standardError, value)}. gradsim plan compares more.`,
    ];
  } catch (error) {
    // Advice is no reason to lose a result.
    if (error instanceof GradsimError) return [];
    throw error;
  }
}

const share = (error: number, value: number): string =>
  Number.isFinite(error) ? `${formatNumber((100 * error) / Math.abs(value), 2)} %` : 'nothing';

export const PLAN_COLUMNS = (wanted: readonly string[]): string[] => [
  'to',
  ...wanted.map((name) => `± ${name}`),
  'times now',
  'frames',
];

/** Row of a table of plans. */
export const planRow = (
  { words, standardErrors, ratio, frames, seenFrames }: PlannedExperiment,
  wanted: readonly string[],
): string[] => [
  words,
  ...wanted.map((name) => (Number.isFinite(standardErrors[name]) ? formatNumber(standardErrors[name], 2) : 'nothing')),
  formatNumber(ratio, 2),
  seenFrames < frames ? `${frames}, ${seenFrames} in view` : String(frames),
];
