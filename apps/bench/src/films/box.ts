import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import {
  outlineBiasParameters,
  outlineObservation,
  outlineShapeCheck,
  projectedOutline,
  reachObservation,
} from '@gradsim/film';
import { box } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { Gravity } from '@gradsim/physics';
import { LookAtCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { lookOf } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber, knownVector } from './figures.ts';
import { slopeOf, startOnSlope } from './incline.ts';

/** Physics substeps per frame. */
const SUBSTEPS = 400;
/** Depth to which the box sinks into the incline under its weight, m. */
const SUNK = 1e-4;
/** Speed at which the box creeps while static friction holds it, m/s. */
const CREEP = 1e-3;
const START = { mu: 0.3 };
/** Standard deviation of the box's rotation about the incline's normal when placed by hand, rad. */
const YAW_DOUBT = 0.3;

/** Estimates friction, initial position and speed of a box on an incline. */
export async function estimateBox({ known, sightings, device }: FilmProblem): Promise<Found> {
  const { frames, frameRate } = known;
  const mass = knownNumber(known, 'mass');
  const size = knownVector(known, 'halfSizes').map((half) => 2 * half);
  const slope = slopeOf(known);
  const mesh = box({ size: [size[0], size[1], size[2]] });
  const weight = mass * Math.hypot(...slope.gravity);
  // Four vertices carry it.
  const ke = weight / 4 / SUNK;
  const { width: across, height: down } = slope.camera;
  const scene = createScene([
    rigid(),
    contact(),
    projectedOutline({ width: across, height: down, camera: LookAtCamera }),
  ]);
  scene.add(LookAtCamera, lookOf(slope.camera));
  const start = startOnSlope(slope, sightings, size[1] / 2, frameRate);
  const body = scene.add(
    Body,
    { mesh, mass, position: [start.x, size[1] / 2 - SUNK, start.z], velocity: [start.speed, 0, 0] },
    'the box',
  );
  scene.attach(body, contactOf(Body), {
    ke,
    kd: Math.sqrt(ke * mass) / 2,
    kf: (START.mu * weight) / 4 / CREEP,
    mu: START.mu,
  });
  scene.add(HalfSpace, {}, 'the incline');
  scene.add(Gravity, { acceleration: slope.gravity });
  const found = await estimate(
    {
      model: buildModel(scene),
      frames,
      frameRate,
      substeps: SUBSTEPS,
      parameters: [
        { name: 'mu', field: 'bodies.mu', initial: START.mu, transform: 'log' },
        { name: 'speed', field: 'bodies.velocity', component: 0, initial: start.speed, scale: 0.1 },
        { name: 'x', field: 'bodies.position', component: 0, initial: start.x, scale: 0.1 },
        { name: 'z', field: 'bodies.position', component: 2, initial: start.z, scale: 0.1 },
        {
          name: 'half yaw',
          field: 'bodies.orientation',
          component: 1,
          initial: 0,
          scale: 0.1,
          prior: { mean: 0, standardDeviation: YAW_DOUBT / 2 },
        },
        ...outlineBiasParameters(),
      ],
      observations: [outlineObservation(sightings), reachObservation(sightings)],
      checks: [outlineShapeCheck(sightings)],
      options: { search: { horizons: [0.3, 0.6, 1] } },
    },
    { device },
  );
  return { estimate: found, figures: { mu: figureOf(found, 'mu'), speed: figureOf(found, 'speed') } };
}
