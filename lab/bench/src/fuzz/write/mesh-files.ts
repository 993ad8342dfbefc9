import {
  box,
  cone,
  formatAsciiStl,
  formatGlb,
  formatObj,
  formatStl,
  icosphere,
  placeMesh,
  type TetMesh,
  type Texture,
  type TriangleMesh,
  tetBox,
  tetrahedron,
  torus,
} from '@gradsim/mesh';
import type { Draw } from '../draw.ts';
import { gltfFile, gltfOf } from './gltf-files.ts';
import { described, type MeshFile } from './mesh-file.ts';

/** Relative error allowed for values written in single precision. */
const SINGLE = 1e-6;
/** Relative error allowed for values written with the digits of double precision. */
const DOUBLE = 1e-12;

/** Writes a random mesh in a random format, in one of the equivalent ways that the format has. */
export async function meshFile(random: Draw): Promise<MeshFile> {
  const format = random.pick(['obj', 'stl', 'stl', 'glb', 'gltf', 'gltf', 'tet', 'msh'] as const);
  if (format === 'tet' || format === 'msh') {
    const mesh = placed(tetBox({ cells: [random.whole(1, 2), random.whole(1, 2), 1] }), random);
    return format === 'tet' ? tetFile(mesh, random) : mshFile(mesh, random);
  }
  const shape = random.pick(['box', 'icosphere', 'torus', 'cone', 'tetrahedron'] as const);
  const mesh = placed(surface(shape), random);
  if (format === 'obj') return objFile(mesh, random);
  if (format === 'stl') return stlFile(mesh, random);
  if (format === 'gltf')
    return random.chance(0.7) ? gltfFile(mesh, random) : gltfOf(mesh, await formatGlb(textured(mesh, random)), random);
  const bytes = await formatGlb(random.chance(0.5) ? mesh : textured(mesh, random));
  return { ...described('glb', mesh, bytes, SINGLE), isText: false, counts: countsOfGlb(bytes) };
}

function surface(shape: string): TriangleMesh {
  if (shape === 'box') return box();
  if (shape === 'icosphere') return icosphere({ subdivisions: 1 });
  if (shape === 'torus') return torus({ segments: 5, sides: 3 });
  return shape === 'cone' ? cone({ segments: 4 }) : tetrahedron();
}

function placed<M extends TriangleMesh | TetMesh>(mesh: M, random: Draw): M {
  const factor = 10 ** random.whole(-3, 3);
  const translation = [random.next(), random.next(), random.next()].map((x) => x * factor);
  return placeMesh(mesh, {
    scale: [factor, factor * (0.5 + random.next()), factor],
    translation: [translation[0], translation[1], translation[2]],
  });
}

/** Gives a mesh one or two textures, sorted by triangle, the order in which the file keeps them. */
function textured(mesh: TriangleMesh, random: Draw): TriangleMesh {
  const count = mesh.triangles.length / 3;
  const first = random.whole(1, count);
  const texture = (): Texture => {
    const [width, height] = [random.whole(1, 5), random.whole(1, 5)];
    const colors = Array.from({ length: 3 * width * height }, () => random.next());
    return { width, height, colors, wrap: random.pick(['repeat', 'clamp']) };
  };
  return {
    ...mesh,
    uvs: Array.from({ length: 6 * count }, () => 2 * random.next()),
    textures: first < count ? [texture(), texture()] : [texture()],
    triangleTextures: Array.from({ length: count }, (_, t) => (t < first ? 0 : 1)),
    ...(random.chance(0.5) && { colors: mesh.positions.map(() => random.next()) }),
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Inserts lines that readers must ignore, and draws the line ends. */
function withNoise(text: string, noise: readonly string[], random: Draw): string {
  const lines = text.trimEnd().split('\n');
  const noisy = lines.flatMap((line) => (random.chance(0.1) ? [random.pick(noise), line] : [line]));
  const ending = random.chance(0.3) ? '\r\n' : '\n';
  return noisy.join(ending) + ending;
}

function objFile(mesh: TriangleMesh, random: Draw): MeshFile {
  const count = mesh.positions.length / 3;
  const way = random.pick(['plain', 'negative', 'textured', 'painted'] as const);
  const text = formatObj(mesh).replace(/^f (\d+) (\d+) (\d+)$/gm, (line, ...corners: string[]) => {
    if (way === 'plain') return line;
    if (way === 'painted')
      return `usemtl ${random.pick(['red', 'wood'])}\n${line.replaceAll(/(?<=\d)(?= |$)/g, '/-1')}`;
    const each = corners
      .slice(0, 3)
      .map((corner) => (way === 'negative' ? `${Number(corner) - count - 1}` : `${corner}/1//2`.replace('//', '/')));
    return `f ${each.join(' ')}`;
  });
  const bytes = encode(
    `vt 0.5 0.25\n${withNoise(text, ['# a comment', '', 'g part', 'vt 0 1', 's off', 'usemtl red'], random)}`,
  );
  if (way !== 'painted') return { ...described('obj', mesh, bytes, DOUBLE), isText: true };
  const painted = encode(`mtllib a.mtl\n${new TextDecoder().decode(bytes)}`);
  return { ...described('obj', mesh, painted, DOUBLE), isText: true, beside: { 'a.mtl': encode(MATERIALS) } };
}

const MATERIALS = 'newmtl red\nKd 1 0 0\nnewmtl wood\nKs 1 1 1\nKd 0.5 0.25 0\n';

function stlFile(mesh: TriangleMesh, random: Draw): MeshFile {
  if (random.chance(0.5)) {
    const text = withNoise(formatAsciiStl(mesh), ['', '  '], random);
    const bytes = encode(random.chance(0.2) ? text.toUpperCase() : text);
    const essential = text.toLowerCase().lastIndexOf('endsolid') + 'endsolid'.length;
    return { ...described('stl', mesh, bytes, 1e-8), essential, isText: true };
  }
  const bytes = formatStl(mesh);
  const count = mesh.triangles.length / 3;
  const apply = (random: Draw): Uint8Array => {
    const changed = bytes.slice();
    const wrong = random.pick([0, count - 1, count + 1, count + 1000, 1e8, 0xffffffff]);
    new DataView(changed.buffer).setUint32(80, wrong, true);
    return changed;
  };
  const counts = [{ about: 'another count of triangles', apply }];
  return { ...described('stl', mesh, bytes, SINGLE), isText: false, counts };
}

function countsOfGlb(bytes: Uint8Array): MeshFile['counts'] {
  const at = (about: string, offset: number) => ({
    about,
    apply: (random: Draw): Uint8Array => {
      const changed = bytes.slice();
      const view = new DataView(changed.buffer);
      const value = view.getUint32(offset, true);
      view.setUint32(offset, random.pick([0, value - 4, value + 4, value + 1, 0xffffffff]), true);
      return changed;
    },
  });
  return [at('another length of the file', 8), at('another length of its JSON', 12)];
}

function tetFile(mesh: TetMesh, random: Draw): MeshFile {
  const vertices = Array.from(
    { length: mesh.positions.length / 3 },
    (_, v) => `v ${mesh.positions.slice(3 * v, 3 * v + 3).join(' ')}`,
  );
  const tets = Array.from(
    { length: mesh.tets.length / 4 },
    (_, t) => `t ${mesh.tets.slice(4 * t, 4 * t + 4).join(' ')}`,
  );
  const bytes = encode(withNoise([...vertices, ...tets].join('\n'), ['# a comment', '', 'l 0 1'], random));
  return { ...described('tet', mesh, bytes, DOUBLE), isText: true };
}

/** Edges of a tetrahedron, in the order in which Gmsh has their middles. */
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
  [3, 0],
  [2, 3],
  [1, 3],
] as const;

/** Writes a Gmsh file of version 2.2 or 4.1 with a triangle besides the tetrahedra, which have four nodes or ten. */
function mshFile(mesh: TetMesh, random: Draw): MeshFile {
  const first = random.whole(1, 50);
  const nodes = Array.from({ length: mesh.positions.length / 3 }, (_, v) => ({
    tag: first + v,
    at: [...mesh.positions.slice(3 * v, 3 * v + 3)].join(' '),
  }));
  const type = random.chance(0.3) ? 11 : 4;
  const tets = Array.from({ length: mesh.tets.length / 4 }, (_, t) => {
    const corners = [...mesh.tets.slice(4 * t, 4 * t + 4)];
    const middles = (type === 11 ? EDGES : []).map(([i, j]) => {
      const [a, b] = [corners[i], corners[j]].map((vertex) => mesh.positions.slice(3 * vertex, 3 * vertex + 3));
      return nodes.push({ tag: first + nodes.length, at: [...a.map((x, k) => (x + b[k]) / 2)].join(' ') }) - 1;
    });
    return [...corners, ...middles].map((node) => first + node).join(' ');
  });
  const triangle = `${first} ${first + 1} ${first + 2}`;
  const is22 = random.chance(0.5);
  const write = (nodeCount: number, elementCount: number): Uint8Array => {
    const [head, body] = is22
      ? [
          ['2.2 0 8', `${nodeCount}`, ...nodes.map(({ tag, at }) => `${tag} ${at}`)],
          [`${elementCount}`, `1 2 2 0 1 ${triangle}`, ...tets.map((t, k) => `${k + 2} ${type} 2 0 1 ${t}`)],
        ]
      : [
          [
            '4.1 0 8',
            `1 ${nodeCount} ${first} ${first + nodes.length}`,
            `3 1 0 ${nodes.length}`,
            ...nodes.map(({ tag }) => `${tag}`),
            ...nodes.map(({ at }) => at),
          ],
          [
            `2 ${elementCount} 1 99`,
            '2 1 2 1',
            `1 ${triangle}`,
            `3 1 ${type} ${tets.length}`,
            ...tets.map((t, k) => `${k + 2} ${t}`),
          ],
        ];
    const [format, ...nodeLines] = head;
    const lines = [
      '$MeshFormat',
      format,
      '$EndMeshFormat',
      '$Nodes',
      ...nodeLines,
      '$EndNodes',
      '$Elements',
      ...body,
      '$EndElements',
    ];
    return encode(`${lines.join('\n')}\n`);
  };
  const whole = write(nodes.length, tets.length + 1);
  const counts = [
    {
      about: 'another count of nodes',
      apply: (r: Draw) => write(r.pick([0, nodes.length - 1, nodes.length + 1, 1e9, -1]), tets.length + 1),
    },
    {
      about: 'another count of elements',
      apply: (r: Draw) => write(nodes.length, r.pick([0, tets.length, tets.length + 2, 1e9, -5])),
    },
  ];
  return { ...described('msh', mesh, whole, DOUBLE), essential: whole.length - 1, isText: true, counts };
}
