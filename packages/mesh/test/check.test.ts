import { describe, expect, it } from 'vitest';
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
  it.each<[string, (mesh: TriangleMesh) => void, RegExp]>([
    ['an index out of range', (m) => m.triangles.set([99], 7), /box: triangle 2 uses vertex 99, .* 0 to 7/],
    ['NaN', (m) => m.positions.set([Number.NaN], 4), /vertex 1 has the coordinate NaN \(y\)/],
    ['no triangles', (m) => Object.assign(m, { triangles: new Uint32Array() }), /box has no triangles/],
    [
      'odd lengths',
      (m) => Object.assign(m, { positions: new Float64Array(23) }),
      /box: 23 values in positions and 36 in triangles\. There must be 3 a vertex/,
    ],
    [
      'colours of a wrong number',
      (m) => Object.assign(m, { colors: new Float64Array(3) }),
      /3 colour values for 8 vert/,
    ],
  ])('refuses %s', (_, change, message) => {
    expect(() => checkMesh(broken(change))).toThrow(message);
  });

  it('refuses arrays of a wrong type, for untyped programs', () => {
    const plain: unknown = { positions: [0, 0, 0], tets: [0, 0, 0, 0] };
    expect(() => checkMesh(plain as TetMesh)).toThrow(
      'The mesh: positions is Array, but must be a Float64Array. Write Float64Array.from(...).',
    );
    expect(() => checkMesh({ ...(plain as TetMesh), positions: new Float64Array(3) })).toThrow(
      'The mesh: tets is Array, but must be a Uint32Array. Write Uint32Array.from(...).',
    );
  });

  it('names invalid lines and tetrahedra too', () => {
    const positions = new Float64Array(9);
    expect(() => checkMesh({ positions, lines: Uint32Array.of(0, 1, 1, 3) })).toThrow(
      'The mesh: line 1 uses vertex 3, but there are 3 vertices, 0 to 2.',
    );
    expect(() => checkMesh({ positions, tets: new Uint32Array(6), name: 'jelly' })).toThrow(
      'Mesh jelly: 9 values in positions and 6 in tets. There must be 3 a vertex and 4 a tetrahedron.',
    );
    expect(() => checkMesh({ positions, tets: new Uint32Array() })).toThrow('The mesh has no tetrahedra.');
  });

  it('accepts an open sheet', () => {
    expect(() => checkMesh(plane())).not.toThrow();
  });
});

describe('checkSolid', () => {
  it('refuses a hole, naming the edge and the triangle', () => {
    const open = { ...box(), triangles: box().triangles.slice(3) };
    expect(() => checkSolid(open)).toThrow(/box is open.*edge between vertices \d and \d.*triangle \d+ alone/);
  });

  it('refuses a degenerate triangle, naming it', () => {
    const flat = broken((m) => m.triangles.set([0, 4, 4], 0));
    expect(() => checkSolid(flat)).toThrow(/triangle 0 \(vertices 0, 4, 4\) is degenerate: its area is 0 m2/);
  });

  it('refuses a single flipped triangle', () => {
    const turned = broken((m) => m.triangles.set([0, 6, 4], 0));
    expect(() => checkSolid(turned)).toThrow(/face opposite ways/);
  });

  it('refuses an edge with more than two triangles', () => {
    const mesh = box();
    const doubled = { ...mesh, triangles: Uint32Array.of(...mesh.triangles, ...mesh.triangles) };
    expect(() => checkSolid(doubled)).toThrow(/belongs to 4 triangles/);
  });

  it('refuses a mesh that is inside out, with its volume', () => {
    expect(() => checkSolid(flipMesh(box()))).toThrow(/inside out: it encloses -1 m3/);
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

it.each<[string, () => unknown, RegExp]>([
  ['box', () => box({ size: null as never }), /box: size is null, but must be a list of 3 numbers/],
  ['net', () => net({ size: [1] as never }), /net: size is \[1\], but must be a list of 2 numbers/],
  ['lattice', () => lattice({ cells: 3 as never }), /lattice: cells is 3, but must be a list of 3/],
  ['chain', () => chain({ to: [0, 0] as never }), /chain: to is \[0,0\], but must be a list of 3/],
  ['massProperties', () => massProperties(box(), { mass: 1, dens: 1 } as never), /no option "dens"/],
  ['tetrahedralise', () => tetrahedralise(box(), { cellSize: 1, tolerence: 1 } as never), /no option "tolerence"/],
])('%s refuses an argument that is not a list of the right length, and unknown options', (_, make, message) => {
  expect(make).toThrow(message);
});

it('an argument that is not a mesh is refused', () => {
  for (const none of [null, undefined, 'box', 3]) expect(() => checkMesh(none as never)).toThrow('A mesh is needed');
});
