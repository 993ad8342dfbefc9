import type { Plan } from '../plan/plan.ts';
import type { End } from '../posterior/found.ts';
import type { SmoothBeginning } from '../posterior/posterior.ts';
import { MOSTLY_MISPREDICTED } from './linearity.ts';
import type { LocalPosterior } from './local-posterior.ts';
import { posteriorAt } from './local-posterior.ts';
import { isMostlyNoise } from './precision.ts';

/** Share of the frames to which the longest smooth beginning is found. */
const RESOLUTION_SHARE = 1 / 8;

/**
 * Takes the uncertainty from the first frames where derivatives of later ones do not predict changes. After many touches,
 * or in chaos, the output jumps when an unknown moves by far less than anything could measure, so later frames have
 * no usable derivatives. Earlier ones have: the longest such beginning is found by bisection, to an eighth of the frames. Frames after it
 * contribute nothing to standard errors, which are therefore too large rather than too small.
 *
 * That the model is right is known of all frames alike, since this is done only for fits that are exact up to rounding.
 *
 * @param beginning returns the plan of the first frames, null if the problem cannot be cut there.
 */
export async function smoothPosterior(
  plan: Plan,
  { x, loss }: End,
  whole: LocalPosterior,
  beginning: (frames: number) => Plan | null,
): Promise<{ readonly local: LocalPosterior; readonly beginning: SmoothBeginning | null }> {
  const { objective, unknowns, run, controls } = plan;
  const asIs = { local: whole, beginning: null };
  if (!objective.isExact(loss) || !isFalse(whole)) return asIs;
  let best: { readonly local: LocalPosterior; readonly frames: number } | null = null;
  for (let [low, high] = [1, run.frames]; high - low > Math.max(1, RESOLUTION_SHARE * run.frames); ) {
    const part = beginning((low + high) >> 1);
    if (!part || part.run.frames >= high || controls.signal?.aborted) break;
    const { frames } = part.run;
    const local = await posteriorAt(part, x, true);
    if (isFalse(local)) high = frames;
    else {
      low = frames;
      if (local.uncertainty.standardErrors.every(Number.isFinite)) best = { local, frames };
    }
  }
  if (!best) return asIs;
  const names = unknowns.names.filter((_, i) => (whole.evidence.mispredicted[i] ?? 0) > MOSTLY_MISPREDICTED);
  return { local: best.local, beginning: { frames: best.frames, names } };
}

/** True if derivatives do not predict changes of the output, or are mostly rounding. */
const isFalse = ({ evidence, precision, uncertainty }: LocalPosterior): boolean =>
  evidence.mispredicted.some((share) => (share ?? 0) > MOSTLY_MISPREDICTED) ||
  (precision?.noise.some((_, k) => isMostlyNoise(precision.noise, uncertainty.roundingFactors, k)) ?? false);
