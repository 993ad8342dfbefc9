import type { Accessor, Document, Primitive } from '@gltf-transform/core';
import { checkMesh } from '../check.ts';
import { MeshError, reasonOf, type TriangleMesh } from '../mesh.ts';
import type { ReadBeside } from './read-beside.ts';

/** The most corners of triangles in a scene: a small file can name a mesh again and again. */
const MOST_CORNERS = 3e7;

/**
 * Reads glTF 2.0, as .glb or as .gltf with data URIs or files beside it: every triangle of the default scene (lists,
 * strips and fans), with the transforms of its nodes, as one mesh. Colours are those of the vertices, or else the base
 * colours of the materials; both are linear light. Vertices stay as stored, which repeats them along seams: weld them for
 * a solid. Lines and points of the scene are passed over.
 *
 * @param readBeside needed when the .gltf names files beside it.
 *
 * @throws MeshError when the file is cut short, names parts or vertices that are not there, says that it has more than it
 * holds, has positions of another kind than three numbers, holds numbers that are not finite, has a skin or morph targets,
 * needs an extension that is not supported (such as compression), or holds no triangles.
 */
export async function parseGltf(
  bytes: Uint8Array,
  name = 'glTF',
  readBeside?: ReadBeside,
): Promise<TriangleMesh> {
  const { WebIO } = await import('./gltf-library.ts');
  const { openGltf } = await import('./gltf-file.ts');
  let document: Document;
  try {
    document = await new WebIO().readJSON(await openGltf(bytes, name, readBeside));
  } catch (error) {
    if (error instanceof MeshError) throw error;
    throw new MeshError(`${name} cannot be read as glTF: ${reasonOf(error)}`, { cause: error });
  }
  const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
  const surfaces: { primitive: Primitive; matrix: readonly number[] }[] = [];
  scene?.traverse((node) => {
    for (const primitive of node.getMesh()?.listPrimitives() ?? [])
      if (isSurface(primitive, name)) surfaces.push({ primitive, matrix: node.getWorldMatrix() });
  });
  const corners = surfaces.reduce((sum, { primitive }) => {
    const accessor = primitive.getIndices() ?? primitive.getAttribute('POSITION');
    return sum + (accessor?.getCount() ?? 0);
  }, 0);
  if (corners > MOST_CORNERS)
    throw new MeshError(
      `${name}: its scene has ${corners} corners of triangles, as its nodes repeat meshes; at most ${MOST_CORNERS} can be read.`,
    );
  const parts = surfaces.map(({ primitive, matrix }) => partOf(primitive, matrix, name));
  if (parts.length === 0) throw new MeshError(`${name} holds no triangles in its scene.`);
  const mesh = join(parts, name);
  checkMesh(mesh);
  return mesh;
}

/** Modes of glTF: points, lines, closed and open strips of lines, then triangles, strips and fans of them. */
const [TRIANGLES, FAN] = [4, 6];

function isSurface(primitive: Primitive, name: string): boolean {
  const mode: number = primitive.getMode();
  if (!(mode >= 0 && mode <= FAN))
    throw new MeshError(`${name}: a primitive is of the unknown mode ${mode}.`);
  return mode >= TRIANGLES;
}

interface Part {
  positions: number[];
  triangles: number[];
  colors: number[] | undefined;
}

function partOf(primitive: Primitive, matrix: readonly number[], name: string): Part {
  const stored = primitive.getAttribute('POSITION');
  if (!stored)
    throw new MeshError(`${name}: a primitive has no positions (a required extension may be missing).`);
  requireType(stored, ['VEC3'], 'positions', name);
  const count = stored.getCount();
  const positions: number[] = [];
  for (let v = 0; v < count; v++) {
    const [x, y, z] = stored.getElement<number[]>(v, [0, 0, 0]);
    for (let i = 0; i < 3; i++) {
      positions.push(matrix[i] * x + matrix[4 + i] * y + matrix[8 + i] * z + matrix[12 + i]);
    }
  }
  const triangles = trianglesOf(primitive, count, name);
  if (isMirror(matrix)) {
    for (let i = 0; i < triangles.length; i += 3) {
      [triangles[i + 1], triangles[i + 2]] = [triangles[i + 2], triangles[i + 1]];
    }
  }
  return { positions, triangles, colors: colorsOf(primitive, count, name) };
}

function requireType(accessor: Accessor, types: readonly string[], what: string, name: string): void {
  if (types.includes(accessor.getType())) return;
  throw new MeshError(`${name}: ${what} are ${accessor.getType()}, and must be ${types.join(' or ')}.`);
}

/** Three vertices of the primitive for each triangle, counter-clockwise as stored. */
function trianglesOf(primitive: Primitive, count: number, name: string): number[] {
  const indices = primitive.getIndices();
  if (indices) {
    requireType(indices, ['SCALAR'], 'indices', name);
    if (indices.getArray() instanceof Float32Array)
      throw new MeshError(`${name}: indices are no whole numbers.`);
  }
  const corners = Array.from({ length: indices?.getCount() ?? count }, (_, i) => indices?.getScalar(i) ?? i);
  const wrong = corners.findIndex((vertex) => !(vertex >= 0 && vertex < count));
  if (wrong >= 0)
    throw new MeshError(
      `${name}: triangle ${Math.floor(wrong / 3)} uses vertex ${corners[wrong]}, but there are ${count} vertices, 0 to ${count - 1}.`,
    );
  const mode: number = primitive.getMode();
  if (mode === TRIANGLES) {
    if (corners.length % 3)
      throw new MeshError(`${name}: ${corners.length} corners are not a whole number of triangles.`);
    return corners;
  }
  if (corners.length < 3)
    throw new MeshError(`${name}: a strip or fan of ${corners.length} vertices makes no triangle.`);
  // Every second triangle of a strip turns the other way as stored.
  return Array.from({ length: corners.length - 2 }, (_, k) => k).flatMap((k) => {
    if (mode === FAN) return [corners[0], corners[k + 1], corners[k + 2]];
    return k % 2 === 0
      ? [corners[k], corners[k + 1], corners[k + 2]]
      : [corners[k + 1], corners[k], corners[k + 2]];
  });
}

function isMirror(m: readonly number[]): boolean {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}

function colorsOf(primitive: Primitive, count: number, name: string): number[] | undefined {
  const attribute = primitive.getAttribute('COLOR_0');
  if (attribute) {
    requireType(attribute, ['VEC3', 'VEC4'], 'colours', name);
    if (attribute.getCount() !== count)
      throw new MeshError(`${name}: there are ${attribute.getCount()} colours for ${count} vertices.`);
  }
  const material = primitive.getMaterial()?.getBaseColorFactor();
  if (!attribute && !material) return undefined;
  const colors: number[] = [];
  for (let v = 0; v < count; v++) {
    const color: number[] = attribute ? attribute.getElement(v, [0, 0, 0]) : material!;
    colors.push(...color.slice(0, 3));
  }
  return colors;
}

function join(parts: Part[], name: string): TriangleMesh {
  const hasColors = parts.some((part) => part.colors);
  const positions: number[] = [];
  const triangles: number[] = [];
  const colors: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    for (const vertex of part.triangles) triangles.push(first + vertex);
    for (const value of part.positions) positions.push(value);
    // Without a material or colour, glTF is white.
    for (const value of part.colors ?? part.positions.map(() => 1)) colors.push(value);
  }
  return {
    name,
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
    ...(hasColors && { colors: Float64Array.from(colors) }),
  };
}

/**
 * The mesh as the bytes of a .glb. Positions are rounded to single precision, a limit of the format; colours of
 * triangles are written by giving each triangle vertices of its own.
 */
export async function formatGlb(mesh: TriangleMesh): Promise<Uint8Array> {
  const { Document: DocumentClass, WebIO } = await import('./gltf-library.ts');
  const { positions, triangles, colors } = mesh.colorsOn === 'triangles' ? separated(mesh) : mesh;
  const document = new DocumentClass();
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
    .setIndices(accessor('SCALAR', Uint32Array.from(triangles)));
  if (colors) primitive.setAttribute('COLOR_0', accessor('VEC3', Float32Array.from(colors)));
  const name = mesh.name ?? 'mesh';
  const node = document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive));
  document.createScene(name).addChild(node);
  return new WebIO().writeBinary(document);
}

/** Three vertices of its own for every triangle, each with the colour of the triangle. */
function separated(mesh: TriangleMesh): TriangleMesh {
  const positions = new Float64Array(3 * mesh.triangles.length);
  const colors = new Float64Array(positions.length);
  mesh.triangles.forEach((vertex, i) => {
    const t = Math.floor(i / 3);
    positions.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
    colors.set(mesh.colors!.subarray(3 * t, 3 * t + 3), 3 * i);
  });
  return {
    ...mesh,
    positions,
    colors,
    triangles: Uint32Array.from(mesh.triangles.keys()),
    colorsOn: 'vertices',
  };
}
