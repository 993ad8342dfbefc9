import type { BodiesOnBodies } from '@gradsim/contact';
import { ContactBox, ContactMesh, ContactSphere, contact } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import { bowl, box, icosphere } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';

export const G = 9.81;
type Vec = [number, number, number];
type Turn = [number, number, number, number];

const emptyScene = (bodies: BodiesOnBodies): Scene => createScene([rigid(), contact({ bodies })]);

function addBox(
  scene: Scene,
  at: { readonly position: Vec; readonly orientation?: Turn },
  material: { readonly ke: number },
): void {
  const size: Vec = [0.2, 0.2, 0.2];
  const body = scene.add(Body, { mesh: box({ size }), mass: 1, ...at });
  scene.add(ContactBox, { body, size, ...material });
}

/** Angle of the incline, rad, and contact material of a box of 1 kg that starts at its equilibrium depth. */
export const SLOPE = { angle: 0.2, material: { ke: 5000, kd: 20, kf: 50, mu: 0.5 } } as const;
export function slopeScene(): Scene {
  const { angle, material } = SLOPE;
  const scene = emptyScene({ maxSpeed: 2 });
  const orientation: Turn = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  scene.add(ContactBox, { size: [4, 0.2, 4], orientation, ...material });
  const up = 0.2 - (G * Math.cos(angle)) / (4 * material.ke);
  addBox(scene, { position: [-up * Math.sin(angle), up * Math.cos(angle), 0], orientation }, material);
  return scene;
}

/** A stack of ten boxes of 1 kg, each slightly offset horizontally. */
export function stackScene(): Scene {
  const material = { ke: 80_000, kd: 60, kf: 100, mu: 0.5 };
  const random = randomNumbers(5);
  const scene = emptyScene({ maxSpeed: 2 });
  scene.add(ContactBox, { size: [2, 0.2, 2], position: [0, -0.1, 0], ...material });
  for (let k = 0; k < 10; k++) {
    const turn = 0.1 * (random() - 0.5);
    const position: Vec = [0.01 * (random() - 0.5), 0.1 + 0.2 * k, 0.01 * (random() - 0.5)];
    addBox(scene, { position, orientation: [0, Math.sin(turn), 0, Math.cos(turn)] }, material);
  }
  return scene;
}

/** Inner radius and wall thickness of a bowl, and radius of the hundred balls above its bottom, m. */
export const BOWL = { inside: 0.5, wall: 0.1, radius: 0.05 } as const;
export function bowlScene(): Scene {
  const material = { ke: 2000, kd: 8, kf: 8, mu: 0.4 };
  const random = randomNumbers(1);
  const scene = emptyScene({ maxSpeed: 4, refresh: 6 });
  scene.add(ContactMesh, {
    mesh: bowl({ radius: BOWL.inside, wall: BOWL.wall }),
    resolution: 48,
    ...material,
  });
  const mesh = icosphere({ radius: BOWL.radius, subdivisions: 1 });
  for (let k = 0; k < 100; k++) {
    const at = [(k % 5) - 2, Math.floor(k / 25) - 1.5, (Math.floor(k / 5) % 5) - 2];
    const position = at.map((c, axis) => 0.105 * c + 0.004 * (random() - 0.5) - (axis === 1 ? 0.05 : 0)) as Vec;
    const body = scene.add(Body, { mesh, mass: 0.1, position });
    scene.add(ContactSphere, { body, radius: BOWL.radius, ...material });
  }
  return scene;
}

/** A pile of touching bodies about 2.5 layers high; each layer is a square of ceil(sqrt(bodies / 2.5)) bodies a side. */
export function pileScene(shape: 'balls' | 'boxes', bodies: number): Scene {
  const material = { ke: 5000, kd: 10, kf: 10, mu: 0.5 };
  const random = randomNumbers(2);
  const scene = emptyScene({ maxSpeed: 2, refresh: 8 });
  scene.add(ContactBox, { size: [20, 0.2, 20], position: [0, -0.1, 0], ...material });
  const side = Math.ceil(Math.sqrt(bodies / 2.5));
  const mesh = icosphere({ radius: 0.1, subdivisions: 1 });
  for (let k = 0; k < bodies; k++) {
    const layer = Math.floor(k / side ** 2);
    const [row, column] = [Math.floor((k % side ** 2) / side), k % side];
    const jitter = (): number => 0.002 * (random() - 0.5);
    const position: Vec = [0.202 * row + jitter(), 0.1 + 0.2 * layer, 0.202 * column + jitter()];
    if (shape === 'boxes') addBox(scene, { position }, material);
    else {
      const body = scene.add(Body, { mesh, mass: 1, position });
      scene.add(ContactSphere, { body, radius: 0.1, ...material });
    }
  }
  return scene;
}
