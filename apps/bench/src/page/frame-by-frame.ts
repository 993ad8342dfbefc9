import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { FRAME_RATE, SUBSTEPS } from './scene.ts';

/** A simulation that goes on frame by frame. */
export interface Playing {
  /**
   * Goes on by one frame and gives its pixels, in the order of the domain `pixels`.
   * @param lap is told the name of each part when that is over.
   */
  next(lap: (part: string) => void): Promise<Float64Array>;
  positions(): Promise<Float64Array>;
  dispose(): void;
}

/** All that goes on from frame to frame. */
const STATES = [
  'particles.position',
  'particles.velocity',
  'particles.positionCarry',
  'particles.velocityCarry',
];

/**
 * A run of two frames, the second of which is where the next one starts: its states are read and set. Both of its frames
 * are drawn.
 */
export async function play(model: Model, device: Device): Promise<Playing> {
  const simulation = await createSimulation(model, {
    ...{ device, frames: 2, frameRate: FRAME_RATE, substeps: SUBSTEPS },
    record: ['pixels.rgba'],
  });
  return {
    async next(lap) {
      simulation.forward();
      lap('run');
      const pictures = await simulation.readFrames('pixels.rgba');
      lap('read');
      for (const state of STATES) simulation.set(state, await simulation.read(state));
      lap('states');
      return pictures.subarray(pictures.length / 2);
    },
    positions: () => simulation.read('particles.position'),
    dispose: () => simulation.dispose(),
  };
}
