import { fileURLToPath } from 'node:url';
import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { filmCamera, outlineStage, outlines, readFilm, startOfFlight } from '@gradsim/film';
import type { ParameterSpec } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { LookAtCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { measured } from './measured.ts';

/** What is known beforehand; see `measured.ts`. */
export interface Measured {
  readonly video: string;
  readonly background: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly frameRate: number | null;
  readonly chroma: 'left' | 'centre';
  readonly radius: number;
  readonly gravity: number | null;
  readonly fieldOfView: number;
  readonly eye: readonly number[] | null;
  readonly target: readonly number[] | null;
}

/** Where gravity is to be found, the search starts here, m/s^2. */
const USUAL_GRAVITY = 9.81;
/** A camera that is held level is so to this tangent: about 6 degrees. */
const LEVEL = 0.1;

export default defineExperiment({
  name: 'ball',
  description: 'How well a ball bounces on the floor, and how it was thrown, from a film of it.',
  stages: async ({ video, signal, log }) => {
    const { radius, eye, target } = measured;
    const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
    const film = await readFilm(video ?? file(measured.video), {
      first: measured.first ?? undefined,
      last: measured.last ?? undefined,
      ...(measured.frameRate === null ? {} : { frameRate: measured.frameRate, clock: 'wrong' as const }),
      ...(measured.background === null ? {} : { background: { file: file(measured.background) } }),
      chroma: measured.chroma,
      signal,
    });

    // A camera of which it is not known where it is is the origin, and looks along -z, level or nearly so.
    const isKnown = eye !== null && target !== null;
    const look = {
      eye: isKnown ? eye : [0, 0, 0],
      target: isKnown ? target : [0, 0, -1],
      fieldOfView: (measured.fieldOfView * Math.PI) / 180,
    };
    const gravity = measured.gravity ?? USUAL_GRAVITY;
    const camera = await filmCamera(LookAtCamera, look, film.size);
    const flight = startOfFlight(film.tracks[0], camera, { radius, gravity: [0, -gravity, 0] });
    const [bounce] = flight.contacts;
    if (!bounce) throw new Error('No bounce is seen in the film: it takes some frames before and after one.');
    const { position, velocity } = flight.at(0);
    const floor = isKnown ? 0 : bounce.position[1] - radius;
    const restitution = Math.min(Math.max(bounce.restitution, 0.05), 0.95);
    log(
      `${flight.contacts.length} bounces in the track; the first gives back ${restitution.toFixed(3)} of the speed`,
    );

    const scene = createScene([
      ...[rigid(), impacts()],
      outlines({ ...film.size, camera: LookAtCamera, centre: Body.position, radius }),
    ]);
    const inertia = 0.4 * radius ** 2;
    const ball = scene.add(
      Body,
      { mass: 1, inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia], position, velocity },
      'the ball',
    );
    scene.attach(ball, impactOf(Body), { radius, restitution, mu: 0.2 });
    scene.add(HalfSpace, { offset: floor }, 'the floor');
    scene.add(Gravity, { acceleration: [0, -gravity, 0] });
    scene.add(LookAtCamera, look, 'the camera');

    const unknown = (
      name: string,
      field: string,
      component: number,
      initial: number,
      scale: number,
    ): ParameterSpec => ({ name, field, component, initial, scale });
    const parameters: ParameterSpec[] = [
      {
        ...{ name: 'restitution', field: 'bodies.restitution', initial: restitution },
        ...{ transform: 'bounded', range: [0, 1] },
      },
      { name: 'friction', field: 'bodies.mu', initial: 0.2, transform: 'bounded', range: [0, 2] },
      ...position.map((value, k) => unknown(`position ${'xyz'[k]}`, 'bodies.position', k, value, 0.05)),
      ...velocity.map((value, k) => unknown(`velocity ${'xyz'[k]}`, 'bodies.velocity', k, value, 0.1)),
      ...(measured.gravity === null ? [unknown('gravity', 'world.gravity', 1, -gravity, 1)] : []),
    ];
    if (!isKnown)
      parameters.push(
        { name: 'floor', field: 'halfSpaces.offset', initial: floor, scale: 0.05 },
        {
          ...unknown('tilt of the camera', 'cameras.target', 1, 0, LEVEL),
          prior: { mean: 0, standardDeviation: LEVEL },
        },
      );
    return [
      outlineStage(film, buildModel(scene), {
        ...{ name: 'ball', substeps: 64, parameters },
        options: { horizons: [0.4, 0.7, 1] },
      }),
    ];
  },
});
