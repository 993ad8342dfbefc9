import type { Vector } from '@gradsim/base';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { textOf } from '@gradsim/core/text';
import type { TriangleMesh } from '@gradsim/mesh';
import { checkMesh, parseGltf, parseObj, parseStl, placeMesh } from '@gradsim/mesh';
import type { Element } from './element.ts';

/**
 * Function that returns the bytes of a file referenced by a robot, given its path from the robot's folder, such as
 * `meshes/arm.stl`.
 */
export type ReadFile = (path: string) => Uint8Array | Promise<Uint8Array>;

/** Reads meshes and texts that a robot file references, and caches the meshes by path. */
export class MeshFiles {
  readonly #read: ReadFile | undefined;
  readonly #known = new Map<string, Promise<TriangleMesh>>();

  constructor(read: ReadFile | undefined) {
    this.#read = read;
  }

  /**
   * Reads a mesh file and scales the mesh along x, y and z.
   * @param element the element that references the file, for messages.
   * @returns the mesh or, for an unsupported format or without `readFile`, a sentence with the reason.
   * @throws GradsimError for a path outside of the robot's folder, a file that cannot be read, and a scale of 0.
   */
  async mesh(element: Element, name: string, scale: Vector | undefined): Promise<TriangleMesh | string> {
    const path = pathWithin(element, name);
    if (!this.#read)
      return `${element.placeInFile()}: the mesh ${path} is not read, since there is no readFile; give one that takes its path.`;
    if (!/\.(obj|stl|gltf|glb)$/i.test(path))
      return `${element.placeInFile()}: the mesh ${path} is not read; .obj, .stl, .gltf and .glb are.`;
    if (scale?.includes(0)) element.refuseValue('scale', scale.join(' '), 'three factors of which none is 0');
    let mesh = this.#known.get(path);
    if (!mesh) {
      mesh = this.#parse(element, path);
      this.#known.set(path, mesh);
    }
    return scale ? placeMesh(await mesh, { scale }) : mesh;
  }

  /**
   * Reads a text file; returns its text and its path from the robot's folder.
   * @throws GradsimError without `readFile`, for a path outside of the folder, and for a file that cannot be read.
   */
  async text(element: Element, name: string): Promise<{ readonly path: string; readonly text: string }> {
    const path = pathWithin(element, name);
    if (!this.#read)
      throw new GradsimError('robots/no-read-file', `${element.placeInFile()} needs the file ${path}.`, {
        field: 'readFile',
        hint: 'Give a readFile that takes its path.',
      });
    try {
      return { path, text: textOf(await this.#bytes(path)) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new GradsimError(
        'robots/file-unreadable',
        `${element.placeInFile()}: the file ${path} cannot be read: ${reason}`,
        { cause: error },
      );
    }
  }

  async #parse(element: Element, path: string): Promise<TriangleMesh> {
    try {
      const bytes = await this.#bytes(path);
      const mesh = await parse(path, bytes, (uri) => this.#bytes(pathWithin(element, uri, path)));
      checkMesh(mesh);
      return mesh;
    } catch (error) {
      if (isGradsimError(error) && error.where.package === 'robots') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new GradsimError(
        'robots/mesh-unreadable',
        `${element.placeInFile()}: the mesh ${path} cannot be read: ${reason}`,
        { cause: error },
      );
    }
  }

  async #bytes(path: string): Promise<Uint8Array> {
    const bytes = await this.#read?.(path);
    if (!(bytes instanceof Uint8Array))
      throw new GradsimError(
        'robots/read-file-wrong',
        `readFile returned ${bytes === null ? 'null' : typeof bytes} for ${path}, which is no Uint8Array.`,
        { field: 'readFile' },
      );
    return bytes;
  }
}

function parse(
  path: string,
  bytes: Uint8Array,
  readBeside: (uri: string) => Promise<Uint8Array>,
): TriangleMesh | Promise<TriangleMesh> {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (ending === 'stl') return parseStl(bytes, path);
  const options = { looks: false, readBeside };
  return ending === 'obj' ? parseObj(textOf(bytes), path, options) : parseGltf(bytes, path, options);
}

/**
 * Resolves a file name to a path from the robot's folder, without `.` and `..`: `package://arm/mesh.stl` becomes
 * `arm/mesh.stl`.
 * @param beside path of the file whose folder the name is relative to; by default the robot's folder.
 * @throws GradsimError for a name that leads out of the robot's folder or is a URL.
 */
function pathWithin(element: Element, name: string, beside = ''): string {
  const refuse = (): never => {
    throw new GradsimError(
      'robots/file-outside',
      `${element.placeInFile()} names the file ${name}, which leads out of the folder of ${element.file}, and so is not read.`,
    );
  };
  let plain = name.replace(/^package:\/\//, '');
  try {
    plain = decodeURIComponent(plain);
  } catch {
    // A literal per cent sign.
  }
  if (/^[/\\]|^[a-z][a-z0-9+.-]*:|\0/i.test(plain)) refuse();
  const parts: string[] = beside.split('/').slice(0, -1);
  for (const part of plain.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) refuse();
  }
  if (parts.length === 0) refuse();
  return parts.join('/');
}
