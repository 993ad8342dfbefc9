import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { cylinder } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { Gravity } from '@gradsim/physics';
import { Body, rigid } from '@gradsim/rigid';
import type { FilmProblem, Found } from './figures.ts';
import { knownNumber } from './figures.ts';
import { slopeOf, startOnSlope } from './incline.ts';
import { meshOutline } from './outline.ts';
import { observationOf } from './tracks.ts';

const SUBSTEPS = 200;
/** The disc sinks in by so much under its weight, m. */
const SUNK = 1e-4;
/** What does not roll does so after this time, s: far less than a frame. */
const GRIP = 1e-3;
/** Friction is never overcome: the record says that the disc rolls. */
const NO_SLIDING = 1e3;
const SEGMENTS = 64;
const START = { inertiaRatio: 0.6 };

/**
 * I / (m r^2) and speed of a disc that rolls down an incline. The model's disc does not turn at first, and is gripped at once:
 * m (v0 - v) = (I / r^2) v, so that it then rolls with v = v0 / (1 + I / (m r^2)).
 */
export async function estimateDisc({ known, sightings, device }: FilmProblem): Promise<Found> {
  const { frames, frameRate } = known;
  const [mass, radius, width] = ['mass', 'radius', 'width'].map((name) => knownNumber(known, name));
  const slope = slopeOf(known);
  const mesh = wheel(radius, width);
  const unit = mass * radius ** 2;
  const about = START.inertiaRatio * unit;
  const start = startOnSlope(slope, sightings, radius, frameRate);
  const scene = createScene([rigid(), contact(), meshOutline(slope.camera, mesh.triangles)]);
  const ke = (mass * Math.hypot(...slope.gravity)) / SUNK;
  const disc = scene.add(
    Body,
    {
      ...{ mesh, mass, inertia: [about / 2, 0, 0, 0, about / 2, 0, 0, 0, about] },
      position: [start.x, radius - SUNK, start.z],
      velocity: [start.speed * (1 + START.inertiaRatio), 0, 0],
    },
    'the disc',
  );
  const kd = 2 * Math.sqrt(ke * mass);
  scene.add(ContactSphere, { body: disc, radius, ke, kd, kf: mass / GRIP / 4, mu: NO_SLIDING });
  scene.add(HalfSpace, {}, 'the incline');
  scene.add(Gravity, { acceleration: slope.gravity });
  const found = await estimate(
    {
      ...{ model: buildModel(scene), frames, frameRate, substeps: SUBSTEPS },
      parameters: [
        { name: 'inertia', field: 'bodies.inertia', component: 8, initial: about, transform: 'log' },
        {
          ...{ name: 'push', field: 'bodies.velocity', component: 0 },
          ...{ initial: start.speed * (1 + START.inertiaRatio), scale: 0.1 },
        },
        { name: 'x', field: 'bodies.position', component: 0, initial: start.x, scale: 0.1 },
        { name: 'z', field: 'bodies.position', component: 2, initial: start.z, scale: 0.1 },
      ],
      observations: [observationOf(sightings)],
      options: { horizons: [0.4, 1] },
    },
    { device },
  );
  const names = Object.keys(found.parameters);
  const [inertia, push] = [found.parameters.inertia, found.parameters.push];
  const ratio = inertia.estimate / unit;
  const correlation = found.correlation[names.indexOf('inertia')]?.[names.indexOf('push')] ?? null;
  const isKnown = inertia.standardError !== null && push.standardError !== null && correlation !== null;
  // v = v0 / (1 + b): the variance by both derivatives and their correlation.
  const [byPush, byRatio] = [1 / (1 + ratio), -push.estimate / (1 + ratio) ** 2];
  const variance = isKnown
    ? (byPush * push.standardError) ** 2 +
      ((byRatio * inertia.standardError) / unit) ** 2 +
      2 * byPush * byRatio * correlation * push.standardError * (inertia.standardError / unit)
    : null;
  return {
    estimate: found,
    figures: {
      inertiaRatio: {
        estimate: ratio,
        standardError: inertia.standardError === null ? null : inertia.standardError / unit,
      },
      speed: {
        estimate: push.estimate / (1 + ratio),
        standardError: variance === null ? null : Math.sqrt(Math.max(variance, 0)),
      },
    },
  };
}

/** A cylinder about z. */
function wheel(radius: number, width: number): TriangleMesh {
  const upright = cylinder({ radius, height: width, segments: SEGMENTS });
  const { positions } = upright;
  const turned = Float64Array.from(positions, (_, k) => {
    const vertex = k - (k % 3);
    return [positions[vertex], -positions[vertex + 2], positions[vertex + 1]][k % 3];
  });
  return { ...upright, positions: turned };
}
