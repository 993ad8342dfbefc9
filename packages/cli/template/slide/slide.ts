import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { outlineStage, outlines, startOfSlide } from '@gradsim/film';
import { box } from '@gradsim/mesh';
import type { Estimate, ParameterSpec, TieSpec } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { FilmMeasured } from '../shared/film.ts';
import { cameraOf, filmOf } from '../shared/film.ts';
import { measured } from './measured.ts';

/** What is known beforehand; see `measured.ts`. */
export interface Measured extends FilmMeasured {
  readonly size: readonly number[];
  readonly angle: number;
  readonly point: readonly number[];
  readonly gravity: number;
}

/** The box sinks in by so much under its weight, m. */
const SUNK = 1e-4;
/** While it sticks, it creeps by so much a second, m/s. */
const CREEP = 1e-3;
/** A box is put down along the incline, as well as one can: rad, of the turn about the incline's normal. */
const YAW = 0.3;

export default defineExperiment({
  name: 'slide',
  description: 'Friction and speed of a box that slides down an incline, from a film of it.',
  stages: async ({ video, signal, log }) => {
    const { size, point, gravity } = measured;
    const film = await filmOf(measured, { video, signal });
    const { values: lens, view: camera } = await cameraOf(measured, film);
    const [track] = film.tracks;
    // Downhill is where it goes, to the right of the picture or to its left: x.
    const [first, last] = [track.points[0], track.points[track.points.length - 1]];
    const right = camera.axes([1, 0, 0])[0] - camera.axes([0, 0, 0])[0];
    const side = Math.sign((last.x - first.x) * right);
    const tilt = (measured.angle * Math.PI) / 180;
    const [sine, cosine] = [Math.sin(tilt), Math.cos(tilt)];
    const normal = [side * sine, cosine, 0];
    const downhill = [side * cosine, -sine, 0];
    const height = size[1] / 2;
    const start = startOfSlide(track, camera, {
      plane: { point, normal },
      height,
      gravity: [0, -gravity, 0],
    });
    const { position, velocity } = start.at(0);
    const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, c, k) => s + c * b[k], 0);
    const away = position.map((c, k) => c - point[k]);
    const along = { downhill: dot(away, downhill), across: away[2] };
    const speed = dot(velocity, downhill);
    const mu = Math.min(Math.max(start.friction, 0.02), 1.5);
    log(`from the track alone: friction ${start.friction.toFixed(3)}, ${speed.toFixed(2)} m/s`);

    const scene = createScene([rigid(), contact(), outlines({ ...film.size, camera: PinholeCamera })]);
    // Of mass 1: a box slides as it does whatever its mass. Four vertices carry it.
    const ke = gravity / 4 / SUNK;
    const body = scene.add(Body, { mesh: box({ size: [size[0], size[1], size[2]] }), mass: 1, position }, 'the box');
    scene.attach(body, contactOf(Body), { ke, kd: Math.sqrt(ke) / 2, kf: (mu * gravity) / 4 / CREEP, mu });
    scene.add(HalfSpace, { normal, offset: dot(normal, point) }, 'the incline');
    scene.add(Gravity, { acceleration: [0, -gravity, 0] });
    scene.add(PinholeCamera, lens, 'the camera');

    const parameters: ParameterSpec[] = [
      { name: 'friction', field: 'bodies.mu', initial: mu, transform: 'log' },
      { name: 'speed', initial: speed, scale: 0.1, unit: 'm/s' },
      { name: 'downhill', initial: along.downhill, scale: 0.05, unit: 'm' },
      { name: 'across', initial: along.across, scale: 0.05, unit: 'm' },
      {
        name: 'turn of the box',
        initial: 0,
        scale: 0.1,
        unit: 'rad',
        prior: { mean: 0, standardDeviation: YAW },
      },
    ];
    const ties: TieSpec[] = [
      {
        field: 'bodies.position',
        of: ({ downhill: far, across }) =>
          point.map((c, k) => c + far * downhill[k] + (height - SUNK) * normal[k] + (k === 2 ? across : 0)),
      },
      { field: 'bodies.velocity', of: (v) => downhill.map((c) => c * v.speed) },
      {
        // First about its own y, then down by the angle of the incline about -z or z.
        field: 'bodies.orientation',
        of: ({ 'turn of the box': yaw }) => {
          const [a, b] = [Math.sin(yaw / 2), Math.cos(yaw / 2)];
          const [c, d] = [-side * Math.sin(tilt / 2), Math.cos(tilt / 2)];
          return [-c * a, d * a, c * b, d * b];
        },
      },
    ];
    return [
      outlineStage(film, buildModel(scene), {
        name: 'slide',
        substeps: Math.ceil((400 * 30) / film.frameRate),
        parameters,
        ties,
        fitsShape: true,
        options: { search: { horizons: [0.3, 0.6, 1] } },
        notes: (found) => slid(found, gravity, tilt, film.count / film.frameRate),
      }),
    ];
  },
});

/** Whether it slid all along: a box that stands still tells no more than that friction holds it. */
function slid({ parameters }: Estimate, gravity: number, tilt: number, seconds: number): string[] {
  const [mu, speed] = [parameters.friction.estimate, parameters.speed.estimate];
  const slowing = gravity * (mu * Math.cos(tilt) - Math.sin(tilt));
  const stop = slowing > 0 ? Math.max(speed, 0) / slowing : Number.POSITIVE_INFINITY;
  if (stop >= seconds) return ['The box slides all through the film.'];
  return [
    `The box slides for ${stop.toFixed(2)} s and then stands still, which tells only that friction is above ${Math.tan(tilt).toFixed(3)}.`,
  ];
}
