import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import {
  givenAngle,
  givenSize,
  inclineCamera,
  inclineOf,
  observedOutlines,
  outlineFitStage,
  projectedOutline,
  sizeIn,
  slideTies,
  startOfSlide,
  trackIn,
} from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { box } from '@gradsim/mesh';
import type { ParameterSpec, Stage, TieSpec } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, BodyVertex, Gravity, rigid } from '@gradsim/rigid';
import type { measures } from './measures.ts';
import { boxSeenIn } from './seen.ts';
import { slideNote } from './slid.ts';

/** Depth to which the box sinks into the incline by its weight, m; its creep velocity while friction holds it, m/s. */
const [SUNK, CREEP] = [1e-4, 1e-3];
/** Standard deviation of the box's rotation about the incline's normal when placed by hand, rad. */
const YAW = 0.3;

/** Number of substeps per second: for a friction of 1, since the stiffness of friction grows with it, and the least. */
const [SUBSTEPS, LEAST_SUBSTEPS] = [20_000, 6000];
const material = contactOf(Body);

/** Friction from which a search may start: its logarithm is searched. */
const likely = (friction: number): number => Math.min(Math.max(friction, 0.02), 1.5);

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { size, angle, point, gravity } = measured;
  const film = await filmOf(measured, context);
  const track = trackIn(film.tracks, measured.track);
  const camera = await inclineCamera(film, track, measured);

  // Observations: the direction of the incline, and the start of the box, from its track.
  const inclineAt = (degrees: number) => inclineOf(track, camera.view, { angle: degrees, point });
  const incline = inclineAt(angle);
  const start = startOfSlide(track, camera.view, { plane: incline, height: size[1] / 2, gravity: [0, -gravity, 0] });
  const { position, velocity } = start.at(0);
  const { downhill, across } = incline.along(position);
  const turn = { mean: camera.turn, standardDeviation: YAW };
  const speed = incline.downhill.reduce((sum, c, k) => sum + c * velocity[k], 0);
  context.log(`from the track alone: friction ${start.friction.toFixed(3)}, ${speed.toFixed(2)} m/s`);

  // The unknowns: friction and speed, and the place of the box on the incline.
  const parameters: ParameterSpec[] = [
    { name: 'friction', field: material.mu, initial: likely(start.friction), transform: 'log' },
    { name: 'speed', initial: speed, scale: 0.1, unit: 'm/s' },
    { name: 'downhill', initial: downhill, scale: 0.05, unit: 'm' },
    { name: 'across', initial: across, scale: 0.05, unit: 'm' },
    { name: 'turn of the box', initial: camera.turn, scale: 0.1, unit: 'rad', prior: turn },
  ];
  const given = [givenAngle('angle', angle, measured), ...givenSize(size, measured), ...camera.given];

  // By masks first, which blur and shadows displace; then by all pixels around where these say that the box is.
  const specs = { camera, inclineAt, gravity, parameters, given };
  const { v, seen } = await boxSeenIn(film, specs, observedOutlines(film, track), context);

  // The model: a box on an incline. Of mass 1, since sliding does not depend on it; four vertices carry it.
  const mu = likely(v.friction);
  const scene = createScene([rigid(), contact(), projectedOutline({ ...film.size, camera: PinholeCamera })]);
  const ke = gravity / 4 / SUNK;
  const body = scene.add(Body, { mesh: box({ size }), mass: 1, position }, 'the box');
  scene.attach(body, material, { ke, kd: Math.sqrt(ke) / 2, kf: (mu * gravity) / 4 / CREEP, mu });
  scene.add(HalfSpace, { normal: incline.normal, offset: incline.offset }, 'the incline');
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');
  const ties: TieSpec[] = [
    ...camera.ties,
    ...slideTies(inclineAt, { body: Body, plane: HalfSpace }, SUNK),
    { field: BodyVertex.local, compute: (v) => Array.from(box({ size: sizeIn(v) }).positions) },
  ];
  const found = parameters.map((spec) => ({ ...spec, start: { ...v, friction: mu }[spec.name] }));
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'slide',
      substeps: Math.ceil(Math.max(SUBSTEPS * mu, LEAST_SUBSTEPS) / film.frameRate),
      parameters: found,
      given,
      ties,
      fitsShape: true,
      outlines: seen.outlines,
      notes: (result) => [slideNote(result, gravity, incline.tilt, film.times.at(-1)!)],
      options: { search: { horizons: [1] }, checks: [seen.check] },
    }),
  ];
}
