import { createSimulation, type Device, type Simulation } from '@gradsim/core';
import { ambientLight, DirectionalLight, layoutOf, OrbitCamera, Pixel, texelColor } from '@gradsim/render';
import { Body, BodyVertex } from '@gradsim/rigid';
import { patternTexture, triangleColors } from '../looks.ts';
import { FILM } from '../picture.ts';
import { type Pictures, picturesOf } from '../pictures.ts';
import { SHAPES } from '../shapes/shapes.ts';
import { localVertices, type Motion } from './motion.ts';
import { type RigidScene, rigidModel } from './scene.ts';

/** Renders films of one shape: each frame is a world of one run, at the pose of that frame. */
export class RigidPictures {
  readonly #simulation: Promise<Simulation>;
  readonly #layout: ReturnType<typeof layoutOf>;

  /** @param example any scene of the shape whose pictures have the size of the films. */
  constructor(device: Device, example: RigidScene) {
    const model = rigidModel(example);
    this.#layout = layoutOf(model);
    this.#simulation = createSimulation(model, {
      device,
      frames: 1,
      frameRate: FILM.frameRate,
      substeps: 1,
      worlds: FILM.frames,
      record: [Pixel.rgba],
    });
  }

  async draw(scene: RigidScene, motion: Motion): Promise<Pictures> {
    const simulation = await this.#simulation;
    const { camera, light, look, background, shape } = scene;
    const solid = SHAPES[shape];
    simulation.set(BodyVertex.local, localVertices(scene));
    simulation.set('faces.albedo', triangleColors(solid, look));
    simulation.set(texelColor, patternTexture(look.pattern).colors);
    simulation.set('world.background', background);
    simulation.set(ambientLight, light.ambient);
    simulation.set(DirectionalLight.direction, light.direction);
    simulation.set(DirectionalLight.color, light.color);
    simulation.set(OrbitCamera.target, camera.target);
    for (const name of ['distance', 'elevation', 'azimuth', 'fieldOfView'] as const)
      simulation.set(OrbitCamera[name], camera[name]);
    simulation.set(Body.position, motion.position);
    simulation.set(Body.orientation, motion.orientation);
    simulation.forward();
    return picturesOf(this.#layout, simulation.readFramesSync(Pixel.rgba));
  }

  async dispose(): Promise<void> {
    (await this.#simulation).dispose();
  }
}
