import { type TriangleMesh, triangleCount, vertexCount } from '../../mesh.ts';

/**
 * Returns the mesh as the text of an OBJ, with every digit of its positions, and with texture coordinates. Colours of
 * vertices are kept; colours of triangles and textures are lost, since the format cannot store them: use .glb for
 * these.
 */
export function formatObj(mesh: TriangleMesh): string {
  const colors = mesh.colorsOn === 'triangles' ? undefined : mesh.colors;
  const lines: string[] = [];
  for (let v = 0; v < vertexCount(mesh); v++) {
    const values = [...mesh.positions.subarray(3 * v, 3 * v + 3), ...(colors?.subarray(3 * v, 3 * v + 3) ?? [])];
    lines.push(`v ${values.join(' ')}`);
  }
  const { uvs } = mesh;
  const places = new Map<string, number>();
  const placeOf = Array.from(mesh.triangles, (_, corner) => {
    if (!uvs) return '';
    const place = `${uvs[2 * corner]} ${1 - uvs[2 * corner + 1]}`;
    if (!places.has(place)) places.set(place, places.size + 1);
    return `/${places.get(place)}`;
  });
  for (const place of places.keys()) lines.push(`vt ${place}`);
  for (let t = 0; t < triangleCount(mesh); t++) {
    const corners = [3 * t, 3 * t + 1, 3 * t + 2].map((k) => `${mesh.triangles[k] + 1}${placeOf[k]}`);
    lines.push(`f ${corners.join(' ')}`);
  }
  return `${lines.join('\n')}\n`;
}
