import { SHAPE_NAMES, SHAPES } from '@gradsim/dataset';
import { checkSolid, massProperties, signedVolume, vertexCount } from '@gradsim/mesh';
import { describe, expect, it } from 'vitest';

/** Counts the edges of a mesh, and checks that two triangles share each in opposite directions. */
function edgesOf(triangles: Uint32Array): number {
  const directed = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const edge = `${triangles[t + k]},${triangles[t + ((k + 1) % 3)]}`;
      directed.set(edge, (directed.get(edge) ?? 0) + 1);
    }
  for (const [edge, count] of directed) {
    expect(count, edge).toBe(1);
    expect(directed.get(edge.split(',').reverse().join(',')), edge).toBe(1);
  }
  return directed.size / 2;
}

/** Returns whether no vertex lies outside of any triangle's plane. */
function isConvex(positions: Float64Array, triangles: Uint32Array): boolean {
  const at = (v: number) => positions.subarray(3 * v, 3 * v + 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => at(triangles[t + k]));
    const [u, v] = [b, c].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (let k = 0; k < positions.length; k += 3)
      if (n[0] * (positions[k] - a[0]) + n[1] * (positions[k + 1] - a[1]) + n[2] * (positions[k + 2] - a[2]) > 1e-9)
        return false;
  }
  return true;
}

describe('the solids of the dataset', () => {
  it('are fourteen shapes, all but five of them not convex', () => {
    expect(SHAPE_NAMES).toHaveLength(14);
    const convex = SHAPE_NAMES.filter((name) => isConvex(SHAPES[name].mesh.positions, SHAPES[name].mesh.triangles));
    expect(convex).toEqual(['box', 'sphere', 'cone', 'cylinder', 'capsule']);
  });

  it.each(SHAPE_NAMES)(
    '%s is a closed surface of at most 250 vertices, with its centre of mass within 0.35 of the origin along each axis',
    (name) => {
      const { mesh, parts, partNames } = SHAPES[name];
      checkSolid(mesh);
      const vertices = vertexCount(mesh);
      const faces = mesh.triangles.length / 3;
      expect(vertices).toBeLessThanOrEqual(250);
      // A torus and a mug have one hole each, the others none.
      expect(vertices - edgesOf(mesh.triangles) + faces).toBe(name === 'torus' || name === 'mug' ? 0 : 2);
      expect(signedVolume(mesh)).toBeGreaterThan(0.02);
      expect(new Set(mesh.triangles)).toHaveProperty('size', vertices);
      expect(parts).toHaveLength(faces);
      expect(Math.max(...parts)).toBe(partNames.length - 1);
      for (const x of massProperties(mesh, { density: 1 }).centerOfMass) expect(Math.abs(x)).toBeLessThan(0.35);
    },
  );
});
