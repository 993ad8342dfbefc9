type Json = Record<string, unknown>;

const dataUri = (bytes: ArrayBufferLike | Uint8Array, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)).toString('base64')}`;

/** Texture coordinates (u, v) of the four vertices of the square. */
export const PLACES = [0.25, 0.125, 0.75, 0, 0, 0.5, 1, 1.5];

/** Returns a .gltf of a square of two triangles whose material has an image; `change` may modify its JSON. */
export function texturedGltf(image: Uint8Array | Json, change: (file: Json) => void = () => {}): Uint8Array {
  const data = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, ...PLACES);
  const file = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, mode: 5, material: 0 }] }],
    materials: [{ name: 'paint', pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [image instanceof Uint8Array ? { uri: dataUri(image, 'image/png') } : image],
    samplers: [] as Json[],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 0, byteOffset: 48, componentType: 5126, count: 4, type: 'VEC2' },
    ],
    bufferViews: [{ buffer: 0, byteLength: 80 }],
    buffers: [{ uri: dataUri(data.buffer, 'application/octet-stream'), byteLength: 80 }],
  };
  change(file);
  return new TextEncoder().encode(JSON.stringify(file));
}
