import { describe, expect, it } from 'vitest';
import {
  bowl,
  box,
  capsule,
  checkMesh,
  checkSolid,
  cone,
  cylinder,
  icosphere,
  plane,
  tetrahedron,
  torus,
  triangleCount,
  uvSphere,
} from '../../src/index.ts';

describe('solid primitives', () => {
  it.each([
    ['box', box({ size: [1, 2, 3] })],
    ['icosphere', icosphere()],
    ['icosphere of 20 triangles', icosphere({ subdivisions: 0 })],
    ['uvSphere', uvSphere()],
    ['coarsest uvSphere', uvSphere({ segments: 3, rings: 2 })],
    ['cylinder', cylinder()],
    ['cone', cone({ segments: 3 })],
    ['capsule', capsule()],
    ['torus', torus()],
    ['bowl', bowl()],
    ['coarsest bowl', bowl({ segments: 3, rings: 1 })],
    ['tetrahedron', tetrahedron()],
  ])('%s is closed and faces outwards', (_, mesh) => {
    expect(() => checkSolid(mesh)).not.toThrow();
  });

  it('an icosphere of n = 2 subdivisions has 20 * 4^n triangles, and every vertex at the radius', () => {
    const mesh = icosphere({ radius: 2, subdivisions: 2 });
    expect(triangleCount(mesh)).toBe(320);
    for (let v = 0; v < mesh.positions.length; v += 3) {
      expect(Math.hypot(...mesh.positions.subarray(v, v + 3))).toBeCloseTo(2, 14);
    }
  });

  it('a plane faces up (+y)', () => {
    const sheet = plane({ size: [2, 3], segments: [2, 3] });
    expect(() => checkMesh(sheet)).not.toThrow();
    const [a, b, c] = [...sheet.triangles.subarray(0, 3)].map((v) => sheet.positions.subarray(3 * v, 3 * v + 3));
    const up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    expect(up).toBeGreaterThan(0);
  });

  it.each([
    [() => box({ size: [1, -1, 1] }), { code: 'mesh/option-out-of-range', values: [-1, 'box', 'size y'] }],
    [() => icosphere({ subdivisions: 1.5 }), { code: 'mesh/option-out-of-range', values: [1.5, 'subdivisions'] }],
    [() => torus({ radius: 1, tube: 2 }), { code: 'mesh/option-out-of-range', values: [2] }],
    [() => bowl({ wall: 0 }), { code: 'mesh/option-out-of-range', values: [0, 'bowl', 'wall'] }],
    [() => cylinder({ segments: 2 }), { code: 'mesh/option-out-of-range', values: [2, 'segments'] }],
  ])('refuse impossible sizes and subdivisions', (make, expected) => {
    expect(make).toThrowCode(expected);
  });
});
