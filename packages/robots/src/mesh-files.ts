import { GradsimError, isGradsimError } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { checkMesh, parseGltf, parseObj, parseStl, placeMesh } from '@gradsim/mesh';
import type { Vector } from '@gradsim/numeric';
import type { Element } from './element.ts';

/** Reads the bytes of a file that a robot refers to, by its path from the robot's folder: `meshes/arm.stl`. */
export type ReadFile = (path: string) => Uint8Array | Promise<Uint8Array>;

/** Reads the files that a robot refers to: each mesh once, and texts. */
export class MeshFiles {
  readonly #read: ReadFile | undefined;
  readonly #known = new Map<string, Promise<TriangleMesh>>();

  constructor(read: ReadFile | undefined) {
    this.#read = read;
  }

  /**
   * @param element which names it.
   * @returns what it holds, or why it is not read, in a sentence.
   * @throws GradsimError for a name that leads out of the folder, and a file that cannot be read.
   */
  async mesh(element: Element, name: string, scale: Vector | undefined): Promise<TriangleMesh | string> {
    const path = pathWithin(element, name);
    if (!this.#read)
      return `${element.where()}: the mesh ${path} is not read, since there is no readFile; give one that takes its path.`;
    if (!/\.(obj|stl|gltf|glb)$/i.test(path))
      return `${element.where()}: the mesh ${path} is not read; .obj, .stl, .gltf and .glb are.`;
    if (scale?.includes(0)) element.refuseValue('scale', scale.join(' '), 'three factors of which none is 0');
    let mesh = this.#known.get(path);
    if (!mesh) {
      mesh = this.#parse(element, path);
      this.#known.set(path, mesh);
    }
    return scale ? placeMesh(await mesh, { scale }) : mesh;
  }

  /**
   * The text of a file, and its path.
   * @throws GradsimError where there is no readFile, and as {@link mesh}.
   */
  async text(element: Element, name: string): Promise<{ readonly path: string; readonly text: string }> {
    const path = pathWithin(element, name);
    if (!this.#read) return element.refuse(`needs the file ${path}; give a readFile that takes its path.`);
    try {
      return { path, text: new TextDecoder().decode(await this.#bytes(path)) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new GradsimError(
        'robots/file-unreadable',
        `${element.where()}: the file ${path} cannot be read: ${reason}`,
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
        `${element.where()}: the mesh ${path} cannot be read: ${reason}`,
        { cause: error },
      );
    }
  }

  async #bytes(path: string): Promise<Uint8Array> {
    const bytes = await this.#read?.(path);
    if (!(bytes instanceof Uint8Array)) throw new Error(`readFile gave ${String(bytes)} for it, and no bytes.`);
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
  return ending === 'obj' ? parseObj(new TextDecoder().decode(bytes), path, options) : parseGltf(bytes, path, options);
}

/**
 * A name as a path from the robot's folder, without `.` and `..`. `package://arm/mesh.stl` is `arm/mesh.stl`.
 * @param beside the file whose folder the name starts from.
 * @throws GradsimError for one that leads out of the folder, or to another machine.
 */
function pathWithin(element: Element, name: string, beside = ''): string {
  const refuse = (): never =>
    element.refuse(`names the file ${name}, which leads out of the folder of ${element.file}, and so is not read.`);
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
