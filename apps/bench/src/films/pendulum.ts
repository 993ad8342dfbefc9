import { buildModel, createScene } from '@gradsim/core';
import type { ObservedOutline } from '@gradsim/film';
import {
  filmCamera,
  fitBallOutlines,
  outlineBiasParameters,
  outlineObservation,
  projectedOutline,
} from '@gradsim/film';
import { estimate } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { LookAtCamera } from '@gradsim/render';
import { Spring, springs } from '@gradsim/springs';
import { airDrag } from './air.ts';
import type { Pinhole } from './camera.ts';
import { lookOf, pointAt, seenFrom } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber, knownVector } from './figures.ts';

/** Physics substeps per frame. */
const SUBSTEPS = 100;
/** Period of the rod's vibration along its own length, s: far less than a frame. */
const PERIOD = 0.01;
const START = { gravity: -9.81, damping: 0.1 };

/**
 * Estimates gravity and damping of a pendulum of known length, modelled as a point mass on a stiff spring. The inertia
 * of the ball about its centre slows the filmed pendulum down, as if gravity were 1 / (1 + 2/5 r^2 / l^2) of the true
 * one; the estimate is corrected for that.
 */
export async function estimatePendulum({ known, pictures, sightings, device }: FilmProblem): Promise<Found> {
  const { frames, frameRate } = known;
  const [length, radius, mass, plane] = ['length', 'radius', 'mass', 'plane'].map((name) => knownNumber(known, name));
  const [sine, cosine] = [Math.sin(plane), Math.cos(plane)];
  // x along the swing, the pivot as origin.
  const axes = [
    [cosine, 0, -sine],
    [0, 1, 0],
    [sine, 0, cosine],
  ];
  const camera = seenFrom(known.camera, axes, knownVector(known, 'pivot'));
  const start = startOf(camera, sightings, length, frameRate);
  const view = await filmCamera(LookAtCamera, lookOf(camera), camera);
  const seen = await fitBallOutlines(pictures, view, { near: sightings });
  const scene = createScene([
    ...[particles(), springs(), airDrag(START.damping)],
    projectedOutline({
      width: camera.width,
      height: camera.height,
      camera: LookAtCamera,
      centre: Particle.position,
      element: 1,
      radius,
    }),
  ]);
  scene.add(LookAtCamera, lookOf(camera));
  const pivot = scene.add(Particle, { position: [0, 0, 0], mass: 1, fixed: 1 }, 'the pivot');
  const bob = scene.add(Particle, { position: start.position, velocity: start.velocity, mass }, 'the ball');
  const stiffness = mass * ((2 * Math.PI) / PERIOD) ** 2;
  scene.add(Spring, {
    ends: [pivot, bob],
    stiffness,
    restLength: length,
    damping: 2 * Math.sqrt(stiffness * mass),
  });
  const found = await estimate(
    {
      model: buildModel(scene),
      frames,
      frameRate,
      substeps: SUBSTEPS,
      parameters: [
        { name: 'g', field: 'world.gravity', component: 1, initial: START.gravity, scale: 1 },
        { name: 'damping', field: 'world.air', initial: START.damping, transform: 'log' },
        // Its height follows: the rod brings it to its length.
        ...[
          { name: 'x', field: 'particles.position', initial: start.position[0] },
          { name: 'speed', field: 'particles.velocity', initial: start.velocity[0] },
        ].map((spec) => ({ ...spec, elements: [1], component: 0, scale: 0.1 })),
        ...outlineBiasParameters(seen.sizeBias),
      ],
      observations: [outlineObservation(seen.outlines)],
      checks: [seen.check],
      options: { search: { horizons: [0.2, 0.4, 0.7, 1] } },
    },
    { device },
  );
  const slower = 1 + (0.4 * radius ** 2) / length ** 2;
  return {
    estimate: found,
    figures: {
      gravity: figureOf(found, 'g', (value) => -value * slower),
      damping: figureOf(found, 'damping'),
    },
  };
}

/** Number of initial frames from which the initial state is estimated. */
const FIRST = 4;

/** Initial position and velocity of the ball in the plane of its swing, from its angle and the rate of the angle. */
function startOf(
  camera: Pinhole,
  sightings: readonly (ObservedOutline | null)[],
  length: number,
  frameRate: number,
): { readonly position: number[]; readonly velocity: number[] } {
  const angles = sightings
    .slice(0, FIRST)
    .flatMap((sighting, k) => (sighting ? [{ k, angle: angleOf(camera, sighting) }] : []));
  const [first, last] = [angles[0], angles[angles.length - 1]];
  if (!first || first === last) throw new Error('The ball is not seen in the first frames.');
  const rate = ((last.angle - first.angle) / (last.k - first.k)) * frameRate;
  const [sine, cosine] = [Math.sin(first.angle), Math.cos(first.angle)];
  return {
    position: [length * sine, -length * cosine, 0],
    velocity: [length * rate * cosine, length * rate * sine, 0],
  };
}

/** Angle of the ball from straight down, rad, where the line of sight meets the plane z = 0. */
function angleOf(camera: Pinhole, { x, y }: ObservedOutline): number {
  const [near, far] = [pointAt(camera, x, y, 1), pointAt(camera, x, y, 2)];
  const share = near[2] / (near[2] - far[2]);
  const [u, v] = [0, 1].map((c) => near[c] + share * (far[c] - near[c]));
  return Math.atan2(u, -v);
}
