import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';
import { focalLength, pointAt } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber } from './figures.ts';
import { ballOutline } from './outline.ts';
import type { Sighting } from './tracks.ts';
import { observationOf } from './tracks.ts';

/** A touch lasts so long, s: a small part of a frame, as with balls that are hard. */
const TOUCH = 0.004;
const SUBSTEPS = 200;
/** Frames of which the first velocity is made. */
const FIRST = 5;
const START = { gravity: -9.81, dampingRatio: 0.1 };

/** Restitution and gravity of a bouncing ball, with its start. */
export async function estimateBall({ known, sightings, device }: FilmProblem): Promise<Found> {
  const { camera, frames, frameRate } = known;
  const [radius, mass] = [knownNumber(known, 'radius'), knownNumber(known, 'mass')];
  const ke = mass * (Math.PI / TOUCH) ** 2;
  const scene = createScene([
    rigid(),
    contact(),
    ballOutline(camera, radius, Body.position, 0, '@gradsim/rigid'),
  ]);
  const start = startOf(known, sightings, radius);
  const ball = scene.add(Body, { mesh: icosphere({ radius }), mass, ...start }, 'the ball');
  const kd = 2 * START.dampingRatio * Math.sqrt(ke * mass);
  scene.add(ContactSphere, { body: ball, radius, ke, kd });
  scene.add(HalfSpace, {}, 'the floor');
  const vector = (name: 'position' | 'velocity', scale: number): ParameterSpec[] =>
    [0, 1, 2].map((component) => ({
      name: `${name} ${'xyz'[component]}`,
      field: `bodies.${name}`,
      ...{ component, initial: start[name][component], scale },
    }));
  const found = await estimate(
    {
      ...{ model: buildModel(scene), frames, frameRate, substeps: SUBSTEPS },
      parameters: [
        { name: 'g', field: 'world.gravity', component: 1, initial: START.gravity, scale: 1 },
        { name: 'kd', field: 'spheres.kd', initial: kd, transform: 'log' },
        ...vector('position', 0.1),
        ...vector('velocity', 0.1),
      ],
      observations: [observationOf(sightings)],
      options: { horizons: [0.2, 0.35, 0.5, 0.75, 1] },
    },
    { device },
  );
  return {
    estimate: found,
    figures: {
      restitution: figureOf(found, 'kd', (value) => restitutionOf(ke, value, mass)),
      gravity: figureOf(found, 'g', (value) => -value),
    },
  };
}

/** Where the ball is seen at first, as far away as it must be to look so large, and how that changes. */
function startOf(
  { camera, frameRate }: FilmProblem['known'],
  sightings: readonly (Sighting | null)[],
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

/**
 * Speed after over speed before a touch that pushes with ke C + kd C' as long as that is above 0. Source: Schwager and
 * Poeschel, Coefficient of restitution and linear-dashpot model revisited (2007).
 */
export function restitutionOf(ke: number, kd: number, mass: number): number {
  const b = kd / (2 * mass);
  const square = ke / mass;
  if (b * b >= square) return 0;
  const w = Math.sqrt(square - b * b);
  const angle = Math.atan2(2 * b * w, w * w - b * b);
  return Math.exp((-b / w) * (Math.PI - angle));
}
