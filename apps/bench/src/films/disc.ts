import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { outlineBiasParameters, outlineObservation, outlineShapeCheck, projectedOutline } from '@gradsim/film';
import type { TriangleMesh } from '@gradsim/mesh';
import { cylinder } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { Gravity } from '@gradsim/physics';
import { LookAtCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { lookOf } from './camera.ts';
import type { FilmProblem, Found } from './figures.ts';
import { figureOf, knownNumber } from './figures.ts';
import { slopeOf, startOnSlope } from './incline.ts';

/** Physics substeps per frame. */
const SUBSTEPS = 200;
/** Depth to which the disc sinks into the incline under its weight, m. */
const SUNK = 1e-4;
/** Time constant of static friction, s: far less than a frame. */
const GRIP = 1e-3;
/** Coefficient of friction, dimensionless: too large to be overcome, since the record says that the disc rolls. */
const NO_SLIDING = 1e3;
/** Segments of the disc's rim. */
const SEGMENTS = 64;
const START = { inertiaRatio: 0.6 };

/**
 * Estimates I / (m r^2) and initial speed of a disc that rolls down an incline. The model's disc starts without spin
 * and grips at once: m (v0 - v) = (I / r^2) (v - u) with the slip u, so it then rolls with v = (v0 + u I / (m r^2)) /
 * (1 + I / (m r^2)).
 */
export async function estimateDisc({ known, sightings, device }: FilmProblem): Promise<Found> {
  const { frames, frameRate } = known;
  const [mass, radius, width] = ['mass', 'radius', 'width'].map((name) => knownNumber(known, name));
  const slope = slopeOf(known);
  const mesh = wheel(radius, width);
  const unit = mass * radius ** 2;
  const about = START.inertiaRatio * unit;
  const start = startOnSlope(slope, sightings, radius, frameRate);
  const { width: across, height: down } = slope.camera;
  const scene = createScene([
    rigid(),
    contact(),
    projectedOutline({ width: across, height: down, camera: LookAtCamera }),
  ]);
  scene.add(LookAtCamera, lookOf(slope.camera));
  const ke = (mass * Math.hypot(...slope.gravity)) / SUNK;
  const disc = scene.add(
    Body,
    {
      mesh,
      mass,
      inertia: [about / 2, 0, 0, 0, about / 2, 0, 0, 0, about],
      position: [start.x, radius - SUNK, start.z],
      velocity: [start.speed * (1 + START.inertiaRatio), 0, 0],
    },
    'the disc',
  );
  const kd = 2 * Math.sqrt(ke * mass);
  scene.add(ContactSphere, { body: disc, radius, ke, kd, kf: mass / GRIP / 4, mu: NO_SLIDING });
  scene.add(HalfSpace, {}, 'the incline');
  scene.add(Gravity, { acceleration: slope.gravity });
  // Friction that is linear in the slip takes some of it to turn the disc: I / r^2 a = kf u.
  const slip = (ratio: number): number => ((ratio * slope.gravity[0]) / (1 + ratio)) * 4 * GRIP;
  const found = await estimate(
    {
      model: buildModel(scene),
      frames,
      frameRate,
      substeps: SUBSTEPS,
      parameters: [
        { name: 'inertia', field: 'bodies.inertia', component: 8, initial: about, transform: 'log' },
        {
          name: 'push',
          field: 'bodies.velocity',
          component: 0,
          initial: start.speed * (1 + START.inertiaRatio),
          scale: 0.1,
        },
        { name: 'x', field: 'bodies.position', component: 0, initial: start.x, scale: 0.1 },
        { name: 'z', field: 'bodies.position', component: 2, initial: start.z, scale: 0.1 },
        ...outlineBiasParameters(),
      ],
      observations: [outlineObservation(sightings)],
      checks: [outlineShapeCheck(sightings)],
      options: { search: { horizons: [0.4, 1] } },
    },
    { device },
  );
  return {
    estimate: found,
    figures: {
      inertiaRatio: figureOf(found, 'inertia', (inertia) => inertia / unit),
      speed: figureOf(found, ['inertia', 'push'], (inertia, push) => {
        const ratio = inertia / unit;
        return (push + ratio * slip(ratio)) / (1 + ratio);
      }),
    },
  };
}

/** Mesh of a cylinder with its axis along z. */
function wheel(radius: number, width: number): TriangleMesh {
  const upright = cylinder({ radius, height: width, segments: SEGMENTS });
  const { positions } = upright;
  const turned = Float64Array.from(positions, (_, k) => {
    const vertex = k - (k % 3);
    return [positions[vertex], -positions[vertex + 2], positions[vertex + 1]][k % 3];
  });
  return { ...upright, positions: turned };
}
