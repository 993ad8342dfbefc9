import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import { outlineStage, outlines, startOfSwing } from '@gradsim/film';
import type { ParameterSpec, TieSpec } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import type { FilmMeasured } from '../shared/film.ts';
import { cameraOf, filmOf, heldLevel, place } from '../shared/film.ts';
import { measured } from './measured.ts';

/** What is known beforehand; see `measured.ts`. */
export interface Measured extends FilmMeasured {
  readonly radius: number;
  readonly length: number;
  readonly gravity: number | null;
  readonly pivot: readonly number[] | null;
}

/** Where gravity is to be found, the search starts here, m/s^2. */
const USUAL_GRAVITY = 9.81;
/** Amplitudes decay by this rate at first, 1/s. */
const USUAL_DAMPING = 0.1;
/** The plane of the swing is across the line of sight to this angle, rad: 17 degrees. */
const ACROSS = 0.3;

export default defineExperiment({
  name: 'pendulum',
  description: 'Gravity and damping of a pendulum, a ball at a light rod or string, from a film of it.',
  stages: async ({ video, signal, log }) => {
    const { radius, length } = measured;
    // Rod or string are none of the ball.
    const film = await filmOf(measured, { video, signal }, { thin: false });
    const { isKnown, values: lens, view: camera } = await cameraOf(measured, film);
    const swing = startOfSwing(film.tracks[0], camera, { radius, length });
    log(`the ball is ${(1000 * swing.residual).toFixed(1)} mm off the nearest arc, usually`);
    const gravity = measured.gravity ?? USUAL_GRAVITY;

    const scene = createScene([
      articulated(),
      outlines({ ...film.size, camera: PinholeCamera, centre: Link.position, element: 1, radius }),
    ]);
    const rod = scene.add(
      Link,
      { joint: 'revolute', anchor: measured.pivot ?? swing.pivot, coordinate: swing.angle, rate: swing.rate },
      'the rod',
    );
    // Of mass 1: a pendulum swings as it does whatever its mass.
    const own = 0.4 * radius ** 2;
    const inertia = [own, 0, 0, 0, own, 0, 0, 0, own];
    scene.add(Link, { parent: rod, joint: 'fixed', anchor: [0, -length, 0], mass: 1, inertia }, 'the ball');
    scene.add(Gravity, { acceleration: [0, -gravity, 0] });
    scene.add(PinholeCamera, lens, 'the camera');

    const held = isKnown ? undefined : heldLevel(['tilt', 'roll']);
    const parameters: ParameterSpec[] = [
      { name: 'damping', transform: 'log', initial: USUAL_DAMPING, unit: '1/s' },
      ...[
        { name: 'angle', field: 'links.coordinate', initial: swing.angle, unit: 'rad' },
        { name: 'rate', field: 'links.rate', initial: swing.rate, unit: 'rad/s' },
      ].map((spec) => ({ ...spec, elements: [0], scale: 0.05 })),
      ...(measured.pivot
        ? []
        : place('pivot', 'links.anchor', swing.pivot).map((spec) => ({ ...spec, elements: [0] }))),
      {
        name: 'turn of the plane',
        initial: swing.turn,
        scale: ACROSS,
        unit: 'rad',
        prior: { mean: swing.turn, standardDeviation: ACROSS },
      },
      ...(measured.gravity === null
        ? [{ name: 'gravity', transform: 'log', initial: gravity, unit: 'm/s^2' } as const]
        : []),
      ...(held?.parameters ?? []),
    ];
    const ties: TieSpec[] = [
      ...(held?.ties ?? []),
      {
        field: 'links.axis',
        elements: [0],
        of: ({ 'turn of the plane': turn }) => [Math.sin(turn), 0, Math.cos(turn)],
      },
      {
        // theta'' = ... - c / I theta', so that amplitudes decay as exp(-c / (2 I) t).
        field: 'links.damping',
        elements: [0],
        of: ({ damping }) => 2 * damping * (length ** 2 + own),
      },
    ];
    if (measured.gravity === null) ties.push({ field: 'world.gravity', components: [1], of: (v) => -v.gravity });
    return [
      outlineStage(film, buildModel(scene), {
        name: 'pendulum',
        substeps: 16,
        parameters,
        ties,
        options: { search: { horizons: [0.2, 0.4, 0.7, 1] } },
      }),
    ];
  },
});
