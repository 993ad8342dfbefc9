import type { Check } from '../../posterior/check.ts';
import type { Verification } from '../../posterior/posterior.ts';
import { formatDistinctFrom, twoDigits } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Finds unknowns that moved by more than their standard error in the estimate with a finer discretisation. */
const refinement = (
  kind: Verification['refined'],
  rank: number,
  { finer, remedy }: Readonly<Record<'finer' | 'remedy', string>>,
): Check<Subject, 'uncertainty'> => ({
  kind,
  rank,
  isCritical: true,
  needs: ['uncertainty'],
  find: ({ unknowns, coordinates, uncertainty, verification }) => {
    const values = unknowns.parameters(unknowns.values(coordinates));
    return verification
      .filter(({ refined }) => refined === kind)
      .map(({ parameters }) => {
        if (!parameters) return { note: `With ${finer} the simulation fails at the estimate.` };
        const moved = Object.keys(values).flatMap((name) => {
          const error = uncertainty.standardErrors[unknowns.names.indexOf(name)];
          const errors = Math.abs(parameters[name] - values[name]) / error;
          return errors > 1 ? [{ name, errors }] : [];
        });
        const each = moved.map(
          ({ name, errors }) =>
            `${name} changes from ${formatDistinctFrom(values[name], parameters[name])} to ${formatDistinctFrom(parameters[name], values[name])}, by ${twoDigits(errors)} standard errors`,
        );
        const note = `With ${finer} ${each.join('; ')}. ${remedy}.`;
        return moved.length > 0 && { unknowns: moved.map(({ name }) => name), note };
      });
  },
});

export const substep = refinement('substep', 180, { finer: 'half the substep', remedy: 'Take more substeps' });
export const mesh = refinement('mesh', 190, { finer: 'a finer mesh', remedy: 'Take a finer mesh' });
