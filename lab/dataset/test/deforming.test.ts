import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILM, readDataset } from '@gradsim/dataset';
import { expect, it } from 'vitest';
import { filmDeforming } from '../src/deforming/film.ts';
import { softMesh } from '../src/deforming/scene.ts';
import { folderOf } from '../src/sample.ts';
import { writeDeforming } from '../src/write-sample.ts';

const SETTINGS = { seed: 1, size: 16 };

it.each(['soft', 'cloth'] as const)(
  'a sample of kind %s deforms, is the same for the same seed, and is read from its files as written',
  async (kind) => {
    const film = await filmDeforming(kind, 2, SETTINGS);
    const { scene, particles, pictures, mass } = film;
    expect(pictures).toHaveLength(FILM.frames * 16 * 16 * 4);
    expect(await filmDeforming(kind, 2, SETTINGS)).toEqual(film);

    // It deforms: distances between its ends change.
    const count = particles.length / FILM.frames / 3;
    const distance = (frame: number) => {
      const at = (particle: number) =>
        particles.subarray(3 * (frame * count + particle), 3 * (frame * count + particle) + 3);
      const [a, b] = [at(0), at(count - 1)];
      return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    const distances = Array.from({ length: FILM.frames }, (_, frame) => distance(frame));
    expect(Math.max(...distances) / Math.min(...distances)).toBeGreaterThan(1.02);

    const folder = mkdtempSync(join(tmpdir(), 'gradsim-deforming-'));
    try {
      const line = await writeDeforming(join(folder, folderOf(2)), film, SETTINGS.seed);
      expect(line.values).toMatchObject({ mass, ...scene.material, elasticMu: scene.elasticity.mu });
      writeFileSync(join(folder, 'index.jsonl'), `${JSON.stringify(line)}\n`);
      for await (const sample of readDataset(folder)) {
        expect((await sample.record()).scene).toEqual(scene);
        expect(await sample.particles()).toEqual(particles);
        const { data } = await sample.frames();
        expect(Array.from(data, (value) => Math.round(255 * value))).toEqual(
          [...pictures].filter((_, k) => k % 4 !== 3),
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it('a torus that falls apart into pieces at the usual cells is filled with smaller ones', () => {
  const scale = [0.9190541812788549, 1.0000435537459975, 0.8360164373110285];
  expect(softMesh({ shape: 'torus', scale }).tets.length).toBeGreaterThan(0);
});
