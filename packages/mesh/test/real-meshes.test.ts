import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkSolid, massProperties, principalAxes, readMesh, weldMesh } from '../src/index.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/gradsim/meshes/', import.meta.url));
const available = existsSync(folder);
if (!available) console.warn('skipped: the meshes of ../shared/data/gradsim/meshes are not there');

describe.skipIf(!available)('meshes of the research code', () => {
  const files = available ? readdirSync(folder).filter((name) => name.endsWith('.obj')) : [];

  it.each(files.filter((name) => name !== 'walker.obj'))(
    '%s is a solid with positive principal moments',
    async (file) => {
      const mesh = weldMesh(await readMesh(folder + file, { looks: false }));
      checkSolid(mesh);
      const { mass, inertia } = massProperties(mesh, { density: 5 });
      const [a, b, c] = principalAxes(inertia).moments;
      expect(mass).toBeGreaterThan(0);
      expect(a).toBeGreaterThan(0);
      // No rotation axis can carry more inertia than the two others together.
      expect(c).toBeLessThanOrEqual((a + b) * (1 + 1e-12));
    },
  );

  it('walker.obj is a flat sheet, and refused as a solid by name', async () => {
    const mesh = await readMesh(`${folder}walker.obj`);
    expect(() => checkSolid(mesh)).toThrowCode({ code: 'mesh/not-closed', values: ['walker.obj'] });
  });
});
