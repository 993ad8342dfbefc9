import { platform } from '#platform';
import { checkMesh } from './check.ts';
import { formatGlb, parseGltf } from './formats/gltf.ts';
import { formatObj, parseObj } from './formats/obj.ts';
import { formatStl, parseStl } from './formats/stl.ts';
import { MeshError, type TriangleMesh } from './mesh.ts';

/**
 * Reads a mesh from a file (Node) or a URL (browser); the ending says the format: .obj, .stl, .gltf or .glb. The
 * mesh is checked with {@link checkMesh}; a solid has to pass {@link checkSolid} too, which mass properties see to.
 *
 * @example
 * const banana = await readMesh('banana.obj');
 *
 * @throws MeshError naming the file and what is wrong with it.
 */
export async function readMesh(address: string): Promise<TriangleMesh> {
  const format = endingOf(address);
  const bytes = await platform.read(address);
  const mesh = await parse(format, bytes, address);
  checkMesh(mesh);
  return mesh;
}

async function parse(format: Ending, bytes: Uint8Array, address: string): Promise<TriangleMesh> {
  if (format === 'obj') return parseObj(new TextDecoder().decode(bytes), address);
  if (format === 'stl') return parseStl(bytes, address);
  return parseGltf(bytes, address, (uri) => platform.read(platform.beside(address, uri)));
}

/**
 * Writes a mesh to a file whose ending says the format: .obj (every digit), .stl (binary) or .glb. Node only.
 *
 * @throws MeshError for a mesh that {@link checkMesh} refuses, another ending, or a file that exists.
 */
export async function writeMesh(
  path: string,
  mesh: TriangleMesh,
  { overwrite = false }: { overwrite?: boolean } = {},
): Promise<void> {
  checkMesh(mesh);
  const format = endingOf(path);
  if (format === 'gltf') throw new MeshError(`${path}: write .glb, which holds the same in one file.`);
  const bytes =
    format === 'obj'
      ? new TextEncoder().encode(formatObj(mesh))
      : format === 'stl'
        ? formatStl(mesh)
        : await formatGlb(mesh);
  await platform.write(path, bytes, { overwrite });
}

type Ending = 'obj' | 'stl' | 'gltf' | 'glb';

function endingOf(address: string): Ending {
  const ending = /\.(obj|stl|gltf|glb)(?:[?#].*)?$/i.exec(address)?.[1].toLowerCase();
  if (!ending) {
    throw new MeshError(
      `${address} is not a mesh of a known format: the name must end in .obj, .stl, .gltf or .glb.`,
    );
  }
  return ending as Ending;
}
