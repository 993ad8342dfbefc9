import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { textOf } from '@gradsim/base/text';
import { checkMesh } from './check.ts';
import { parseGltf } from './formats/gltf/gltf.ts';
import { formatGlb } from './formats/gltf/write-glb.ts';
import { type GmshOptions, parseGmsh } from './formats/gmsh.ts';
import { parseObj } from './formats/obj/obj.ts';
import { formatObj } from './formats/obj/write-obj.ts';
import type { ReadOptions } from './formats/read-beside.ts';
import { formatStl, parseStl } from './formats/stl.ts';
import { parseTet } from './formats/tet.ts';
import type { TetMesh, TriangleMesh } from './mesh.ts';
import type { Platform } from './platform.ts';

/**
 * Imports the platform's file access when files are first read or written: in Node the import takes ten milliseconds,
 * and most programs generate their meshes.
 */
const loadPlatform = async (): Promise<Platform> => (await import('#platform')).platform;

/**
 * Reads a surface from a file (Node) or a URL (browser); the extension determines the format: .obj, .stl, .gltf or
 * .glb. The mesh is checked with {@link checkMesh}. Whether it is a solid ({@link checkSolid}) is only checked where
 * that is needed, as for mass properties. Colours, textures and texture coordinates are read too: see {@link parseGltf}
 * and {@link parseObj}.
 *
 * @param options `looks: false` reads only the shape. `allowOutside` lets a .gltf, .obj or .mtl name files outside its
 * own folder; by default that is refused, since a file from elsewhere could name any file of the machine.
 *
 * @example
 * const banana = await readMesh('banana.obj');
 *
 * @throws GradsimError naming the file and what is wrong with it.
 */
export async function readMesh(
  address: string,
  { allowOutside = false, looks = true, ...others }: { allowOutside?: boolean; looks?: boolean } = {},
): Promise<TriangleMesh> {
  refuseUnknownOptions('readMesh', others, { allowOutside: true, looks: true });
  const format = endingOf(address, SURFACES);
  const platform = await loadPlatform();
  const bytes = await platform.read(address);
  const readBeside = (uri: string) => platform.readBeside(address, uri, { allowOutside });
  const mesh = await parse(format, bytes, address, { readBeside, looks });
  checkMesh(mesh);
  return mesh;
}

async function parse(format: Surface, bytes: Uint8Array, address: string, options: ReadOptions): Promise<TriangleMesh> {
  if (format === 'obj') return parseObj(textOf(bytes), address, options);
  if (format === 'stl') return parseStl(bytes, address);
  return parseGltf(bytes, address, options);
}

/**
 * Reads a volume of tetrahedra from a file (Node) or a URL (browser); the extension determines the format: .tet or .msh
 * (Gmsh).
 *
 * @param options `dropUnused` drops vertices of a .tet file that belong to no tetrahedron; those of a .msh file always
 * are. `onWarning` is that of {@link parseGmsh}.
 *
 * @example
 * const gear = await readTetMesh('gear.tet');
 *
 * @throws GradsimError naming the file and what is wrong with it, as {@link parseTet} and {@link parseGmsh}.
 */
export async function readTetMesh(
  address: string,
  { dropUnused, onWarning, ...others }: { dropUnused?: boolean } & GmshOptions = {},
): Promise<TetMesh> {
  refuseUnknownOptions('readTetMesh', others, { dropUnused: true, onWarning: true });
  const format = endingOf(address, VOLUMES);
  const platform = await loadPlatform();
  const text = textOf(await platform.read(address));
  return format === 'tet' ? parseTet(text, address, { dropUnused }) : parseGmsh(text, address, { onWarning });
}

/**
 * Writes a surface to a file whose extension determines the format: .obj (every digit), .stl (binary) or .glb. Node
 * only.
 *
 * @throws GradsimError for a mesh that {@link checkMesh} refuses, another extension, or a file that exists.
 */
export async function writeMesh(
  path: string,
  mesh: TriangleMesh,
  { overwrite = false, ...others }: { overwrite?: boolean } = {},
): Promise<void> {
  refuseUnknownOptions('writeMesh', others, { overwrite: true });
  checkMesh(mesh);
  const format = endingOf(path, SURFACES);
  if (format === 'gltf')
    throw new GradsimError('mesh/two-files', `${path}.`, { hint: 'Write .glb, which holds the same in one file.' });
  const bytes =
    format === 'obj'
      ? new TextEncoder().encode(formatObj(mesh))
      : format === 'stl'
        ? formatStl(mesh)
        : await formatGlb(mesh);
  const platform = await loadPlatform();
  await platform.write(path, bytes, { overwrite });
}

const SURFACES = ['obj', 'stl', 'gltf', 'glb'] as const;
const VOLUMES = ['tet', 'msh'] as const;
type Surface = (typeof SURFACES)[number];

function endingOf<E extends string>(address: string, endings: readonly E[]): E {
  const found = /\.(\w+)(?:[?#].*)?$/.exec(address)?.[1].toLowerCase();
  const ending = endings.find((known) => known === found);
  if (ending) return ending;
  const known = endings.map((name) => `.${name}`);
  throw new GradsimError(
    'mesh/unknown-format',
    `${address} is not a mesh of a known format: the name must end in ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  );
}
