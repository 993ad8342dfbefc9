import type { TriangleMesh } from '@gradsim/mesh';
import type { Draw } from '../draw.ts';
import { described, type MeshFile } from './mesh-file.ts';

/** Relative error allowed for values written in single precision. */
const SINGLE = 1e-6;
/** Component type of glTF for 32-bit floats. */
const FLOAT = 5126;
const INDEX_TYPES = [
  { type: 5121, of: Uint8Array },
  { type: 5123, of: Uint16Array },
  { type: 5125, of: Uint32Array },
] as const;

/** Draws a glTF triangle strip (mode 5) or fan (mode 6), as the equivalent list of triangles. */
function drawStrip(mode: 5 | 6, random: Draw): TriangleMesh {
  const count = random.whole(3, 9);
  const positions = Float64Array.from({ length: 3 * count }, () => random.next());
  const triangles = Array.from({ length: count - 2 }, (_, k) => {
    if (mode === 6) return [0, k + 1, k + 2];
    return k % 2 === 0 ? [k, k + 1, k + 2] : [k + 1, k, k + 2];
  });
  return { name: mode === 5 ? 'strip' : 'fan', positions, triangles: Uint32Array.from(triangles.flat()) };
}

/** Writes the mesh as .gltf with embedded data, in one of several equivalent ways; sometimes a strip or fan instead. */
export function gltfFile(given: TriangleMesh, random: Draw): MeshFile {
  const mode = random.pick([4, 4, 4, 5, 6] as const);
  const mesh = mode === 4 ? given : drawStrip(mode, random);
  const { type, of } = random.pick(INDEX_TYPES);
  const isIndexed = mode === 4 && random.chance(0.8);
  const stride = random.pick([12, 12, 16, 24]);
  const positions = isIndexed || mode !== 4 ? mesh.positions : Float64Array.from(cornersOf(mesh));
  const count = positions.length / 3;
  const vertices = new Uint8Array(stride * count);
  positions.forEach((x, k) =>
    new DataView(vertices.buffer).setFloat32(stride * Math.floor(k / 3) + 4 * (k % 3), x, true),
  );
  const indices = new Uint8Array(of.from(mesh.triangles).buffer);
  const start = Math.ceil(vertices.length / 4) * 4;
  const data = new Uint8Array(start + (isIndexed ? indices.length : 0));
  data.set(vertices);
  if (isIndexed) data.set(indices, start);
  // A node that only moves to a place and back, so that transforms are used.
  const nodes = random.chance(0.5)
    ? [{ mesh: 0 }]
    : [
        { children: [1], translation: [1, 2, 4] },
        { mesh: 0, translation: [-1, -2, -4] },
      ];
  const uri = `data:application/octet-stream;base64,${Buffer.from(data).toString('base64')}`;
  const json = {
    asset: { version: '2.0' },
    ...(random.chance(0.8) && { scene: 0 }),
    scenes: [{ nodes: [0] }],
    nodes,
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0 },
            ...(isIndexed && { indices: 1 }),
            ...((mode !== 4 || random.chance(0.3)) && { mode }),
          },
        ],
      },
    ],
    accessors: [
      {
        bufferView: 0,
        componentType: FLOAT,
        count,
        type: 'VEC3',
        min: boundOfPositions(positions, Math.min),
        max: boundOfPositions(positions, Math.max),
      },
      ...(isIndexed ? [{ bufferView: 1, componentType: type, count: mesh.triangles.length, type: 'SCALAR' }] : []),
    ],
    bufferViews: [
      { buffer: 0, byteLength: vertices.length, ...(stride > 12 && { byteStride: stride }) },
      ...(isIndexed ? [{ buffer: 0, byteOffset: start, byteLength: indices.length }] : []),
    ],
    buffers: [{ uri, byteLength: data.length }],
  };
  const precision = SINGLE * (nodes.length > 1 ? 1 + 4 / Math.max(...positions.map(Math.abs)) : 1);
  return {
    ...described('gltf', mesh, rebuild(json), precision),
    isText: false,
    counts: oversizedCounts(json, random),
    json,
    rebuild,
  };
}

/** Converts a mesh given as .glb to .gltf with embedded data. */
export function gltfOf(mesh: TriangleMesh, glb: Uint8Array, random: Draw): MeshFile {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(glb.subarray(28 + length)).toString('base64')}`;
  return {
    ...described('gltf', mesh, rebuild(json), SINGLE),
    isText: false,
    counts: oversizedCounts(json, random),
    json,
    rebuild,
  };
}

const rebuild = (changed: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(changed));

/** Ways to make an accessor declare more elements than its buffer contains. */
function oversizedCounts(json: { accessors: { count: number }[] }, random: Draw): NonNullable<MeshFile['counts']> {
  return [1e3, 1e8, 4e9].map((claimed) => ({
    about: `an accessor of ${claimed} elements`,
    apply: () => {
      const changed = structuredClone(json);
      changed.accessors[random.whole(0, changed.accessors.length - 1)].count = claimed;
      return rebuild(changed);
    },
  }));
}

function cornersOf(mesh: TriangleMesh): number[] {
  return [...mesh.triangles].flatMap((vertex) => [...mesh.positions.subarray(3 * vertex, 3 * vertex + 3)]);
}

function boundOfPositions(positions: Float64Array, best: (...values: number[]) => number): number[] {
  return [0, 1, 2].map((axis) => Math.fround(best(...positions.filter((_, k) => k % 3 === axis))));
}
