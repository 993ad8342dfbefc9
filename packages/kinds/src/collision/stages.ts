import { buildModel, createScene } from '@gradsim/core';
import { measuredCamera, measuredScale, pairFitStage, placeUnknowns, planeScale, points } from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { NamedValues, ParameterSpec, Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { fasterFirst } from './faster-first.ts';
import type { measures } from './measures.ts';
import { Collider, collision, touchTime } from './motion.ts';
import { collisionUnknowns } from './way.ts';
import { givenMassesOf } from './weighed.ts';

/** Turn of the plane of the motion from that of the picture, and its standard deviation, rad: from the side, from above. */
const [TURN, ACROSS] = ['turn of the plane', { side: 0.3, above: 0.1 }];
/** Deceleration of what rolls or slides, m/s^2: from an air track to a disc on a table, two standard deviations apart. Judged. */
const BRAKING = { mean: 0.06, standardDeviation: 1.5, isLogNormal: true };
const BRAKED = {
  field: Collider.braking,
  initial: BRAKING.mean,
  transform: 'log',
  unit: 'm/s^2',
  prior: BRAKING,
} as const;
const THINGS = ['first', 'second'] as const;

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const read = await filmOf(measured, context);
  const unplaced = { ...measured, eye: null, target: null, radius: null };
  const camera = await measuredCamera(read, unplaced, measured.seen === 'side' ? [] : ['tilt']);

  // Observations: the middles of both masks.
  const marked = read.marked({ ...measured, radius: 1 });
  const scale = measuredScale(read.size, camera, marked);
  const found = { film: read, view: camera.view, distance: planeScale(read.size, marked).distance };
  const { film, pair, first, second, time } = await fasterFirst(found, measured, context);

  // The model: two points in a plane, whose velocities change in one moment.
  const middles = [{ element: 0 }, { element: 1 }];
  const scene = createScene([
    collision(),
    points({ ...film.size, camera: PinholeCamera, position: Collider.position, points: middles }),
  ]);
  for (const [k, { position, before, after }] of [first, second].entries())
    scene.add(
      Collider,
      { place: [...position, -found.distance], before: [...before, 0], after: [...after, 0], braking: BRAKING.mean },
      `the ${THINGS[k]}`,
    );
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns.
  const places = [first, second].map(({ position }, element) =>
    placeUnknowns(camera, scale, {
      name: `place of the ${THINGS[element]}`,
      field: Collider.place,
      element,
      position: [...position, -found.distance],
      turn: TURN,
    }),
  );
  const placesAt = (v: NamedValues) => places.map(({ ties }) => ties[0].compute(v) as readonly number[]);
  const masses = givenMassesOf(measured);
  const way = collisionUnknowns(measured.seen, [first, second], masses, { turn: TURN, placesAt });
  const inSpace = ([across, up]: readonly number[], v: NamedValues): number[] => [
    across * Math.cos(v[TURN]),
    up,
    -across * Math.sin(v[TURN]),
  ];
  const turned: ParameterSpec = {
    name: TURN,
    initial: 0,
    scale: 0.1,
    unit: 'rad',
    prior: { mean: 0, standardDeviation: ACROSS[measured.seen] },
  };
  return [
    pairFitStage(film, buildModel(scene), {
      name: 'collision',
      substeps: 1,
      parameters: [
        ...way.parameters,
        ...masses.parameters(way.ratio),
        { name: 'moment of the touch', field: touchTime, initial: time, scale: 0.01, unit: 's' },
        ...THINGS.map((name, element) => ({ ...BRAKED, name: `braking of the ${name}`, elements: [element] })),
        ...[...places.flatMap(({ parameters }) => parameters), turned, ...camera.parameters],
      ],
      given: [...masses.given, ...scale.lengths({}).given, ...camera.given],
      ties: [
        ...[...camera.ties, ...places.flatMap(({ ties }) => ties)],
        { field: Collider.before, compute: (v) => way.velocitiesAt(v).before.flatMap((flat) => inSpace(flat, v)) },
        { field: Collider.after, compute: (v) => way.velocitiesAt(v).after.flatMap((flat) => inSpace(flat, v)) },
      ],
      derived: way.derived,
      pair,
      notes: (result) => way.notes(result),
      options: { search: { horizons: [1] } },
    }),
  ];
}
