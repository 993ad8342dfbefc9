import { Link } from '@gradsim/articulated';
import type { MeasuredBy } from '@gradsim/kinds/define';
import type { GivenSpec, NamedValues, ParameterSpec, Problem, TieSpec } from '@gradsim/optim';
import type { measures } from './measures.ts';

/** Part of the spring's mass that moves with the ball: of a spring much lighter than the ball (Rayleigh). */
const RAYLEIGH_SHARE = 1 / 3;
const RATIO = 'stiffness over mass';
const SPRING = 'mass of the spring';

/** Stiffness k and moved mass m of a ball on a spring: a film shows their ratio, the square of its frequency. */
interface SpringAndMass extends Pick<Problem, 'derived'> {
  /** Values at which the search starts, N/m and kg. */
  readonly stiffness: number;
  readonly mass: number;
  /** Moved mass at values, kg: that of the ball and a third of the spring's. */
  readonly movedMass: (values: NamedValues) => number;
  readonly parameters: readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
  readonly ties: readonly TieSpec[];
}

/**
 * Stiffness and mass by what was measured: the one that was not is unknown; where neither was, only their ratio is, that of
 * a moved mass of 1; where both were, the film is compared with them.
 *
 * @param frequency angular frequency from the track, rad/s.
 */
export function springAndMass(measured: MeasuredBy<typeof measures>, frequency: number): SpringAndMass {
  const { springMass, massTolerance } = measured;
  const square = frequency ** 2;
  const isRatio = measured.mass === null && measured.stiffness === null;
  const spring = isRatio ? 0 : RAYLEIGH_SHARE * springMass;
  const movedMass = (v: NamedValues): number =>
    isRatio ? 1 : v.mass + (springMass === 0 ? 0 : RAYLEIGH_SHARE * v[SPRING]);
  const stiffnessOf = (v: NamedValues): number => (isRatio ? v[RATIO] : v.stiffness);
  const heavy = measured.mass === null ? undefined : measured.mass + spring;
  const stiffness = measured.stiffness ?? square * (heavy ?? 1);
  const mass = heavy ?? Math.max(stiffness / square, 1.1 * spring);
  const given = (name: string, value: number | null, unit: string): GivenSpec[] =>
    value === null ? [] : [{ name, value, tolerance: massTolerance * value, unit }];
  const unknown = (name: string, initial: number, unit: string): ParameterSpec[] => [
    { name, initial, transform: 'log', unit },
  ];
  return {
    stiffness,
    mass,
    movedMass,
    parameters: isRatio
      ? unknown(RATIO, square, '1/s^2')
      : [
          ...(measured.stiffness === null ? unknown('stiffness', stiffness, 'N/m') : []),
          ...(measured.mass === null ? unknown('mass', mass - spring, 'kg') : []),
        ],
    given: [
      ...given('stiffness', measured.stiffness, 'N/m'),
      ...given('mass', measured.mass, 'kg'),
      ...(isRatio || springMass === 0 ? [] : given(SPRING, springMass, 'kg')),
    ],
    ties: [
      ...(isRatio ? [] : [{ field: Link.mass, compute: movedMass }]),
      { field: Link.stiffness, compute: stiffnessOf },
    ],
    derived: {
      // Of the damped oscillation.
      period: { unit: 's', compute: (v) => (2 * Math.PI) / Math.sqrt(stiffnessOf(v) / movedMass(v) - v.damping ** 2) },
    },
  };
}
