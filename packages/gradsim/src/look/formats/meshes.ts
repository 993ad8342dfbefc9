import { boundsOf, checkSolid, massProperties, readMesh } from '@gradsim/mesh';
import { formatNumber } from '../../terminal/numbers.ts';
import type { FileDescription, LookedFile } from './format.ts';

/** Longest side of a thing on a table, m: a mesh that is larger is likelier in mm. */
const LARGE = 10;

/** A mesh: its size, and whether it encloses a solid. */
export async function describeMesh({ path, ending }: LookedFile): Promise<FileDescription> {
  const mesh = await readMesh(path, { looks: false });
  const { low, high } = boundsOf(mesh);
  const sides = [0, 1, 2].map((k) => high[k] - low[k]);
  const size = (factor: number): string => sides.map((side) => formatNumber(side * factor, 4)).join(' x ');
  return {
    format: ending.slice(1),
    lines: [
      `A mesh: ${mesh.positions.length / 3} vertices, ${mesh.triangles.length / 3} triangles, ${size(1)} m`,
      solidLine(() => {
        checkSolid(mesh);
        return massProperties(mesh, { density: 1 }).volume;
      }),
      ...(Math.max(...sides) > LARGE
        ? [`Meshes are in metres. In mm it would be ${size(1e-3)} m: then scale it by 0.001 first.`]
        : []),
    ],
    next: [
      `npx gradsim new body --poses POSES.csv --set mesh=${path} --set mass=KG`,
      `npx gradsim new markers --markers MARKERS.csv --mesh ${path} --clamp "x<-0.1"`,
    ],
  };
}

function solidLine(volume: () => number): string {
  try {
    return `It encloses a solid of ${formatNumber(volume() * 1e6, 4)} cm^3.`;
  } catch (error) {
    return `It encloses no solid: ${(error as Error).message}`;
  }
}
