import { readDataset } from '@gradsim/dataset';
import { describe, expect, it } from 'vitest';
import { randomOf } from '../src/random.ts';
import { drawRigid, RANGES } from '../src/rigid/draw.ts';
import { RigidStudio } from '../src/rigid/film.ts';
import { judge } from '../src/rigid/judge.ts';
import { splitOf } from '../src/split.ts';

describe('a dataset', () => {
  it('draws density and material of a mug from their ranges', () => {
    for (let sample = 0; sample < 200; sample++) {
      const { density, material } = drawRigid(randomOf(3, sample, 0), 'mug', 64);
      for (const [name, value] of Object.entries({ density, ...material })) {
        const [low, high] = RANGES[name as 'ke'];
        expect(value, name).toBeGreaterThanOrEqual(low);
        expect(value, name).toBeLessThanOrEqual(high);
      }
    }
  });

  it('assigns 200 of the first 1000 samples to the test set, others for another seed', () => {
    const testedBy = (seed: number) =>
      Array.from({ length: 1000 }, (_, sample) => sample).filter((sample) => splitOf(seed, sample) === 'test');
    expect(testedBy(1)).toHaveLength(200);
    expect(testedBy(2)).toHaveLength(200);
    expect(testedBy(1)).not.toEqual(testedBy(2));
  });

  it('cannot be read from a folder without index.jsonl', async () => {
    await expect(readDataset('/nowhere').next()).rejects.toThrow(
      '/nowhere has no index.jsonl that can be read (ENOENT)',
    );
  });

  it('makes a sample independently of its batch; motions that leave the view, sink, touch nothing or are unstable are rejected', async () => {
    const studio = new RigidStudio();
    const settings = { seed: 1, size: 16 };
    const together = await studio.act('box', [0, 14, 28, 42, 56, 70, 84, 98, 112], settings);
    const [alone] = await new RigidStudio().act('box', [28], settings);
    expect(alone).toEqual(together[2]);

    const { scene, motion } = alone;
    expect(judge(scene, motion)).toBe(null);
    expect(judge(scene, null)).toBe('unstable');
    const moved = (by: readonly number[]) => ({ ...motion, position: motion.position.map((x, k) => x + by[k % 3]) });
    expect(judge(scene, moved([0, 5, 0]))).toBe('outOfView');
    expect(judge(scene, moved([0, -1.5, 0]))).toBe('sinks');
    expect(judge({ ...scene, camera: { ...scene.camera, distance: 20 } }, moved([0, 1.5, 0]))).toBe('neverTouches');
    expect(judge(scene, { ...motion, velocity: motion.velocity.map((v, k) => (k > 90 ? 30 : v)) })).toBe('unstable');
  });
});
