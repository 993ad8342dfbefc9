import { MOSTLY_MISPREDICTED } from '../../covariance/linearity.ts';
import { explosionNote } from '../../descent/exploding-gradients.ts';
import type { Check } from '../../posterior/check.ts';
import { listed } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Finds unknowns whose derivatives do not predict what a change of one standard error does. */
export const falseDerivatives: Check<Subject> = {
  kind: 'false derivatives',
  rank: 90,
  isCritical: true,
  find: ({ names, mispredicted }) => {
    const off = names.filter((_, i) => (mispredicted[i] ?? 0) > MOSTLY_MISPREDICTED);
    const note = `Derivatives with respect to ${listed(off)} do not predict what a change of one standard error does: rounding, chaos or a jump is larger.`;
    return off.length > 0 && { unknowns: off, note };
  },
};

/** Says that standard errors are those of the first frames; not critical, since the model reproduces all frames. */
export const falseLater: Check<Subject, 'smoothBeginning'> = {
  kind: 'false derivatives',
  rank: 90,
  isCritical: false,
  needs: ['smoothBeginning'],
  find: ({ smoothBeginning: { frames, names }, problem }) => ({
    unknowns: names,
    note: `After frame ${frames} of ${problem.frames} derivatives with respect to ${listed(names)} do not predict what a change of one standard error does: rounding, chaos or a jump is larger. The model reproduces all frames to rounding; standard errors are those of the first ${frames} alone.`,
  }),
};

/** Finds gradients that exploded; not critical, since the best point itself was evaluated without. */
export const explodingGradients: Check<Subject, 'search'> = {
  kind: 'exploding gradients',
  rank: 200,
  isCritical: false,
  needs: ['search'],
  find: ({ search: { exploded } }) => exploded && { note: explosionNote(exploded) },
};
