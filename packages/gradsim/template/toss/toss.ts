import { HalfSpace, impactOf, impacts } from 'gradsim/contact';
import { buildModel, createScene } from 'gradsim/core';
import type { TossModel, TossStart } from 'gradsim/film';
import {
  givenSize,
  lengthOf,
  measuredCamera,
  projectedOutline,
  sizeIn,
  tossStage,
  turnUnknown,
  vectorUnknowns,
} from 'gradsim/film';
import { box, boxInertia } from 'gradsim/mesh';
import { defineExperiment } from 'gradsim/optim';
import { PinholeCamera } from 'gradsim/render';
import { Body, BodyVertex, Gravity, gravity, rigid } from 'gradsim/rigid';
import type { FilmMeasured } from '../shared/film.ts';
import { filmOf } from '../shared/film.ts';
import { measured } from './measured.ts';

/** Type of the measurements in `measured.ts`. */
export interface Measured extends FilmMeasured {
  readonly size: readonly [number, number, number];
  readonly gravity: number | null;
}

const material = impactOf(Body);

export default defineExperiment({
  name: 'toss',
  description: 'Restitution and friction of a box that is tossed onto the floor, from a film of it.',
  stages: async ({ video, signal, log, device }) => {
    // A box is convex, even if blur mixes the colours of its sides.
    const film = await filmOf(measured, { video, signal, log }, { convex: true });
    const camera = await measuredCamera(film, measured);

    /** Model of the tossed box, and its unknowns. */
    const tossed = (start: TossStart): TossModel => {
      const { position, velocity, orientation, angularVelocity, restitution, friction } = start;
      const scene = createScene([rigid(), impacts(), projectedOutline({ ...film.size, camera: PinholeCamera })]);
      const mesh = box({ size: measured.size });
      // Of mass 1: a bounce does not depend on it.
      const inertia = boxInertia(measured.size);
      const moving = { position, velocity, orientation, angularVelocity };
      const body = scene.add(Body, { mesh, mass: 1, inertia, ...moving }, 'the box');
      scene.attach(body, material, { restitution, mu: friction });
      scene.add(HalfSpace, {}, 'the floor');
      scene.add(Gravity, { acceleration: [0, -start.gravity, 0] });
      scene.add(PinholeCamera, camera.values, 'the camera');
      return {
        model: buildModel(scene),
        material: [
          {
            name: 'restitution',
            field: material.restitution,
            initial: restitution,
            transform: 'bounded',
            range: [0.02, 0.95],
          },
          { name: 'friction', field: material.mu, initial: friction, transform: 'bounded', range: [0, 1.5] },
        ],
        motion: [
          ...(measured.gravity === null
            ? [{ name: 'gravity', field: gravity, component: 1, initial: -start.gravity, scale: 1 }]
            : []),
          ...vectorUnknowns('position', Body.position, position, 0.05),
          ...vectorUnknowns('velocity', Body.velocity, velocity, 0.1),
          ...vectorUnknowns('spin', Body.angularVelocity, angularVelocity, 0.5),
        ],
        arrays: [turnUnknown(Body.orientation, orientation)],
        given: [...givenSize(measured.size, measured), ...camera.given],
        ties: [
          ...camera.ties,
          { field: BodyVertex.local, of: (v) => Array.from(box({ size: sizeIn(v) }).positions) },
          { field: Body.inertia, of: (v) => boxInertia(sizeIn(v)) },
        ],
        derived: { speed: lengthOf('velocity', 'm/s'), spin: lengthOf('spin', 'rad/s') },
      };
    };

    // Observations are compared step by step: the flight first, then the contact with the floor.
    const { size } = measured;
    return [
      await tossStage(film, camera.view, { size, gravity: measured.gravity, body: Body, tossed, device, signal, log }),
    ];
  },
});
