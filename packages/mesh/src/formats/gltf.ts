import type { Document, JSONDocument, Primitive } from '@gltf-transform/core';
import { checkMesh } from '../check.ts';
import { MeshError, reasonOf, type TriangleMesh } from '../mesh.ts';
import { checkReferences, jsonOfGlb } from './gltf-references.ts';

/** Fetches a file that a .gltf names beside itself. */
export type ReadBeside = (uri: string) => Promise<Uint8Array>;

/**
 * Reads glTF 2.0, as .glb or as .gltf with data URIs or files beside it: every triangle of the default scene, with
 * the transforms of its nodes, as one mesh. Colours are those of the vertices, or else the base colours of the
 * materials; both are linear light. Vertices stay as stored, which repeats them along seams: weld them for a solid.
 *
 * @param readBeside needed when the .gltf names files beside it.
 *
 * @throws MeshError when the file is cut short, names parts or vertices that are not there, holds numbers that are not
 * finite, needs an extension that is not supported (such as compression), or holds no triangles.
 */
export async function parseGltf(
  bytes: Uint8Array,
  name = 'glTF',
  readBeside?: ReadBeside,
): Promise<TriangleMesh> {
  const { Primitive: PrimitiveClass, WebIO } = await import('./gltf-library.ts');
  let document: Document;
  try {
    const io = new WebIO();
    const isBinary = new TextDecoder().decode(bytes.subarray(0, 4)) === 'glTF';
    if (isBinary) checkReferences(jsonOfGlb(bytes, name), name);
    document = isBinary
      ? await io.readBinary(bytes)
      : await io.readJSON(await withResources(bytes, name, readBeside));
  } catch (error) {
    if (error instanceof MeshError) throw error;
    throw new MeshError(`${name} cannot be read as glTF: ${reasonOf(error)}`, { cause: error });
  }
  const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
  const parts: Part[] = [];
  scene?.traverse((node) => {
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      if (primitive.getMode() === PrimitiveClass.Mode.TRIANGLES)
        parts.push(partOf(primitive, node.getWorldMatrix(), name));
    }
  });
  if (parts.length === 0) throw new MeshError(`${name} holds no triangles in its scene.`);
  const mesh = join(parts, name);
  checkMesh(mesh);
  return mesh;
}

async function withResources(
  bytes: Uint8Array,
  name: string,
  readBeside?: ReadBeside,
): Promise<JSONDocument> {
  const json: JSONDocument['json'] = JSON.parse(new TextDecoder().decode(bytes));
  checkReferences(json, name);
  const resources: JSONDocument['resources'] = {};
  // Images are not needed for a mesh, and a missing one should not stop it from being read.
  delete json.images;
  delete json.textures;
  for (const material of json.materials ?? []) {
    delete material.pbrMetallicRoughness?.baseColorTexture;
    delete material.pbrMetallicRoughness?.metallicRoughnessTexture;
    delete material.normalTexture;
    delete material.occlusionTexture;
    delete material.emissiveTexture;
  }
  for (const { uri } of json.buffers ?? []) {
    if (!uri) continue;
    if (uri.startsWith('data:')) {
      resources[uri] = new Uint8Array(await (await fetch(uri)).arrayBuffer());
    } else if (readBeside) {
      resources[uri] = new Uint8Array(await readBeside(uri));
    } else {
      throw new MeshError(
        `${name} needs the file ${uri} beside it: use readMesh, give readBeside, or export a .glb.`,
      );
    }
  }
  for (const { uri, byteLength } of json.buffers ?? []) {
    if (uri && resources[uri].length < byteLength)
      throw new MeshError(
        `${name}: ${uri.startsWith('data:') ? 'a buffer' : uri} is cut short, with ${resources[uri].length} of ${byteLength} bytes.`,
      );
  }
  return { json, resources };
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
  const count = stored.getCount();
  const positions: number[] = [];
  for (let v = 0; v < count; v++) {
    const [x, y, z] = stored.getElement<number[]>(v, [0, 0, 0]);
    for (let i = 0; i < 3; i++) {
      positions.push(matrix[i] * x + matrix[4 + i] * y + matrix[8 + i] * z + matrix[12 + i]);
    }
  }
  const indices = primitive.getIndices();
  const triangles = Array.from(
    { length: indices?.getCount() ?? count },
    (_, i) => indices?.getScalar(i) ?? i,
  );
  if (isMirror(matrix)) {
    for (let i = 0; i < triangles.length; i += 3) {
      [triangles[i + 1], triangles[i + 2]] = [triangles[i + 2], triangles[i + 1]];
    }
  }
  return { positions, triangles, colors: colorsOf(primitive, count) };
}

function isMirror(m: readonly number[]): boolean {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}

function colorsOf(primitive: Primitive, count: number): number[] | undefined {
  const attribute = primitive.getAttribute('COLOR_0');
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
