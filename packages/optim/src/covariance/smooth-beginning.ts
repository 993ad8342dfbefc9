import type { End } from '../descent/descent.ts';
import type { Plan } from '../plan/plan.ts';
import type { Finding } from '../problem/finding.ts';
import { listed } from '../problem/finding.ts';
import { UNEXPLAINED } from './linearity.ts';
import type { Sureness } from './posterior-at.ts';
import { surenessAt } from './posterior-at.ts';
import { precisionFindings } from './precision.ts';

/** Share of the frames to which the longest smooth beginning is found. */
const NEAR = 1 / 8;

/** Uncertainty of an estimate, with a finding if it is that of the first frames only. */
export interface SmoothSureness {
  readonly sureness: Sureness;
  readonly findings: readonly Finding[];
}

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
export async function smoothSureness(
  plan: Plan,
  { x, loss }: End,
  whole: Sureness,
  beginning: (frames: number) => Plan | null,
): Promise<SmoothSureness> {
  const { objective, unknowns, run, controls } = plan;
  const asIs = { sureness: whole, findings: [] };
  if (!objective.isExact(loss) || !isFalse(whole)) return asIs;
  let best: { readonly sureness: Sureness; readonly frames: number } | null = null;
  for (let [low, high] = [1, run.frames]; high - low > Math.max(1, NEAR * run.frames); ) {
    const part = beginning((low + high) >> 1);
    if (!part || part.run.frames >= high || controls.signal?.aborted) break;
    const { frames } = part.run;
    const sureness = await surenessAt(part, x, true);
    if (isFalse(sureness)) high = frames;
    else {
      low = frames;
      if (sureness.uncertainty.standardErrors.every(Number.isFinite)) best = { sureness, frames };
    }
  }
  if (!best) return asIs;
  const names = unknowns.names.filter((_, i) => (whole.evidence.unexplained[i] ?? 0) > UNEXPLAINED);
  const note = `After frame ${best.frames} of ${run.frames} derivatives with respect to ${listed(names)} do not predict what a change of one standard error does: rounding, chaos or a jump is larger. The model reproduces all frames to rounding; standard errors are those of the first ${best.frames} alone.`;
  return {
    sureness: best.sureness,
    findings: [{ kind: 'false derivatives', isCritical: false, unknowns: names, note }],
  };
}

/** True if derivatives do not predict changes of the output, or are mostly rounding. */
const isFalse = ({ evidence, precision, uncertainty }: Sureness): boolean =>
  evidence.unexplained.some((share) => (share ?? 0) > UNEXPLAINED) ||
  precisionFindings(precision, uncertainty.roundingFactors).some(({ isCritical }) => isCritical);
