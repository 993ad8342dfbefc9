import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem, readGmsh, readTet } from '@gradsim/fem';
import { particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const TET = '# one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n\nt 0 1 2 3\nl 0 1\n';
// One triangle, one tetrahedron; node 9 is in none.
const V22 =
  '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n9 7 7 7\n3 0 1 0\n4 0 0 1\n$EndNodes\n' +
  '$Elements\n2\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 4\n$EndElements\n';
const V41 =
  '$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 5 1 9\n2 1 0 3\n1\n2\n9\n0 0 0\n1 0 0\n7 7 7\n3 1 0 2\n3\n4\n0 1 0\n0 0 1\n$EndNodes\n' +
  '$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n';
const ONE = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 3] };

describe('mesh files', () => {
  it('are read', () => {
    expect(readTet(TET)).toEqual(ONE);
    expect(readGmsh(V22)).toEqual(ONE);
    expect(readGmsh(V41)).toEqual(ONE);
  });
  it('are refused when cut short, wrong or of another kind, saying where', () => {
    expect(() => readTet(TET.replace('t 0 1 2 3', 't 0 1 2 4'), 'a.tet')).toThrow(
      'a.tet, line 7: tetrahedron 0 names vertex 4; there are 4, numbered from 0.',
    );
    expect(() => readTet(TET.slice(0, 38), 'a.tet')).toThrow('a.tet has no tetrahedra; it may be cut short.');
    expect(() => readTet(TET.replace('v 1 0 0', 'v 1 0'), 'a.tet')).toThrow(
      'a.tet, line 3: "v 1 0" must be v and 3 numbers.',
    );
    expect(() => readGmsh(V22.slice(0, -20), 'a.msh')).toThrow(
      'a.msh is cut short: section $Elements does not end.',
    );
    expect(() => readGmsh(V41.slice(0, 60), 'a.msh')).toThrow(
      'a.msh is cut short: section $Nodes does not end.',
    );
    expect(() => readGmsh(V22.replace('$Nodes\n5', '$Nodes\n6'), 'a.msh')).toThrow(
      'a.msh: section $Nodes has fewer numbers than it says',
    );
    expect(() => readGmsh(V22.replace('1 2 3 4\n$End', '1 2 3 5\n$End'), 'a.msh')).toThrow(
      'a.msh: tetrahedron 0 names node 5, which section $Nodes does not have.',
    );
    expect(() => readGmsh(V22.replace('2.2 0', '2.2 1'), 'a.msh')).toThrow('a.msh is a binary Gmsh file');
    expect(() => readGmsh(V22.replace('2.2 0', '3 0'), 'a.msh')).toThrow(
      "Gmsh's format 3; 2.2 and 4.1 can be read",
    );
  });

  const gear = fileURLToPath(new URL('../../../../shared/data/gradsim/meshes/gear.tet', import.meta.url));
  if (!existsSync(gear)) console.log('gear.tet: skipped, ../shared/data is not there');
  it.skipIf(!existsSync(gear))('of the gear make a soft body', () => {
    const mesh = readTet(readFileSync(gear, 'utf8'), 'gear.tet');
    const scene = createScene([particles(), fem()]);
    const body = addSoftBody(scene, mesh, { mu: 1000, lambda: 1000, damping: 1, density: 1000 });
    expect(body.tets).toHaveLength(mesh.tets.length / 4);
    expect(buildModel(scene).surfaces).toHaveLength(1);
  });
});
