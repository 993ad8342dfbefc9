import type { Vector } from '@gradsim/base';
import { quadraticMesh, quadraticSurface } from '@gradsim/fem';
import { box, tetrahedralise } from '@gradsim/mesh';
import { describe, expect, it } from 'vitest';
import { patchWeights } from '../../../src/markers/soft-body/patch.ts';

describe('a load that is spread over the surface about a point', () => {
  /** Middle of the top edge of the free end of a beam. */
  const at: Vector = [0.05, 0, 0.015];
  const patchOf = (cellSize: number, radius: number, place = at) => {
    const { positions, nodes } = quadraticMesh(tetrahedralise(box({ size: [0.1, 0.03, 0.03] }), { cellSize }));
    const weights = patchWeights(
      { nodes: positions, triangles: quadraticSurface(nodes) },
      { at: place, radius },
      'beam',
    );
    const middle = [0, 1, 2].map((c) => weights.reduce((sum, weight, n) => sum + weight * positions[3 * n + c], 0));
    return { weights, middle };
  };

  it('has the middle of the two half discs beside an edge, 2 r / (3 pi) below and behind it, whatever the mesh', () => {
    const off = (2 * 0.01) / (3 * Math.PI);
    for (const cellSize of [0.03, 0.015]) {
      const { weights, middle } = patchOf(cellSize, 0.01);
      expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
      [0.05 - off, 0, 0.015 - off].forEach((expected, c) => {
        expect(Math.abs(middle[c] - expected), `${cellSize} m, axis ${c}`).toBeLessThan(3e-4);
      });
    }
  });

  it('is refused where none of the surface is as near', () => {
    expect(() => patchOf(0.03, 0.01, [0.05, 0, 0.04])).toThrowCode({ code: 'markers/load-off-body', field: 'load' });
  });
});
