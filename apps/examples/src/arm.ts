import { addLogCholesky, articulated, Link, LogCholesky } from '@gradsim/articulated';
import type { Entity, Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import type { DerivedSpec, ExperimentContext, ParameterSpec, Stage, TieSpec } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import type { View } from './scenes/pendula.ts';
import { ball, DOWNWARDS, filmedScene, filmedStage, refuseFilm, rod } from './scenes/pendula.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';

/** A link: kg, m from its joint to its centre of mass, N m of dry friction, m of its mass from the centre, along and across. */
interface Part {
  readonly mass: number;
  readonly centre: number;
  readonly friction: number;
  readonly reach: number;
}
const TRUTH: readonly Part[] = [
  { mass: 1.2, centre: 0.15, friction: 0.09, reach: 0.08 },
  { mass: 0.9, centre: 0.2, friction: 0.05, reach: 0.07 },
  { mass: 0.7, centre: 0.12, friction: 0.03, reach: 0.09 },
  { mass: 0.4, centre: 0.18, friction: 0.015, reach: 0.06 },
];
const START: readonly Part[] = TRUTH.map(() => ({ mass: 0.8, centre: 0.17, friction: 0.04, reach: 0.075 }));
const LENGTH = 0.35;
const ANGLES = [1.3, 0.5, -0.9, 0.8];
/** N m, in the second film. */
const MOTORS = [2.5, -0.8, 0.4, 0.15];
const TIMELINE = { frames: 46, frameRate: 30, substeps: 32 };
/** Dry friction takes hold within this rate: kf = tau_c / 0.2, rad/s. */
const SLIP = 0.2;

function armModel(parts: readonly Part[], motors: readonly number[], view: View): Model {
  const scene = filmedScene([articulated()], view);
  let parent: Entity | undefined;
  parts.forEach(({ mass, centre, friction, reach }, k) => {
    const across = mass * reach ** 2;
    const link = scene.add(Link, {
      ...(parent === undefined ? { restOrientation: DOWNWARDS } : { parent, anchor: [0, LENGTH, 0] }),
      joint: 'revolute',
      axis: [0, 0, 1],
      coordinate: ANGLES[k],
      drive: motors[k],
      mesh: rod(LENGTH),
      mass,
      centre: [0, centre, 0],
      inertia: [2, 0, 0, 0, 2, 0, 0, 0, 2].map((i) => i * across),
      dryFriction: friction,
      frictionStiffness: friction / SLIP,
    });
    addLogCholesky(scene, link);
    parent = link;
  });
  scene.add(Link, { parent, joint: 'fixed', anchor: [0, LENGTH, 0], mesh: ball });
  return buildModel(scene);
}

type Quantity = keyof Part;
const UNITS = { mass: 'kg', centre: 'm', friction: 'N m', reach: 'm' } as const;
const RANGES = { mass: [0.1, 5], centre: [0.02, 0.4], friction: [0.002, 1], reach: [0.02, 0.3] } as const;

const unknown = (quantity: Quantity, k: number): ParameterSpec => ({
  name: `${quantity} ${k + 1}`,
  transform: 'log',
  range: RANGES[quantity],
  unit: UNITS[quantity],
  initial: START[k][quantity],
  truth: TRUTH[k][quantity],
  ...(quantity === 'friction' ? { field: Link.dryFriction, elements: [k] } : {}),
  ...(quantity === 'centre' ? { field: LogCholesky.massCentre, elements: [k], component: 1 } : {}),
});
/** What follows from masses, friction and reaches: factors of a pseudo-inertia that stays that of a body. */
function tiesOf(quantity: Quantity, k: number): TieSpec[] {
  const name = `${quantity} ${k + 1}`;
  const elements = [k];
  switch (quantity) {
    case 'mass':
      return [{ field: LogCholesky.logScale, elements, of: ({ [name]: mass }) => Math.log(mass) / 2 }];
    case 'friction':
      return [{ field: Link.frictionStiffness, elements, of: ({ [name]: friction }) => friction / SLIP }];
    case 'reach':
      return [{ field: LogCholesky.spread, elements, of: ({ [name]: reach }) => Math.log(reach) }];
    case 'centre':
      return [];
  }
}

type Values = Readonly<Record<string, number>>;
const inTruth: Values = Object.fromEntries(
  TRUTH.flatMap((part, k) => Object.entries(part).map(([quantity, value]) => [`${quantity} ${k + 1}`, value])),
);
const derivedOf = (unit: string, of: (values: Values) => number): DerivedSpec => ({
  unit,
  of,
  truth: of(inTruth),
});

/** Masses and friction over the first mass: what a swinging arm shows of them. */
const RATIOS = Object.fromEntries(
  ['mass 2', 'mass 3', 'mass 4', ...TRUTH.map((_, k) => `friction ${k + 1}`)].map((name) => [
    `${name} / mass 1`,
    derivedOf(name.startsWith('mass') ? '' : 'N m/kg', (values) => values[name] / values['mass 1']),
  ]),
);

/**
 * What acts of a link in a plane: first moment and inertia about its joint, all masses that hang on its end counted there
 * (the base parameters of robotics: Gautier and Khalil 1990).
 */
const BASES = Object.fromEntries(
  TRUTH.flatMap((_, k) => {
    const beyond = (values: Values): number =>
      TRUTH.reduce((sum, __, j) => (j > k ? sum + values[`mass ${j + 1}`] : sum), 0);
    const own = (values: Values, quantity: Quantity): number => values[`${quantity} ${k + 1}`];
    const second = (values: Values): number => own(values, 'centre') ** 2 + 2 * own(values, 'reach') ** 2;
    return [
      [`moment ${k + 1}`, derivedOf('kg m', (v) => own(v, 'mass') * own(v, 'centre') + LENGTH * beyond(v))],
      [`inertia ${k + 1}`, derivedOf('kg m^2', (v) => own(v, 'mass') * second(v) + LENGTH ** 2 * beyond(v))],
    ];
  }),
) as Readonly<Record<string, DerivedSpec>>;

/**
 * An arm of four joints from films of it: the masses of its links, how far from their joints their centres are, and the
 * dry friction of each joint. Three stages: of an arm that swings, where masses and friction show up to a common factor;
 * of one that known motors drive, where all show; and the same where how far masses reach is unknown as well, of which the
 * report names what does not show. Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'arm',
  description: 'Masses, centres of mass and friction of an arm of four joints, from its film.',
  stages: async ({ settings, device, video }: ExperimentContext): Promise<Stage[]> => {
    refuseUnknownSettings('arm', settings, ['renderer', 'size']);
    refuseFilm('arm', video);
    const size = numberSetting(settings, 'size', { otherwise: 48, least: 16, whole: true });
    const view: View = { renderer: await rendererOf(settings.renderer), size, distance: 3.6 };
    const stage = (
      name: string,
      motors: readonly number[],
      quantities: readonly Quantity[],
      { derived, note }: { readonly derived?: Readonly<Record<string, DerivedSpec>>; readonly note: string },
    ): Promise<Stage> => {
      const start = TRUTH.map((part, k) => ({
        ...part,
        ...Object.fromEntries(quantities.map((quantity) => [quantity, START[k][quantity]])),
      }));
      const all = quantities.flatMap((quantity) => TRUTH.map((_, k) => [quantity, k] as const));
      return filmedStage(
        name,
        {
          model: armModel(start, motors, view),
          truth: armModel(TRUTH, motors, view),
          timeline: TIMELINE,
          device,
        },
        {
          parameters: all.map(([quantity, k]) => unknown(quantity, k)),
          ties: all.flatMap(([quantity, k]) => tiesOf(quantity, k)),
          ...(derived ? { derived } : {}),
          options: { iterations: 80, tolerance: 1e-12, horizons: [0.1, 0.25, 0.5, 1] },
          notes: ({ undetermined }) => (undetermined.length > 0 ? [`What no such film can show: ${note}`] : []),
        },
      );
    };
    const known = ['mass', 'centre', 'friction'] as const;
    return [
      await stage('swinging', [0, 0, 0, 0], known, {
        derived: RATIOS,
        note: 'with all masses and all friction times one factor the arm swings alike. It shows their ratios.',
      }),
      await stage('driven', MOTORS, known, { note: 'nothing, as the motors are known.' }),
      await stage('driven, reaches unknown', MOTORS, [...known, 'reach'], {
        derived: BASES,
        note: 'mass, centre and reach of a link can change together, with the masses beyond. It shows the first moment and the inertia of each link about its joint, what hangs on its end counted there.',
      }),
    ];
  },
});
