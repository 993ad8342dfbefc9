import { icosphere } from '@gradsim/mesh';

/** A sphere of 20 * 4^subdivisions triangles in device coordinates, filling most of the picture, of all colours. */
export function globeInView(subdivisions: number): {
  vertices: Float64Array;
  faces: Uint32Array;
  colors: Float64Array;
} {
  const { positions, triangles } = icosphere({ subdivisions });
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
