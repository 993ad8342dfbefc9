import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { ballOutlinesIn, outlineStage, outlines, outlinesIn, startOfFlight } from '@gradsim/film';
import type { ParameterSpec } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { FilmMeasured } from '../shared/film.ts';
import { cameraOf, filmOf, heldLevel, place, unknown } from '../shared/film.ts';
import { measured } from './measured.ts';

/** What is known beforehand; see `measured.ts`. */
export interface Measured extends FilmMeasured {
  readonly radius: number;
  readonly gravity: number | null;
}

/** Where gravity is to be found, the search starts here, m/s^2. */
const USUAL_GRAVITY = 9.81;

export default defineExperiment({
  name: 'ball',
  description: 'How well a ball bounces on the floor, and how it was thrown, from a film of it.',
  stages: async ({ video, signal, log }) => {
    const { radius } = measured;
    const film = await filmOf(measured, { video, signal });
    const { isKnown, values: lens, view: camera } = await cameraOf(measured, film);
    const gravity = measured.gravity ?? USUAL_GRAVITY;
    const flight = startOfFlight(film.tracks[0], camera, { radius, gravity: [0, -gravity, 0] });
    const [bounce] = flight.contacts;
    if (!bounce) throw new Error('No bounce is seen in the film: it takes some frames before and after one.');
    const masks = outlinesIn(film, film.tracks[0]);
    const found = ballOutlinesIn(film, camera, { near: masks });
    log(`the shutter was open for ${found.shutter.toFixed(2)} of a frame's time`);
    const { position, velocity } = flight.at(0);
    // A little less than the bounce shows: a ball that grips the floor would grip it with more friction too, and no slope would lead back.
    const [right, up, near] = bounce.after.map((after, k) => after - bounce.before[k]);
    const friction = Math.min(Math.max((0.95 * Math.hypot(right, near)) / up, 0.005), 1);
    const floor = isKnown ? 0 : bounce.position[1] - radius;
    const restitution = Math.min(Math.max(bounce.restitution, 0.05), 0.95);
    log(`${flight.contacts.length} bounces in the track; the first gives back ${restitution.toFixed(3)} of the speed`);

    const scene = createScene([
      ...[rigid(), impacts()],
      outlines({ ...film.size, camera: PinholeCamera, centre: Body.position, radius }),
    ]);
    const inertia = 0.4 * radius ** 2;
    const ball = scene.add(
      Body,
      { mass: 1, inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia], position, velocity },
      'the ball',
    );
    scene.attach(ball, impactOf(Body), { radius, restitution, mu: friction });
    scene.add(HalfSpace, { offset: floor }, 'the floor');
    scene.add(Gravity, { acceleration: [0, -gravity, 0] });
    scene.add(PinholeCamera, lens, 'the camera');

    const parameters: ParameterSpec[] = [
      {
        name: 'restitution',
        field: 'bodies.restitution',
        initial: restitution,
        transform: 'bounded',
        range: [0, 1],
      },
      { name: 'friction', field: 'bodies.mu', initial: friction, transform: 'log' },
      ...place('position', 'bodies.position', position),
      ...velocity.map((value, k) => unknown(`velocity ${'xyz'[k]}`, 'bodies.velocity', k, value, 0.1)),
      ...(measured.gravity === null ? [unknown('gravity', 'world.gravity', 1, -gravity, 1)] : []),
    ];
    const held = isKnown ? undefined : heldLevel(['tilt']);
    if (held)
      parameters.push({ name: 'floor', field: 'halfSpaces.offset', initial: floor, scale: 0.05 }, ...held.parameters);
    return [
      outlineStage(film, buildModel(scene), {
        name: 'ball',
        substeps: 64,
        parameters,
        ties: held?.ties ?? [],
        outlines: found.outlines,
        checks: [found.check],
        options: { search: { horizons: [0.2, 0.35, 0.5, 0.75, 1], hops: 3 } },
      }),
    ];
  },
});
