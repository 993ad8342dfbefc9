import { MeshError, type TriangleMesh, triangleCount, vertexCount } from './mesh.ts';

/**
 * Refuses a mesh that nothing can be done with: arrays of a wrong length, positions or colours that are not finite,
 * no triangles, vertex indices out of range.
 *
 * @example
 * checkMesh(await readMesh('banana.obj'));
 *
 * @throws MeshError naming the mesh, the vertex or triangle, and the value.
 */
export function checkMesh(mesh: TriangleMesh): void {
  const name = nameOf(mesh);
  if (mesh.positions.length % 3 || mesh.triangles.length % 3) {
    throw new MeshError(
      `${name}: ${mesh.positions.length} position values and ${mesh.triangles.length} triangle indices; both must be ` +
        'multiples of 3.',
    );
  }
  if (mesh.triangles.length === 0) throw new MeshError(`${name} has no triangles.`);
  checkFinite(mesh.positions, (vertex, value) => `${name}: vertex ${vertex} has the coordinate ${value}`);
  checkColors(mesh);
  for (let i = 0; i < mesh.triangles.length; i++) {
    if (mesh.triangles[i] >= vertexCount(mesh)) {
      throw new MeshError(
        `${name}: triangle ${Math.floor(i / 3)} uses vertex ${mesh.triangles[i]}, but there are ` +
          `${vertexCount(mesh)} vertices, 0 to ${vertexCount(mesh) - 1}.`,
      );
    }
  }
}

function nameOf(mesh: TriangleMesh): string {
  return mesh.name ? `Mesh ${mesh.name}` : 'The mesh';
}

function checkFinite(values: Float64Array, say: (element: number, value: number) => string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    const axis = 'xyz'[at % 3];
    throw new MeshError(`${say(Math.floor(at / 3), values[at])} (${axis}); all must be finite numbers.`);
  }
}

function checkColors(mesh: TriangleMesh): void {
  if (!mesh.colors) return;
  const on = mesh.colorsOn ?? 'vertices';
  const count = on === 'vertices' ? vertexCount(mesh) : triangleCount(mesh);
  if (mesh.colors.length !== 3 * count) {
    throw new MeshError(
      `${nameOf(mesh)}: ${mesh.colors.length} colour values for ${count} ${on}; there must be 3 each, ${3 * count}.`,
    );
  }
  checkFinite(
    mesh.colors,
    (element, value) => `${nameOf(mesh)}: the colour of ${on} ${element} holds ${value}`,
  );
}

/** Smallest height of a triangle, as a part of its longest edge, that still says which way it faces in doubles. */
const thinnest = 1e-12;

function checkAreas(mesh: TriangleMesh): void {
  for (let t = 0; t < triangleCount(mesh); t++) {
    const corners = [0, 1, 2].map((k) => mesh.triangles[3 * t + k]);
    const [a, b, c] = corners.map((v) => mesh.positions.subarray(3 * v, 3 * v + 3));
    const ab = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const ac = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const bc = [c[0] - b[0], c[1] - b[1], c[2] - b[2]];
    const twiceArea = Math.hypot(
      ab[1] * ac[2] - ab[2] * ac[1],
      ab[2] * ac[0] - ab[0] * ac[2],
      ab[0] * ac[1] - ab[1] * ac[0],
    );
    const longest = Math.max(Math.hypot(...ab), Math.hypot(...ac), Math.hypot(...bc));
    if (!(twiceArea > thinnest * longest * longest)) {
      throw new MeshError(
        `${nameOf(mesh)}: triangle ${t} (vertices ${corners.join(', ')}) is degenerate: its area is ${twiceArea / 2} ` +
          'm2. Remove it, or weld the vertices of the mesh (weldMesh drops collapsed triangles).',
      );
    }
  }
}

/**
 * Refuses a mesh that does not enclose a solid: besides {@link checkMesh}, every triangle must have an area, every edge must be shared by exactly two
 * triangles that run along it in opposite directions, and the enclosed volume must be positive.
 *
 * @throws MeshError naming the mesh, the triangle and its area, the edge and its triangles, or the volume.
 */
export function checkSolid(mesh: TriangleMesh): void {
  checkMesh(mesh);
  checkAreas(mesh);
  for (const { vertices, along, against } of edgesOf(mesh)) {
    if (along.length === 1 && against.length === 1) continue;
    const triangles = [...along, ...against];
    const edge = `the edge between vertices ${vertices[0]} and ${vertices[1]}`;
    if (triangles.length === 1) {
      throw new MeshError(
        `${nameOf(mesh)} is open, but a solid must be closed: ${edge} belongs to triangle ${triangles[0]} alone. ` +
          'Close the hole, or weld the vertices (weldMesh) if the file repeats them.',
      );
    }
    if (triangles.length > 2) {
      throw new MeshError(
        `${nameOf(mesh)}: ${edge} belongs to ${triangles.length} triangles (${triangles.join(', ')}), but in a solid ` +
          'to exactly two.',
      );
    }
    throw new MeshError(
      `${nameOf(mesh)}: triangles ${triangles.join(' and ')} face opposite ways: both run along ${edge} in the same ` +
        'direction. Turn one of them (and what hangs on it) round.',
    );
  }
  const volume = signedVolume(mesh);
  if (!(volume > 0)) {
    throw new MeshError(
      `${nameOf(mesh)} is inside out: it encloses ${volume} m3. Reverse its triangles (flipMesh).`,
    );
  }
}

/** An edge with the triangles that run from its first to its second vertex, and those that run back. */
interface Edge {
  vertices: readonly [number, number];
  along: number[];
  against: number[];
}

function edgesOf(mesh: TriangleMesh): Iterable<Edge> {
  const edges = new Map<number, Edge>();
  const count = vertexCount(mesh);
  for (let i = 0; i < mesh.triangles.length; i++) {
    const t = Math.floor(i / 3);
    const from = mesh.triangles[i];
    const to = mesh.triangles[3 * t + ((i + 1) % 3)];
    const [low, high] = from < to ? [from, to] : [to, from];
    const key = low * count + high;
    const edge: Edge = edges.get(key) ?? { vertices: [low, high], along: [], against: [] };
    edges.set(key, edge);
    (from < to ? edge.along : edge.against).push(t);
  }
  return edges.values();
}

/**
 * Volume enclosed by a closed mesh, in m3; negative when its triangles face inwards. The sum of the tetrahedra from
 * the first vertex to every triangle (divergence theorem).
 */
export function signedVolume(mesh: TriangleMesh): number {
  const { positions, triangles } = mesh;
  const [ox, oy, oz] = positions;
  let sixfold = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const [ax, ay, az] = [positions[a] - ox, positions[a + 1] - oy, positions[a + 2] - oz];
    const [bx, by, bz] = [positions[b] - ox, positions[b + 1] - oy, positions[b + 2] - oz];
    const [cx, cy, cz] = [positions[c] - ox, positions[c + 1] - oy, positions[c + 2] - oz];
    sixfold += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sixfold / 6;
}
