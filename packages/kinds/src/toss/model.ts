import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel, createScene, type Model } from '@gradsim/core';
import type { Film, OutlineFitStageOptions, PlacedCamera } from '@gradsim/film';
import { cameraAt, givenSize, lengthOf, projectedOutline, sizeIn, turnUnknown, vectorUnknowns } from '@gradsim/film';
import { gravityUnknown, type MeasuredBy } from '@gradsim/kinds/define';
import { box, boxInertia } from '@gradsim/mesh';
import { PinholeCamera } from '@gradsim/render';
import { Body, BodyVertex, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { TossStart } from './fit.ts';
import type { measures } from './measures.ts';

const material = impactOf(Body);

/** Makes the model of a tossed box from a start, with its unknowns. */
export const tossedBox =
  (measured: MeasuredBy<typeof measures>, picture: Film['size'], camera: PlacedCamera) => (start: TossStart) => {
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
    const placed = camera.given.map((spec) => ({ ...spec, start: start.camera[spec.name] ?? spec.value }));
    const { values } = cameraAt(camera, Object.fromEntries(placed.map(({ name, start }) => [name, start])));
    scene.add(PinholeCamera, values, 'the camera');
    return {
      model: buildModel(scene),
      parameters: [
        {
          name: 'restitution',
          field: material.restitution,
          initial: restitution,
          transform: 'bounded',
          range: [0.02, 0.95],
        },
        { name: 'friction', field: material.mu, initial: friction, transform: 'bounded', range: [0, 1.5] },
        ...fall.parameters,
        ...vectorUnknowns('position', Body.position, position, 0.05),
        ...vectorUnknowns('velocity', Body.velocity, velocity, 0.1),
        ...vectorUnknowns('spin', Body.angularVelocity, angularVelocity, 0.5),
      ],
      arrays: [turnUnknown(Body.orientation, orientation)],
      given: [...givenSize(measured.size, measured), ...placed],
      ties: [
        ...fall.ties,
        ...camera.ties,
        { field: BodyVertex.local, compute: (v) => Array.from(box({ size: sizeIn(v) }).positions) },
        { field: Body.inertia, compute: (v) => boxInertia(sizeIn(v)) },
      ],
      derived: { speed: lengthOf('velocity', 'm/s'), spin: lengthOf('spin', 'rad/s') },
    } satisfies Partial<OutlineFitStageOptions> & { readonly model: Model };
  };
