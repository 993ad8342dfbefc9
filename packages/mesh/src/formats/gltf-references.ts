import type { JSONDocument } from '@gltf-transform/core';
import { MeshError } from '../mesh.ts';

type Gltf = JSONDocument['json'];

/** Bytes of a component, by glTF's number for its type. */
const SIZES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const COMPONENTS: Readonly<Record<string, number>> = {
  ...{ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 },
  ...{ MAT2: 4, MAT3: 9, MAT4: 16 },
};

/**
 * The library that reads glTF passes some references to nothing over and stumbles at others, so they are checked first.
 *
 * @throws MeshError when scenes, nodes, meshes, accessors or views name something that is not there, or an accessor
 * reaches beyond its view, or a view beyond its buffer, by their numbers.
 */
export function checkReferences(json: Gltf, name: string): void {
  const fail = (what: string): never => {
    throw new MeshError(`${name}: ${what}; the file is broken. Export it again.`);
  };
  const check = (who: string, what: string, list: readonly unknown[] | undefined, index: unknown): void => {
    if (index === undefined) return;
    const count = list?.length ?? 0;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count)
      fail(`${who} names ${what} ${index}, but there are ${count}`);
  };
  check('the file', 'scene', json.scenes, json.scene);
  json.scenes?.forEach((scene, k) => {
    for (const node of scene.nodes ?? []) check(`scene ${k}`, 'node', json.nodes, node);
  });
  json.nodes?.forEach((node, k) => {
    check(`node ${k}`, 'mesh', json.meshes, node.mesh);
    for (const child of node.children ?? []) check(`node ${k}`, 'node', json.nodes, child);
  });
  json.meshes?.forEach((mesh, k) => {
    for (const { attributes, indices, material } of mesh.primitives) {
      for (const accessor of Object.values(attributes))
        check(`mesh ${k}`, 'accessor', json.accessors, accessor);
      check(`mesh ${k}`, 'accessor', json.accessors, indices);
      check(`mesh ${k}`, 'material', json.materials, material);
    }
  });
  json.accessors?.forEach((accessor, k) => {
    check(`accessor ${k}`, 'view', json.bufferViews, accessor.bufferView);
    if (accessor.bufferView === undefined) return;
    const { byteLength, byteStride } = json.bufferViews![accessor.bufferView];
    const size = (SIZES[accessor.componentType] ?? 1) * (COMPONENTS[accessor.type] ?? 1);
    const end = (accessor.byteOffset ?? 0) + (accessor.count - 1) * (byteStride ?? size) + size;
    if (end > byteLength)
      fail(
        `accessor ${k} has ${accessor.count} elements, up to byte ${end}, but its view has ${byteLength} bytes`,
      );
  });
  json.bufferViews?.forEach((view, k) => {
    check(`view ${k}`, 'buffer', json.buffers, view.buffer);
    const end = (view.byteOffset ?? 0) + view.byteLength;
    const { byteLength } = json.buffers![view.buffer];
    if (end > byteLength) fail(`view ${k} reaches to byte ${end} of a buffer of ${byteLength}`);
  });
}

/** @throws MeshError when a .glb has fewer bytes than its header and the header of its JSON say, or no JSON. */
export function jsonOfGlb(bytes: Uint8Array, name: string): Gltf {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const needed = bytes.length >= 20 ? view.getUint32(8, true) : 20;
  if (bytes.length < needed)
    throw new MeshError(
      `${name} cannot be read as glTF: it is cut short, with ${bytes.length} of at least ${needed} bytes. Export it again.`,
    );
  const length = view.getUint32(12, true);
  if (20 + length > bytes.length)
    throw new MeshError(
      `${name} cannot be read as glTF: its JSON has ${length} bytes, which the ${bytes.length} of the file do not hold.`,
    );
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
}
