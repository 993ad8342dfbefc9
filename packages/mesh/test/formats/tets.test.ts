import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseGmsh, parseTet, readTetMesh } from '../../src/index.ts';

const TET = '# one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n\nt 0 1 2 3\nl 0 1\n';
// One triangle, one tetrahedron; node 9 is in none.
const V22 =
  '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n9 7 7 7\n3 0 1 0\n4 0 0 1\n$EndNodes\n' +
  '$Elements\n2\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 4\n$EndElements\n';
const V41 =
  '$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 5 1 9\n2 1 0 3\n1\n2\n9\n0 0 0\n1 0 0\n7 7 7\n3 1 0 2\n3\n4\n0 1 0\n0 0 1\n$EndNodes\n' +
  '$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n';
const ONE = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tets: Uint32Array.of(0, 1, 2, 3),
};

describe('files of tetrahedra', () => {
  it('are read (.tet, and Gmsh 2.2 and 4.1)', () => {
    expect(parseTet(TET, 'a')).toEqual({ ...ONE, name: 'a' });
    expect(parseGmsh(V22, 'b')).toEqual({ ...ONE, name: 'b' });
    expect(parseGmsh(V41, 'c')).toEqual({ ...ONE, name: 'c' });
  });
  // A tetrahedron of ten nodes, Gmsh's order: its corners, then the middles of 01, 12, 20, 30, 23, 13; the last is off by 0.1.
  const TEN_NODES = [
    ...['0 0 0', '1 0 0', '0 1 0', '0 0 1', '.5 0 0', '.5 .5 0', '0 .5 0', '0 0 .5', '0 .5 .5', '.5 0 .6'],
  ];
  const tenNodes = (elements: readonly string[]): string =>
    `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n${TEN_NODES.map((at, k) => `${k + 1} ${at}`).join('\n')}\n$EndNodes\n` +
    `$Elements\n${elements.length}\n${elements.map((of, k) => `${k + 1} ${of}`).join('\n')}\n$EndElements\n`;
  it('of ten nodes are read by their corners, which is said, with how far their edges bend', () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const text = tenNodes(['9 2 0 1 1 2 3 5 6 7', '11 2 0 1 1 2 3 4 5 6 7 8 9 10']);
    expect(parseGmsh(text, 'd.msh', { onWarning })).toEqual({ ...ONE, name: 'd.msh' });
    // 0.1 of an edge of the length sqrt(2).
    expect(warnings.join()).toMatch(/^d\.msh: 1 tetrahedron of 10 nodes .*quadratic.* 7\.1 % of an edge/);
    parseGmsh(V22, 'b', { onWarning });
    expect(warnings).toHaveLength(1);
  });
  it('of a third order are read by their corners too, and other volumes refused by their number and shape', () => {
    const warnings: string[] = [];
    const twenty = Array.from({ length: 20 }, (_, k) => (k % 10) + 1).join(' ');
    const read = parseGmsh(tenNodes([`29 2 0 1 ${twenty}`]), 'e.msh', { onWarning: (text) => warnings.push(text) });
    expect(read).toEqual({ ...ONE, name: 'e.msh' });
    expect(warnings.join()).toMatch(/1 tetrahedron of 20 nodes/);
    const mixed = tenNodes([
      '4 2 0 1 1 2 3 4',
      '5 2 0 1 1 2 3 4 5 6 7 8',
      '6 2 0 1 1 2 3 4 5 6',
      '6 2 0 1 1 2 3 4 5 6',
    ]);
    expect(() => parseGmsh(mixed, 'f.msh')).toThrowCode({
      code: 'mesh/format-not-supported',
      field: 'f.msh',
      values: ['1 hexahedron, 2 prisms'],
    });
  });
  it('are refused by name if truncated, inconsistent, binary or of version 3', () => {
    expect(() => parseTet(TET.replace('t 0 1 2 3', 't 0 1 2 4'), 'a.tet')).toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [7, 0, 4, 3, 'a.tet'],
    });
    expect(() => parseTet(TET.slice(0, 38), 'a.tet')).toThrowCode({ code: 'mesh/nothing-in-mesh', field: 'a.tet' });
    expect(() => parseTet(TET.replace('v 1 0 0', 'v 1 0'), 'a.tet')).toThrowCode({
      code: 'mesh/file-invalid',
      values: ['"v 1 0"', 3, 'a.tet'],
    });
    expect(() => parseGmsh(V22.slice(0, -20), 'a.msh')).toThrowCode({
      code: 'mesh/file-damaged',
      field: 'a.msh',
      values: ['Elements'],
    });
    expect(() => parseGmsh(V41.slice(0, 60), 'a.msh')).toThrowCode({
      code: 'mesh/file-damaged',
      field: 'a.msh',
      values: ['Nodes'],
    });
    expect(() => parseGmsh(V22.replace('$Nodes\n5', '$Nodes\n6'), 'a.msh')).toThrowCode({
      code: 'mesh/file-damaged',
      values: ['a.msh', 'Nodes'],
    });
    expect(() => parseGmsh(V22.replace('1 2 3 4\n$End', '1 2 3 5\n$End'), 'a.msh')).toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [0, 5, 'a.msh'],
    });
    expect(() => parseGmsh(V22.replace('2.2 0', '2.2 1'), 'a.msh')).toThrowCode({
      code: 'mesh/format-not-supported',
      field: 'a.msh',
    });
    expect(() => parseGmsh(V22.replace('2.2 0', '3 0'), 'a.msh')).toThrowCode({
      code: 'mesh/format-not-supported',
      field: 'a.msh',
      values: [3, 2.2, 4.1],
    });
  });

  it('of Gmsh are refused if counts, node numbers or an element type are wrong, naming the section', () => {
    const wrong = (text: string, from: string, to: string): string => {
      expect(text).toContain(from);
      return text.replace(from, to);
    };
    const read = (text: string) => () => parseGmsh(text, 'a.msh');
    const nodes = 'a.msh: section $Nodes';
    const elements = 'a.msh: section $Elements';
    expect(read(wrong(V22, '$Nodes\n5', '$Nodes\n4'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: [nodes, '4 numbers more'],
    });
    expect(read(wrong(V22, '$Elements\n2', '$Elements\n1'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: [elements, '9 numbers more'],
    });
    expect(read(wrong(V22, '$Elements\n2', '$Elements\n3'))).toThrowCode({
      code: 'mesh/file-damaged',
      values: [elements],
    });
    expect(read(wrong(V22, '$Elements\n2', '$Elements\n-2'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: [elements, -2],
    });
    expect(read(wrong(V22, '\n9 7 7 7', '\n1 7 7 7'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: [nodes, 5, 4],
    });
    expect(read(wrong(V22, '2 4 2 0', '2 99 2 0'))).toThrowCode({
      code: 'mesh/format-not-supported',
      values: [elements, 99],
    });
    expect(read(wrong(V41, '$Nodes\n2 5', '$Nodes\n2 6'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: [nodes, 6],
    });
    expect(read(wrong(V41, '$Nodes\n2 5', '$Nodes\n3 5'))).toThrowCode({ code: 'mesh/file-damaged', values: [nodes] });
    expect(read(wrong(V41, '3 1 4 1', '3 1 4 2'))).toThrowCode({ code: 'mesh/file-damaged', values: [elements] });
    expect(read(wrong(V41, '$Elements\n2 2', '$Elements\n2 3'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: [elements, 3, 2],
    });
    expect(read(wrong(V41, '2 1 2 3 4\n', '2 1 2 3 7\n'))).toThrowCode({ code: 'mesh/no-such-vertex', values: [0, 7] });
    expect(read(wrong(V41, '0 1 0\n', '0 x 0\n'))).toThrowCode({ code: 'mesh/file-damaged', values: [nodes] });
  });

  // At every character: within a number, a line, a section, between them.
  it.each([
    ['a.tet', TET, parseTet, /^a\.tet(, line \d+:| has no tetrahedra)/],
    ['a.msh', V22, parseGmsh, /^a\.msh( has no section \$| is cut short: section \$)/],
    ['a.msh', V41, parseGmsh, /^a\.msh( has no section \$| is cut short: section \$)/],
  ] as const)('truncated anywhere are refused by name, or whole but for the end: %s', (name, text, read, message) => {
    let [refused, whole] = [0, 0];
    for (let length = 0; length < text.length; length++) {
      try {
        expect(read(text.slice(0, length), name)).toEqual({ ...ONE, name });
        whole++;
      } catch (error) {
        expect((error as Error).message).toMatch(message);
        refused++;
      }
    }
    // Of the .tet file, the line break and the link after the element can go; of the others, the last line break.
    const needed = name === 'a.tet' ? text.indexOf('2 3\n') + 3 : text.trimEnd().length;
    expect([refused, whole]).toEqual([needed, text.length - needed]);
  });

  it('with unused vertices are refused, or read without them if requested', () => {
    const text = TET.replace('v 1 0 0', 'v 5 5 5\nv 1 0 0').replace('t 0 1 2 3', 't 0 2 3 4');
    expect(() => parseTet(text, 'a.tet')).toThrowCode({
      code: 'mesh/unused-vertex',
      values: [3, 1, 'a.tet', 'dropUnused'],
    });
    expect(parseTet(text, 'a.tet', { dropUnused: true })).toEqual({ ...ONE, name: 'a.tet' });
  });

  it('are recognised by their extension', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gradsim-tets-'));
    try {
      const [tet, msh] = [join(folder, 'one.tet'), join(folder, 'one.MSH')];
      await writeFile(tet, TET.replace('v 0 0 1', 'v 0 0 1\nv 5 5 5'));
      await writeFile(msh, V41);
      await expect(readTetMesh(tet)).rejects.toThrowCode({ code: 'mesh/unused-vertex', values: [6, 4, 'one.tet'] });
      expect(await readTetMesh(tet, { dropUnused: true })).toEqual({ ...ONE, name: tet });
      expect(await readTetMesh(msh)).toEqual({ ...ONE, name: msh });
    } finally {
      await rm(folder, { recursive: true });
    }
    await expect(readTetMesh('ball.obj')).rejects.toThrowCode({
      code: 'mesh/unknown-format',
      values: ['ball.obj', '.tet', '.msh'],
    });
  });

  const gear = fileURLToPath(new URL('../../../../../shared/data/gradsim/meshes/gear.tet', import.meta.url));
  if (!existsSync(gear)) console.log('gear.tet: skipped, ../shared/data is not there');
  it.skipIf(!existsSync(gear))(
    'of the gear are refused if truncated between two lines, unless every vertex still is in a tetrahedron',
    () => {
      const lines = readFileSync(gear, 'utf8').trimEnd().split('\n');
      const whole = parseTet(lines.join('\n'), 'gear.tet');
      const read: number[] = [];
      for (let count = 1; count < lines.length; count++) {
        try {
          const { positions, tets } = parseTet(lines.slice(0, count).join('\n'), 'gear.tet');
          expect(positions).toEqual(whole.positions);
          expect(tets).toEqual(whole.tets.subarray(0, tets.length));
          read.push(count);
        } catch (error) {
          expect((error as Error).message).toMatch(/^gear\.tet(, line \d+: vertex \d+ is in no| has no tetrahedra)/);
        }
      }
      // Tetrahedra at the end whose vertices are all in others: the format has nothing that says they are missing.
      console.log(`gear.tet: ${read.length} of ${lines.length} files cut between lines cannot be told from whole ones`);
      read.forEach((count, k) => expect(count).toBe(lines.length - read.length + k));
    },
  );
});
