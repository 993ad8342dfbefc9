import { MOSTLY_MISPREDICTED } from '../../covariance/linearity.ts';
import type { Check } from '../../posterior/check.ts';
import { listed } from '../../posterior/sentences.ts';
import type { UndeterminedDirection } from '../../posterior/uncertainty.ts';
import type { Unknowns } from '../../unknowns/unknowns.ts';
import type { Subject } from '../subject.ts';

/** Finds unknowns that nothing determines. Critical if these are all of which nothing was known before. */
export const undetermined: Check<Subject, 'uncertainty'> = {
  kind: 'undetermined',
  rank: 210,
  isCritical: false,
  needs: ['uncertainty'],
  find: ({ unknowns, names, uncertainty, mispredicted }) => {
    const isFree = (i: number): boolean =>
      uncertainty.determinedBy[i] === 'nothing' && (mispredicted[i] ?? 0) <= MOSTLY_MISPREDICTED;
    const free = names.filter((_, i) => isFree(i));
    const isCritical = unknowns.blocks.every(
      ({ prior, first, count }) => prior || Array.from({ length: count }, (_, k) => first + k).every(isFree),
    );
    const lead = isCritical
      ? 'The observations determine none of the unknowns: they are too few, or show something else.'
      : directionNote(uncertainty.undetermined, free);
    return free.length > 0 && { isCritical, unknowns: free, note: [lead, ...reasonsFor(unknowns, free)].join(' ') };
  },
};

/** Reasons, given by the fields of undetermined unknowns, why observations may not depend on them. */
const reasonsFor = ({ blocks }: Unknowns, free: readonly string[]): string[] => [
  ...new Set(blocks.flatMap(({ name, unseen }) => (unseen && free.includes(name) ? [unseen] : []))),
];

function directionNote(undetermined: readonly UndeterminedDirection[], free: readonly string[]): string {
  const own = undetermined.filter(({ direction }) => free.some((name) => Math.abs(direction[name] ?? 0) > 0.2));
  return own[0]?.note ?? `${listed(free)} ${free.length > 1 ? 'are' : 'is'} not determined by these observations.`;
}
