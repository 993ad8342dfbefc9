import type { BodiesOnBodies } from '@gradsim/contact';
import { ContactBox, ContactCapsule, ContactMesh, ContactSphere, contact } from '@gradsim/contact';
import type { Entity, Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cone, icosphere } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

export type Shape = 'sphere' | 'box' | 'capsule' | 'cone';
export const SHAPES: readonly Shape[] = ['sphere', 'box', 'capsule', 'cone'];
export const MATERIAL = { ke: 4000, kd: 4, kf: 8, mu: 0.4 };
export type Numbers = readonly number[];

export interface Thrown {
  readonly shape: Shape;
  readonly size?: Numbers;
  readonly mass?: number;
  readonly position: Numbers;
  readonly orientation?: Numbers;
  readonly velocity?: Numbers;
  readonly angularVelocity?: Numbers;
}

/** Creates a scene without bodies, with contact between bodies, by default without gravity. */
export function emptyScene(gravity: Numbers = [0, 0, 0], bodies: BodiesOnBodies = { maxSpeed: 5 }): Scene {
  const scene = createScene([rigid(), contact({ bodies })]);
  scene.add(Gravity, { acceleration: [...gravity] });
  return scene;
}

/** Adds a body of about 0.2 m, with a mesh and a contact shape of the same kind and size. */
export function throwBody(
  scene: Scene,
  { shape, size = [0.2, 0.16, 0.24], mass = 1, ...motion }: Thrown,
  material = MATERIAL,
): Entity {
  const meshes: Readonly<Record<Shape, () => TriangleMesh>> = {
    sphere: () => icosphere({ radius: 0.1 }),
    box: () => box({ size: [size[0], size[1], size[2]] }),
    capsule: () => capsule({ radius: 0.06, height: 0.14 }),
    cone: () => cone({ radius: 0.12, height: 0.2, segments: 9 }),
  };
  const body = scene.add(Body, { mesh: meshes[shape](), mass, ...motion } as never);
  if (shape === 'sphere') scene.add(ContactSphere, { body, radius: 0.1, ...material });
  else if (shape === 'box') scene.add(ContactBox, { body, size: [...size] as never, ...material });
  else if (shape === 'capsule') scene.add(ContactCapsule, { body, length: 0.14, radius: 0.06, ...material });
  else scene.add(ContactMesh, { body, resolution: 24, ...material });
  return body;
}

/** Returns spinning bodies of random shapes that move towards each other. */
export function flyingTogether(seed: number, count = 3): Thrown[] {
  const next = randomNumbers(seed);
  const signed = (): number => 2 * next() - 1;
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    const away = [Math.cos(angle), 0, Math.sin(angle)];
    const speed = 0.7 + next();
    return {
      shape: SHAPES[Math.floor(next() * SHAPES.length)],
      mass: 0.5 + next(),
      position: away.map((a) => 0.33 * a + 0.04 * signed()),
      orientation: [signed(), signed(), signed(), signed()],
      velocity: away.map((a) => -speed * a + 0.1 * signed()),
      angularVelocity: [4 * signed(), 4 * signed(), 4 * signed()],
    };
  });
}
