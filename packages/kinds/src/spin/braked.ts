import type { Spin } from '@gradsim/film';
import type { MeasuredBy } from '@gradsim/kinds/define';
import type { NamedValues, ParameterSpec, Problem, TieSpec } from '@gradsim/optim';
import type { measures } from './measures.ts';
import { Spinner } from './motion.ts';

export const RATE = 'angular velocity';
const [DRY, VISCOUS, AIR] = ['dry friction', 'viscous friction', 'air friction'];

/** The three terms of friction: given, or unknown. */
interface Braked extends Required<Pick<Problem, 'derived' | 'parameters' | 'ties'>> {
  /** Values at which the search starts, of the terms a, b and c. */
  readonly initial: { readonly dry: number; readonly viscous: number; readonly air: number };
}

/** Terms of the deceleration a + b w + c w^2, w the angular velocity: those that are not known share what the track shows. */
export function decelerationUnknowns(measured: MeasuredBy<typeof measures>, { meanRate, slowing }: Spin): Braked {
  const terms = [
    { name: DRY, value: measured.dry, field: Spinner.dry, power: 0, unit: 'rad/s^2' },
    { name: VISCOUS, value: measured.viscous, field: Spinner.viscous, power: 1, unit: '1/s' },
    { name: AIR, value: measured.air, field: Spinner.air, power: 2, unit: '1/rad' },
  ] as const;
  const { inertia } = measured;
  const known = terms.reduce((sum, { value, power }) => sum + (value ?? 0) * meanRate ** power, 0);
  const unknown = terms.filter(({ value }) => value === null);
  const share = Math.max(0.1 * slowing, slowing - known) / Math.max(1, unknown.length);
  const [dry, viscous, air] = terms.map(({ value, power }) => value ?? share / meanRate ** power);
  const at = (v: NamedValues): number => {
    const w = Math.abs(v[RATE]);
    return terms.reduce((sum, { name, value, power }) => sum + (value ?? v[name]) * w ** power, 0);
  };
  return {
    initial: { dry, viscous, air },
    parameters: unknown.map(
      ({ name, power, unit }): ParameterSpec => ({
        name,
        initial: share / meanRate ** power,
        scale: share / meanRate ** power,
        unit,
        usual: {
          range: [0, Number.MAX_VALUE],
          of: 'that of what brakes,',
          question:
            'Does something drive it? Does the disc stay where it is, without a wobble? Does the film play as fast as it was taken?',
        },
      }),
    ),
    ties: unknown.map(({ name, field }): TieSpec => ({ field, compute: (v) => v[name] })),
    derived: {
      deceleration: { unit: 'rad/s^2', compute: at },
      ...(inertia === null ? {} : { torque: { unit: 'N m', compute: (v: NamedValues) => inertia * at(v) } }),
    },
  };
}
