import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Model } from '@gradsim/core';
import { GROUND, TET_MATERIAL, VELOCITY } from './scene.ts';

/** Results of the C++ program; times of each run, ms. */
export interface YardstickRun {
  readonly forwardMs: readonly number[];
  readonly backwardMs: readonly number[];
  readonly position: Float32Array;
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** The falling block in scalar C++, compiled once; null if there is no compiler, with the reason on standard error. */
export class Yardstick {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static build(): Yardstick | null {
    const folder = mkdtempSync(join(tmpdir(), 'gradsim-yardstick-'));
    const source = fileURLToPath(new URL('../../src/soft-body/yardstick.cpp', import.meta.url));
    const built = spawnSync('g++', ['-O2', '-o', join(folder, 'yardstick'), source], { encoding: 'utf8' });
    if (built.status === 0) return new Yardstick(folder);
    rmSync(folder, { recursive: true });
    const reason = built.error ? 'there is no g++' : built.stderr.trim();
    process.stderr.write(`No yardstick: ${reason}. Its fields are null.\n`);
    return null;
  }

  run(model: Model, seeds: Float64Array, dt: number, steps: number, runs: number): YardstickRun {
    const vertices = Uint32Array.from(model.field('tets.vertices').values!);
    const positions = Float32Array.from(model.field('particles.position').values!);
    const [particles, tets] = [positions.length / 3, vertices.length / 4];
    const { mu, lambda, damping, density } = TET_MATERIAL;
    const material = [dt, mu, lambda, damping, density, GROUND.ke, GROUND.kd, GROUND.kf, GROUND.mu];
    const parts = [
      Uint32Array.of(particles, tets),
      Float32Array.of(...material, ...VELOCITY),
      vertices,
      positions,
      Float32Array.from(seeds),
    ];
    const [input, output] = ['in', 'out'].map((name) => join(this.#folder, name));
    writeFileSync(input, Buffer.concat(parts.map(({ buffer }) => new Uint8Array(buffer))));
    const ran = spawnSync(join(this.#folder, 'yardstick'), [input, output, String(steps), String(runs)], {
      encoding: 'utf8',
    });
    if (ran.status !== 0) throw new Error(`The yardstick ended with status ${ran.status}: ${ran.stderr}`);
    const bytes = readFileSync(output);
    const words = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const ends = [3 * particles, 6 * particles, 6 * particles + tets, 6 * particles + 2 * tets];
    return {
      ...JSON.parse(ran.stdout),
      position: words.subarray(0, ends[0]),
      gradients: {
        'particles.velocity': words.subarray(ends[0], ends[1]),
        'tets.mu': words.subarray(ends[1], ends[2]),
        'tets.lambda': words.subarray(ends[2], ends[3]),
      },
    };
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Relative error: Euclidean norm of the difference divided by that of the reference. */
export function relativeDifference(values: ArrayLike<number>, reference: ArrayLike<number>): number {
  let [difference, norm] = [0, 0];
  for (let k = 0; k < reference.length; k++) {
    difference += (values[k] - reference[k]) ** 2;
    norm += reference[k] ** 2;
  }
  return Math.sqrt(difference / norm);
}
