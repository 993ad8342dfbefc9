import { checkMesh, type Mesh, parseGltf, parseGmsh, parseObj, parseStl, parseTet } from '@gradsim/mesh';
import type { Draw } from '../draw.ts';
import { type Case, type Expected, type Kind, outcomeOf, WronglyAccepted } from '../kind.ts';
import { flipBytes, mutateJson, replaceWord, truncateBytes } from '../mutate.ts';
import type { MeshFile } from '../write/mesh-file.ts';
import { meshFile } from '../write/mesh-files.ts';

/** Mesh files, valid or damaged, in every supported format. */
export const meshes: Kind = { name: 'meshes', limit: 10, draw };

interface Changed {
  readonly bytes: Uint8Array;
  readonly about: string;
  readonly expected: Expected;
}

async function draw(random: Draw): Promise<Case> {
  const file = await meshFile(random);
  const { bytes, about, expected } = change(file, random);
  return {
    about: `${file.format} of ${file.about}: ${about}`,
    expected,
    read: () => outcomeOf(async () => isAsMade(await parse(file, bytes), file)),
  };
}

function change(file: MeshFile, random: Draw): Changed {
  const { bytes, essential, format } = file;
  const way = random.pick(['none', 'cut', 'flip', 'flip', 'count', 'structure', 'structure'] as const);
  if (way === 'none') return { bytes, about: 'whole', expected: 'valid' };
  if (way === 'cut') {
    // Formats without counts, of which a part may be a whole.
    const hasCounts = format !== 'obj' && format !== 'tet';
    return { ...truncateBytes(bytes, random, essential - 1), expected: hasCounts ? 'refused' : 'either' };
  }
  if (way === 'count' && file.counts) {
    const { apply, about } = random.pick(file.counts);
    return { bytes: apply(random), about, expected: 'refused' };
  }
  if (way === 'structure' && file.json) {
    const { json, about } = mutateJson(file.json, random);
    return { bytes: file.rebuild!(json), about, expected: 'either' };
  }
  if (way === 'structure' && file.isText) {
    const { text, about } = replaceWord(new TextDecoder().decode(bytes), random);
    return { bytes: new TextEncoder().encode(text), about, expected: 'either' };
  }
  return { ...flipBytes(bytes, random), expected: 'either' };
}

async function parse({ format, beside = {} }: MeshFile, bytes: Uint8Array): Promise<Mesh> {
  const text = (): string => new TextDecoder().decode(bytes);
  if (format === 'obj') return parseObj(text(), 'drawn.obj', { readBeside: async (uri) => fetched(beside, uri) });
  if (format === 'tet') return parseTet(text(), 'drawn.tet');
  if (format === 'msh') return parseGmsh(text(), 'drawn.msh', { onWarning: () => {} });
  if (format === 'stl') return parseStl(bytes, 'drawn.stl');
  return parseGltf(bytes, `drawn.${format}`);
}

function fetched(beside: NonNullable<MeshFile['beside']>, uri: string): Uint8Array {
  const file = beside[uri];
  if (!file) throw new Error(`There is no file ${uri}.`);
  return file;
}

/** True if the mesh has the same corners in the same order as the original. @throws if it is not a valid mesh. */
function isAsMade(mesh: Mesh, { corners, precision }: MeshFile): boolean {
  try {
    checkMesh(mesh);
  } catch (error) {
    throw new WronglyAccepted(`${(error as Error).message}`);
  }
  const elements = 'tets' in mesh ? mesh.tets : 'triangles' in mesh ? mesh.triangles : mesh.lines;
  if (elements.length * 3 !== corners.length) return false;
  const size = corners.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return corners.every(
    (x, k) => Math.abs(mesh.positions[3 * elements[Math.floor(k / 3)] + (k % 3)] - x) <= precision * size,
  );
}
