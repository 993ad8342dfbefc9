import { Link, LogCholesky } from '@gradsim/articulated';
import type { DerivedSpec, ParameterSpec, TieSpec } from '@gradsim/optim';
import type { Part } from './model.ts';
import { LINK_LENGTH, SLIP_RATE } from './model.ts';

/** True values of the links in the film. */
export const TRUTH: readonly Part[] = [
  { mass: 1.2, centre: 0.15, friction: 0.09, reach: 0.08 },
  { mass: 0.9, centre: 0.2, friction: 0.05, reach: 0.07 },
  { mass: 0.7, centre: 0.12, friction: 0.03, reach: 0.09 },
  { mass: 0.4, centre: 0.18, friction: 0.015, reach: 0.06 },
];
const START: Part = { mass: 0.8, centre: 0.17, friction: 0.04, reach: 0.075 };

/** Name of a quantity of a link that may be unknown. */
export type Quantity = keyof Part;
const UNITS = { mass: 'kg', centre: 'm', friction: 'N m', reach: 'm' } as const;
const RANGES = { mass: [0.1, 5], centre: [0.02, 0.4], friction: [0.002, 1], reach: [0.02, 0.3] } as const;

/** Links with the given quantities at the start of the search and the others true. */
export const startOf = (quantities: readonly Quantity[]): Part[] =>
  TRUTH.map((part) => ({ ...part, ...Object.fromEntries(quantities.map((quantity) => [quantity, START[quantity]])) }));

/** Unknowns of the given quantities for all links, with the ties by which they set fields. */
export function unknownsOf(quantities: readonly Quantity[]): { parameters: ParameterSpec[]; ties: TieSpec[] } {
  const all = quantities.flatMap((quantity) => TRUTH.map((_, k) => [quantity, k] as const));
  return {
    parameters: all.map(([quantity, k]) => unknown(quantity, k)),
    ties: all.flatMap(([quantity, k]) => tiesOf(quantity, k)),
  };
}

const unknown = (quantity: Quantity, k: number): ParameterSpec => ({
  name: `${quantity} ${k + 1}`,
  transform: 'log',
  range: RANGES[quantity],
  unit: UNITS[quantity],
  initial: START[quantity],
  truth: TRUTH[k][quantity],
  ...(quantity === 'friction' ? { field: Link.dryFriction, elements: [k] } : {}),
  ...(quantity === 'centre' ? { field: LogCholesky.massCentre, elements: [k], component: 1 } : {}),
});

/**
 * Ties by which masses, frictions and radii set fields; masses and radii through a factor of the pseudo-inertia, which
 * keeps it physical.
 */
function tiesOf(quantity: Quantity, k: number): TieSpec[] {
  const name = `${quantity} ${k + 1}`;
  const elements = [k];
  switch (quantity) {
    case 'mass':
      return [{ field: LogCholesky.logScale, elements, compute: ({ [name]: mass }) => Math.log(mass) / 2 }];
    case 'friction':
      return [{ field: Link.frictionStiffness, elements, compute: ({ [name]: friction }) => friction / SLIP_RATE }];
    case 'reach':
      return [{ field: LogCholesky.spread, elements, compute: ({ [name]: reach }) => Math.log(reach) }];
    case 'centre':
      return [];
  }
}

type UnknownValues = Readonly<Record<string, number>>;
const inTruth: UnknownValues = Object.fromEntries(
  TRUTH.flatMap((part, k) => Object.entries(part).map(([quantity, value]) => [`${quantity} ${k + 1}`, value])),
);
const derivedOf = (unit: string, compute: (values: UnknownValues) => number): DerivedSpec => ({
  unit,
  compute,
  truth: compute(inTruth),
});

/**
 * Derived values of a freely swinging arm, whose film determines only ratios: masses and frictions divided by the first
 * mass.
 */
export const RATIOS: Readonly<Record<string, DerivedSpec>> = Object.fromEntries(
  ['mass 2', 'mass 3', 'mass 4', ...TRUTH.map((_, k) => `friction ${k + 1}`)].map((name) => [
    `${name} / mass 1`,
    derivedOf(name.startsWith('mass') ? '' : 'N m/kg', (values) => values[name] / values['mass 1']),
  ]),
);

/**
 * Base parameters of each link of a planar arm: first moment and inertia about its joint, with the masses of all later
 * links placed at its end (Gautier and Khalil 1990).
 */
export const BASES: Readonly<Record<string, DerivedSpec>> = Object.fromEntries(
  TRUTH.flatMap((_, k) => {
    const beyond = (values: UnknownValues): number =>
      TRUTH.reduce((sum, __, j) => (j > k ? sum + values[`mass ${j + 1}`] : sum), 0);
    const own = (values: UnknownValues, quantity: Quantity): number => values[`${quantity} ${k + 1}`];
    const second = (values: UnknownValues): number => own(values, 'centre') ** 2 + 2 * own(values, 'reach') ** 2;
    return [
      [`moment ${k + 1}`, derivedOf('kg m', (v) => own(v, 'mass') * own(v, 'centre') + LINK_LENGTH * beyond(v))],
      [`inertia ${k + 1}`, derivedOf('kg m^2', (v) => own(v, 'mass') * second(v) + LINK_LENGTH ** 2 * beyond(v))],
    ];
  }),
);
