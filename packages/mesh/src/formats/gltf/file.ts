import type { JSONDocument } from '@gltf-transform/core';
import { describeValue, GradsimError } from '@gradsim/base';
import { reasonOf, type Texture } from '../../mesh.ts';
import type { ReadOptions } from '../read-beside.ts';
import { GLB_BUFFER } from './library.ts';
import { looksOf, type MaterialLook, readTextures } from './looks.ts';
import { checkReferences, type Gltf } from './references.ts';

/** Chunk type "JSON" of a binary glTF file. */
const JSON_CHUNK = 0x4e4f534a;
/** Chunk type "BIN" of a binary glTF file. */
const BINARY_CHUNK = 0x004e4942;

/** An opened glTF file. Its images are not in `document`, but decoded in `textures`, by material number. */
export interface GltfFile {
  readonly document: JSONDocument;
  /** Looks of the materials in use, by material number; empty if looks are not read. */
  readonly looks: ReadonlyMap<number, MaterialLook>;
  readonly textures: ReadonlyMap<number, Texture>;
}

/**
 * Opens a .glb or .gltf: returns its checked JSON, the bytes of its buffers, and the looks of its materials.
 *
 * @throws GradsimError when the file is truncated, is no glTF, names a file without `readBeside`, has less data than it
 * declares, or has looks that are not supported.
 */
export async function openGltf(bytes: Uint8Array, name: string, options: ReadOptions): Promise<GltfFile> {
  const isBinary = new TextDecoder().decode(bytes.subarray(0, 4)) === 'glTF';
  const { json, binary } = isBinary ? chunksOf(bytes, name) : { json: parse(bytes, name), binary: undefined };
  checkReferences(json, name);
  refuseMotion(json, name);
  const looks = options.looks === false ? new Map<number, MaterialLook>() : looksOf(json, name);
  const resources: JSONDocument['resources'] = {};
  for (const [k, { uri, byteLength }] of (json.buffers ?? []).entries()) {
    const data = uri === undefined ? binary : await fetchUri(uri, 'a buffer', name, options);
    if (!data)
      throw new GradsimError('mesh/file-damaged', `${name}: buffer ${k} has no bytes in the file, nor a uri.`, {
        hint: 'Export it again.',
      });
    if (data.length < byteLength) {
      const what = uri === undefined || uri.startsWith('data:') ? 'a buffer' : uri;
      throw new GradsimError(
        'mesh/file-damaged',
        `${name}: ${what} is cut short, with ${data.length} of ${byteLength} bytes.`,
      );
    }
    resources[uri ?? GLB_BUFFER] = new Uint8Array(data);
  }
  const textures = await readTextures(looks, (image) => bytesOfImage(json, resources, image, name, options));
  removeLooks(json, options);
  return { document: { json, resources }, looks, textures };
}

async function bytesOfImage(
  json: Gltf,
  resources: JSONDocument['resources'],
  k: number,
  name: string,
  options: ReadOptions,
): Promise<Uint8Array> {
  const { bufferView, uri } = json.images![k];
  if (bufferView === undefined) return fetchUri(uri, `image ${k}`, name, options);
  const view = json.bufferViews?.[bufferView];
  if (!view)
    throw new GradsimError(
      'mesh/file-damaged',
      `image ${k} is in view ${bufferView}, but there are ${json.bufferViews?.length ?? 0}.`,
    );
  const { byteOffset = 0, byteLength } = view;
  const buffer = resources[json.buffers![view.buffer].uri ?? GLB_BUFFER];
  return buffer.subarray(byteOffset, byteOffset + byteLength);
}

async function fetchUri(uri: unknown, what: string, name: string, { readBeside }: ReadOptions): Promise<Uint8Array> {
  if (typeof uri !== 'string')
    throw new GradsimError(
      'mesh/file-invalid',
      `${name}: ${what} has the uri ${describeValue(uri)}, which is no text.`,
    );
  if (uri.startsWith('data:')) return new Uint8Array(await (await fetch(uri)).arrayBuffer());
  if (readBeside) return readBeside(uri);
  throw new GradsimError('mesh/no-file-beside', `${name} needs the file ${uri} beside it.`, {
    hint: 'Use readMesh, give readBeside, or export a .glb.',
  });
}

/** Refuses skins and morph targets, since these move vertices. */
function refuseMotion(json: Gltf, name: string): void {
  const skinned = json.nodes?.findIndex(({ skin, mesh }) => skin !== undefined && mesh !== undefined) ?? -1;
  if (skinned >= 0)
    throw new GradsimError(
      'mesh/moving-mesh',
      `${name}: node ${skinned} has a skin, which moves its vertices by a skeleton.`,
      { hint: 'Apply it before the export.' },
    );
  const isMoved = (weights: unknown): boolean => Array.isArray(weights) && weights.some((weight) => weight !== 0);
  const morphed = json.meshes?.findIndex(({ weights }) => isMoved(weights)) ?? -1;
  if (morphed >= 0 || json.nodes?.some(({ weights }) => isMoved(weights)))
    throw new GradsimError('mesh/moving-mesh', `${name} has a mesh between several shapes (morph targets).`, {
      field: name,
      hint: 'Apply them before the export.',
    });
}

/** Extensions of looks that are read here, or that do not affect base colours. */
const READ_EXTENSIONS = ['KHR_texture_transform', 'KHR_materials_unlit'];
const concernsLooks = (extension: string): boolean => /^[A-Z]+_(materials|texture)_/.test(extension);

/**
 * Removes from the JSON what the glTF library must not process: images, which it would fetch, and the requirement of
 * extensions that concern only looks.
 */
function removeLooks(json: Gltf, { looks = true }: ReadOptions): void {
  delete json.images;
  delete json.textures;
  for (const material of json.materials ?? []) {
    delete material.pbrMetallicRoughness?.baseColorTexture;
    delete material.pbrMetallicRoughness?.metallicRoughnessTexture;
    delete material.normalTexture;
    delete material.occlusionTexture;
    delete material.emissiveTexture;
  }
  for (const list of ['extensionsRequired', 'extensionsUsed'] as const)
    if (Array.isArray(json[list]))
      json[list] = json[list].filter((each) =>
        looks ? !READ_EXTENSIONS.includes(each) : !concernsLooks(String(each)),
      );
}

function parse(bytes: Uint8Array, name: string): Gltf {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new GradsimError('mesh/file-invalid', `${name} cannot be read as glTF: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Returns the JSON chunk and the binary chunk of a .glb.
 * @throws GradsimError when the lengths in its headers do not match its bytes, or it has no JSON.
 */
function chunksOf(bytes: Uint8Array, name: string): { json: Gltf; binary: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (what: string): never => {
    throw new GradsimError('mesh/file-invalid', `${name} cannot be read as glTF: ${what}`);
  };
  const needed = bytes.length >= 20 ? view.getUint32(8, true) : 20;
  if (bytes.length < needed)
    throw new GradsimError(
      'mesh/file-damaged',
      `${name} is cut short, with ${bytes.length} of at least ${needed} bytes.`,
      { hint: 'Export it again.' },
    );
  if (bytes.length > needed) fail(`it says that it has ${needed} bytes, but has ${bytes.length}. Export it again.`);
  const version = view.getUint32(4, true);
  if (version !== 2) fail(`it is of version ${version}, and only 2 can be read.`);
  let json: Gltf | undefined;
  let binary: Uint8Array | undefined;
  for (let at = 12; at < bytes.length; ) {
    if (at + 8 > bytes.length) fail(`${bytes.length - at} bytes are left at its end, which are no chunk.`);
    const [length, kind] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length)
      fail(`the chunk at byte ${at} has ${length} bytes, which the ${bytes.length} of the file do not hold.`);
    if (at === 12) {
      if (kind !== JSON_CHUNK) fail('its first chunk is not JSON.');
      json = parse(data, name);
    } else if (kind === BINARY_CHUNK) {
      if (binary) fail('it has two chunks of binary data.');
      binary = data;
    }
    at += 8 + length;
  }
  return { json: json!, binary };
}
