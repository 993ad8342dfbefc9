import { describe, type ExpectedError, expect, it } from 'vitest';
import {
  box,
  chain,
  checkMesh,
  checkSolid,
  flipMesh,
  lattice,
  massProperties,
  net,
  plane,
  type TetMesh,
  type TriangleMesh,
  tetrahedralise,
  weldMesh,
} from '../src/index.ts';

const broken = (change: (mesh: TriangleMesh) => void): TriangleMesh => {
  const mesh = box();
  change(mesh);
  return mesh;
};

describe('checkMesh', () => {
  it.each<[string, (mesh: TriangleMesh) => void, ExpectedError]>([
    ['an index out of range', (m) => m.triangles.set([99], 7), { code: 'mesh/no-such-vertex', values: [2, 99, 0, 7] }],
    ['NaN', (m) => m.positions.set([Number.NaN], 4), { code: 'mesh/not-finite', values: [1, 'NaN'] }],
    [
      'no triangles',
      (m) => Object.assign(m, { triangles: new Uint32Array() }),
      { code: 'mesh/nothing-in-mesh', values: ['triangles'] },
    ],
    [
      '23 coordinates',
      (m) => Object.assign(m, { positions: new Float64Array(23) }),
      { code: 'mesh/wrong-size', field: 'triangles', values: [23, 36] },
    ],
    [
      'fewer colours than vertices',
      (m) => Object.assign(m, { colors: new Float64Array(3) }),
      { code: 'mesh/wrong-size', values: [3, 8] },
    ],
  ])('refuses %s', (_, change, expected) => {
    expect(() => checkMesh(broken(change))).toThrowCode(expected);
  });

  it('refuses plain lists in place of typed arrays', () => {
    const plain: unknown = { positions: [0, 0, 0], tets: [0, 0, 0, 0] };
    expect(() => checkMesh(plain as TetMesh)).toThrowCode({ code: 'mesh/wrong-type', field: 'positions' });
    expect(() => checkMesh({ ...(plain as TetMesh), positions: new Float64Array(3) })).toThrowCode({
      code: 'mesh/wrong-type',
      field: 'tets',
    });
  });

  it('refuses a line to a missing vertex, 6 indices of tetrahedra, and no tetrahedra', () => {
    const positions = new Float64Array(9);
    expect(() => checkMesh({ positions, lines: Uint32Array.of(0, 1, 1, 3) })).toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [1, 3, 0, 2],
    });
    expect(() => checkMesh({ positions, tets: new Uint32Array(6), name: 'jelly' })).toThrowCode({
      code: 'mesh/wrong-size',
      field: 'tets',
      values: [9, 6, 'Mesh jelly'],
    });
    expect(() => checkMesh({ positions, tets: new Uint32Array() })).toThrowCode({
      code: 'mesh/nothing-in-mesh',
      field: 'The mesh',
      values: ['tetrahedra'],
    });
  });

  it('accepts an open sheet', () => {
    expect(() => checkMesh(plane())).not.toThrow();
  });
});

describe('checkSolid', () => {
  it('refuses a hole', () => {
    const open = { ...box(), triangles: box().triangles.slice(3) };
    expect(() => checkSolid(open)).toThrowCode('mesh/not-closed');
  });

  it('refuses a degenerate triangle, naming it', () => {
    const flat = broken((m) => m.triangles.set([0, 4, 4], 0));
    expect(() => checkSolid(flat)).toThrowCode({ code: 'mesh/degenerate-triangle', values: ['m2', '0, 4, 4'] });
  });

  it('refuses a single flipped triangle', () => {
    const turned = broken((m) => m.triangles.set([0, 6, 4], 0));
    expect(() => checkSolid(turned)).toThrowCode('mesh/turned-triangle');
  });

  it('refuses an edge with more than two triangles', () => {
    const mesh = box();
    const doubled = { ...mesh, triangles: Uint32Array.of(...mesh.triangles, ...mesh.triangles) };
    expect(() => checkSolid(doubled)).toThrowCode({ code: 'mesh/not-a-surface', values: [4] });
  });

  it('refuses a mesh that is inside out, with its volume', () => {
    expect(() => checkSolid(flipMesh(box()))).toThrowCode({ code: 'mesh/inside-out', values: [-1, 'm3'] });
  });
});

describe('weldMesh', () => {
  it('closes a box whose triangles each have vertices of their own', () => {
    const mesh = box();
    const positions = Float64Array.from(mesh.triangles, () => 0);
    const soup = new Float64Array(3 * positions.length);
    mesh.triangles.forEach((v, i) => {
      soup.set(mesh.positions.subarray(3 * v, 3 * v + 3), 3 * i);
    });
    const welded = weldMesh({ positions: soup, triangles: Uint32Array.from(mesh.triangles.keys()) });
    expect(welded.positions.length).toBe(24);
    expect(() => checkSolid(welded)).not.toThrow();
  });

  it('merges within the distance, drops collapsed triangles, unused vertices and their colours', () => {
    const mesh: TriangleMesh = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1e-4, 0, 0, 9, 9, 9),
      triangles: Uint32Array.of(0, 1, 2, 0, 3, 2),
      colors: Float64Array.of(1, 0, 0, 0, 1, 0),
      colorsOn: 'triangles',
    };
    const welded = weldMesh(mesh, 1e-3);
    expect([...welded.triangles]).toEqual([0, 1, 2]);
    expect(welded.positions.length).toBe(9);
    expect([...welded.colors!]).toEqual([1, 0, 0]);
  });
});

it.each<[string, () => unknown, ExpectedError]>([
  ['box', () => box({ size: null as never }), { code: 'mesh/option-out-of-range', values: [3, 'null', 'box', 'size'] }],
  ['net', () => net({ size: [1] as never }), { code: 'mesh/option-out-of-range', values: [2, 'net', 'size'] }],
  [
    'lattice',
    () => lattice({ cells: 3 as never }),
    { code: 'mesh/option-out-of-range', values: [3, 'lattice', 'cells'] },
  ],
  ['chain', () => chain({ to: [0, 0] as never }), { code: 'mesh/option-out-of-range', values: [3, 'chain'] }],
  [
    'massProperties',
    () => massProperties(box(), { mass: 1, dens: 1 } as never),
    { code: 'base/unknown-option', values: ['"dens"'] },
  ],
  [
    'tetrahedralise',
    () => tetrahedralise(box(), { cellSize: 1, tolerence: 1 } as never),
    { code: 'base/unknown-option', values: ['"tolerence"'] },
  ],
])('%s refuses a list of the wrong length, or an unknown option', (_, make, expected) => {
  expect(make).toThrowCode(expected);
});

it('checkMesh refuses an argument that is not a mesh', () => {
  for (const none of [null, undefined, 'box', 3]) expect(() => checkMesh(none as never)).toThrowCode('mesh/not-a-mesh');
});
