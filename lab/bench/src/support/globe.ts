import { icosphere } from '@gradsim/mesh';

/**
 * A multicoloured sphere that fills most of the picture: an icosphere if `faces` is 20 * 4^n, else rings of triangles
 * with about that number of faces.
 */
export function globeInView(faces: number): {
  vertices: Float64Array;
  faces: Uint32Array;
  colors: Float64Array;
} {
  const subdivisions = Math.log(faces / 20) / Math.log(4);
  const { positions, triangles } = Number.isInteger(subdivisions) ? icosphere({ subdivisions }) : sphereOfRings(faces);
  const [distance, zoom] = [3, 2.3];
  const vertices = Float64Array.from(positions);
  for (let v = 0; v < vertices.length; v += 3) {
    const depth = distance - positions[v + 2];
    vertices[v] *= zoom / depth;
    vertices[v + 1] *= zoom / depth;
    vertices[v + 2] = depth;
  }
  const colors = Float64Array.from({ length: triangles.length }, (_, k) => {
    const corner = Math.floor(k / 3) * 3;
    return 0.5 + 0.5 * positions[triangles[corner] * 3 + (k % 3)];
  });
  return { vertices, faces: triangles, colors };
}

/** Mesh of a sphere of rings of triangles from pole to pole, with three rings for every four sectors. */
function sphereOfRings(faces: number): { positions: number[]; triangles: Uint32Array } {
  const sectors = Math.max(3, Math.round(Math.sqrt((2 * faces) / 3)));
  const rings = Math.max(2, Math.round(faces / (2 * sectors)) + 1);
  const positions = Array.from({ length: (rings + 1) * sectors }, (_, v) => {
    const polar = (Math.PI * Math.floor(v / sectors)) / rings;
    const round = (2 * Math.PI * (v % sectors)) / sectors;
    return [Math.sin(polar) * Math.cos(round), Math.cos(polar), Math.sin(polar) * Math.sin(round)];
  }).flat();
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let sector = 0; sector < sectors; sector++) {
      const [a, b] = [ring * sectors + sector, ring * sectors + ((sector + 1) % sectors)];
      if (ring > 0) triangles.push(a, b, b + sectors);
      if (ring < rings - 1) triangles.push(a, b + sectors, a + sectors);
    }
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}

/** Adds a texture of 256 x 256 texels, projected onto the globe from the front; the back gets the mirror image. */
export function wrapped(globe: ReturnType<typeof globeInView>) {
  const size = 256;
  const colors = Float64Array.from({ length: 3 * size * size }, (_, k) => 0.5 + 0.5 * Math.sin(0.37 * k) ** 2);
  const corners = Array.from(globe.faces, (vertex) => [0, 1].map((axis) => globe.vertices[3 * vertex + axis]));
  const uvs = corners.flatMap(([x, y]) => [0.5 + 0.5 * x, 0.5 - 0.5 * y]);
  return { ...globe, uvs, texture: { width: size, height: size, colors } };
}
