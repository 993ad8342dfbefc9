import { cpuDevice } from '@gradsim/core';
import type { RejectionReason } from '../judge.ts';
import type { Pictures } from '../pictures.ts';
import { randomOf } from '../random.ts';
import type { ShapeName } from '../shapes/shapes.ts';
import { drawRigid } from './draw.ts';
import { judge } from './judge.ts';
import { type Motion, RigidMotions } from './motion.ts';
import { RigidPictures } from './pictures.ts';
import type { RigidScene } from './scene.ts';

/** An accepted film, with the number of rejected draws before it, by reason. */
export interface RigidFilm {
  readonly sample: number;
  readonly scene: RigidScene;
  readonly motion: Motion;
  readonly redrawn: Partial<Record<RejectionReason, number>>;
}

/** Maximum number of random scenes tried for a sample; no shape needs more than a few dozen. */
const MAX_DRAWS = 1000;

/** Simulates and films rigid bodies, shape after shape; each shape is compiled once. */
export class RigidStudio {
  readonly #device = cpuDevice({ threads: 1 });
  #simulator: RigidMotions | undefined;
  #pictures: { readonly of: string; readonly pictures: RigidPictures } | undefined;

  /**
   * Draws scenes for each sample until one is accepted, and simulates it. A sample depends only on seed and sample
   * number.
   */
  async act(
    shape: ShapeName,
    samples: readonly number[],
    { seed, size }: { seed: number; size: number },
  ): Promise<RigidFilm[]> {
    const simulator = await this.#motionsOf(shape, size);
    const films: RigidFilm[] = [];
    let waiting = samples.map((sample) => ({
      sample,
      attempt: 0,
      redrawn: {} as Partial<Record<RejectionReason, number>>,
    }));
    while (waiting.length > 0) {
      const drawn: { readonly scene: RigidScene; readonly of: (typeof waiting)[number] }[] = [];
      const rejected: typeof waiting = [];
      const reject = (of: (typeof waiting)[number], reason: RejectionReason): void => {
        of.redrawn[reason] = (of.redrawn[reason] ?? 0) + 1;
        rejected.push(of);
      };
      for (const of of waiting) {
        if (of.attempt === MAX_DRAWS)
          throw new Error(`Sample ${of.sample} was drawn ${MAX_DRAWS} times: ${JSON.stringify(of.redrawn)}.`);
        const draw = drawRigid(randomOf(seed, of.sample, of.attempt++), shape, size);
        const substeps = await simulator.substepsOf(draw);
        if (substeps === null) reject(of, 'tooStiff');
        else drawn.push({ scene: { ...draw, substeps }, of });
      }
      const motions = await simulator.run(drawn.map(({ scene }) => scene));
      drawn.forEach(({ scene, of }, k) => {
        const motion = motions[k];
        const reason = judge(scene, motion);
        if (reason !== null || !motion) reject(of, reason ?? 'unstable');
        else films.push({ sample: of.sample, scene, motion, redrawn: of.redrawn });
      });
      waiting = rejected;
    }
    return films.sort((a, b) => a.sample - b.sample);
  }

  /** Renders the pictures of a film. */
  async photograph({ scene, motion }: RigidFilm): Promise<Pictures> {
    const of = `${scene.shape} ${scene.size}`;
    if (this.#pictures?.of !== of) {
      await this.#pictures?.pictures.dispose();
      this.#pictures = { of, pictures: new RigidPictures(this.#device, scene) };
    }
    return this.#pictures.pictures.draw(scene, motion);
  }

  async #motionsOf(shape: ShapeName, size: number): Promise<RigidMotions> {
    if (this.#simulator?.shape !== shape) {
      await this.#simulator?.dispose();
      this.#simulator = new RigidMotions(this.#device, drawRigid(randomOf(0), shape, size));
    }
    return this.#simulator;
  }
}
