import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import type { ObservedOutline } from '@gradsim/film';
import {
  filmCamera,
  fitBallOutlines,
  outlineBiasParameters,
  outlineObservation,
  projectedOutline,
} from '@gradsim/film';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { LookAtCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { focalLength, lookOf, pointAt } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber } from './figures.ts';

/** Physics substeps per frame. */
const SUBSTEPS = 4;
/** Number of initial frames from which the initial velocity is estimated. */
const FIRST = 5;
const START = { gravity: -9.81, restitution: 0.7 };

/** Estimates restitution, gravity and initial state of a bouncing ball. */
export async function estimateBall({ known, pictures, sightings, device }: FilmProblem): Promise<Found> {
  const { camera, frames, frameRate } = known;
  const radius = knownNumber(known, 'radius');
  const scene = createScene([
    ...[rigid(), impacts()],
    projectedOutline({
      width: camera.width,
      height: camera.height,
      camera: LookAtCamera,
      centre: Body.position,
      radius,
    }),
  ]);
  scene.add(LookAtCamera, lookOf(camera));
  const view = await filmCamera(LookAtCamera, lookOf(camera), camera);
  const seen = await fitBallOutlines(pictures, view, { near: sightings });
  const start = startOf(known, sightings, radius);
  const mass = knownNumber(known, 'mass');
  const moment = 0.4 * mass * radius ** 2;
  const inertia = [moment, 0, 0, 0, moment, 0, 0, 0, moment];
  const ball = scene.add(Body, { ...start, mass, inertia }, 'the ball');
  scene.attach(ball, impactOf(Body), { radius, restitution: START.restitution });
  scene.add(HalfSpace, {});
  const vector = (name: 'position' | 'velocity', scale: number): ParameterSpec[] =>
    [0, 1, 2].map((component) => ({
      name: `${name} ${'xyz'[component]}`,
      field: `bodies.${name}`,
      component,
      initial: start[name][component],
      scale,
    }));
  const found = await estimate(
    {
      model: buildModel(scene),
      frames,
      frameRate,
      substeps: SUBSTEPS,
      parameters: [
        { name: 'g', field: 'world.gravity', component: 1, initial: START.gravity, scale: 1 },
        {
          name: 'restitution',
          field: 'bodies.restitution',
          initial: START.restitution,
          transform: 'bounded',
          range: [0.01, 1],
        },
        ...vector('position', 0.1),
        ...vector('velocity', 0.1),
        ...outlineBiasParameters(seen.sizeBias),
      ],
      observations: [outlineObservation(seen.outlines)],
      checks: [seen.check],
      options: { search: { horizons: [0.2, 0.35, 0.5, 0.75, 1], hops: 3 } },
    },
    { device },
  );
  return {
    estimate: found,
    figures: {
      restitution: figureOf(found, 'restitution'),
      gravity: figureOf(found, 'g', (value) => -value),
    },
  };
}

/** Initial position of the ball, m, with its distance from its apparent size, and initial velocity, m/s. */
function startOf(
  { camera, frameRate }: FilmProblem['known'],
  sightings: readonly (ObservedOutline | null)[],
  radius: number,
): { readonly position: number[]; readonly velocity: number[] } {
  const seen = sightings.slice(0, FIRST).flatMap((sighting, k) => (sighting ? [{ sighting, k }] : []));
  if (seen.length < 2) throw new Error('The ball is not seen in the first frames.');
  // One depth for all: sizes of single frames are too rough for a velocity along the line of sight.
  const size = seen.reduce((sum, { sighting }) => sum + sighting.size / seen.length, 0);
  const depth = (focalLength(camera) * radius) / size;
  const points = seen.map(({ sighting, k }) => ({
    k,
    point: pointAt(camera, sighting.x, sighting.y, depth),
  }));
  const [first, last] = [points[0], points[points.length - 1]];
  const velocity = first.point.map((c, i) => ((last.point[i] - c) / (last.k - first.k)) * frameRate);
  // The mean velocity of these frames, at their beginning.
  velocity[1] -= (START.gravity * (last.k - first.k)) / frameRate / 2;
  return { position: first.point, velocity };
}
