import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import type { Film, PlacedCamera } from '@gradsim/film';
import {
  givenSize,
  lengthOf,
  measuredCamera,
  projectedOutline,
  sizeIn,
  turnUnknown,
  vectorUnknowns,
} from '@gradsim/film';
import { filmOf, gravityUnknown, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { box, boxInertia } from '@gradsim/mesh';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, BodyVertex, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { measures } from './measures.ts';
import { type TossModel, type TossStart, tossStage } from './search.ts';

const material = impactOf(Body);

/** Model, unknowns and observations, which are compared step by step: the flight first, then the contact with the floor. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, device, signal } = context;
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured);
  const { size, gravity } = measured;
  const tossed = tossedBox(measured, film.size, camera);
  return [await tossStage(film, camera.view, { size, gravity, tossed, device, signal, log })];
}

/** Makes the model of a tossed box from a start, with its unknowns. */
export const tossedBox =
  (measured: MeasuredBy<typeof measures>, picture: Film['size'], camera: PlacedCamera) =>
  (start: TossStart): TossModel => {
    const { position, velocity, orientation, angularVelocity, restitution, friction } = start;
    const scene = createScene([rigid(), impacts(), projectedOutline({ ...picture, camera: PinholeCamera })]);
    const mesh = box({ size: measured.size });
    const fall = gravityUnknown(
      gravity,
      measured,
      start.gravity,
      'Are the sides of the box in metres, and whole sides? Does air brake it?',
    );
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
        ...fall.parameters,
        ...vectorUnknowns('position', Body.position, position, 0.05),
        ...vectorUnknowns('velocity', Body.velocity, velocity, 0.1),
        ...vectorUnknowns('spin', Body.angularVelocity, angularVelocity, 0.5),
      ],
      arrays: [turnUnknown(Body.orientation, orientation)],
      given: [...givenSize(measured.size, measured), ...camera.given],
      ties: fall.ties,
      givenTies: [
        ...camera.ties,
        { field: BodyVertex.local, compute: (v) => Array.from(box({ size: sizeIn(v) }).positions) },
        { field: Body.inertia, compute: (v) => boxInertia(sizeIn(v)) },
      ],
      derived: { speed: lengthOf('velocity', 'm/s'), spin: lengthOf('spin', 'rad/s') },
    };
  };
