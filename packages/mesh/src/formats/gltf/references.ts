import type { JSONDocument } from '@gltf-transform/core';
import { describeValue, GradsimError } from '@gradsim/base';

export type Gltf = JSONDocument['json'];

/** Size in bytes of each component type of glTF, by its number. */
const COMPONENT_SIZES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const COMPONENT_COUNTS: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Maximum depth of nodes in each other: the library visits them by recursion. */
const MAX_DEPTH = 1000;

type FailWith = (what: string) => never;

/**
 * Checks the references in a glTF's JSON. The library that reads glTF ignores some references to missing objects, fails
 * at others with unclear errors, and allocates as much memory as an accessor declares.
 *
 * @throws GradsimError naming the object at fault: a node's transform is not numbers; a scene, node, mesh, accessor or
 * view refers to something missing; nodes contain each other; an accessor exceeds its view, or a view its buffer.
 */
export function checkReferences(json: Gltf, name: string): void {
  const fail: FailWith = (what) => {
    throw new GradsimError('mesh/file-damaged', `${name}: ${what}; the file is broken.`, { hint: 'Export it again.' });
  };
  checkLists(json, fail);
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
    for (const [part, count] of TRANSFORMS)
      if (node[part] !== undefined && !isNumbers(node[part], count))
        fail(`node ${k} has the ${part} ${describeValue(node[part])}, which is no list of ${count} numbers`);
  });
  checkTree(json, fail);
  json.meshes?.forEach((mesh, k) => {
    if (!Array.isArray(mesh.primitives)) fail(`mesh ${k} has no list of primitives`);
    for (const { attributes, indices, material } of mesh.primitives) {
      for (const accessor of Object.values(attributes ?? {})) check(`mesh ${k}`, 'accessor', json.accessors, accessor);
      check(`mesh ${k}`, 'accessor', json.accessors, indices);
      check(`mesh ${k}`, 'material', json.materials, material);
    }
  });
  json.bufferViews?.forEach((view, k) => {
    check(`view ${k}`, 'buffer', json.buffers, view.buffer ?? -1);
    const { byteLength } = json.buffers![view.buffer];
    requireWhole(fail, `buffer ${view.buffer}`, { byteLength });
    requireWhole(fail, `view ${k}`, { byteLength: view.byteLength, byteOffset: view.byteOffset ?? 0 });
    const end = (view.byteOffset ?? 0) + view.byteLength;
    if (end > byteLength) fail(`view ${k} reaches to byte ${end} of a buffer of ${byteLength}`);
  });
  json.accessors?.forEach((_, k) => {
    checkAccessor(json, k, fail, check);
  });
}

/** Checks that the properties of the JSON that must be lists of objects are such lists. */
function checkLists(json: Gltf, fail: FailWith): void {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) fail('its JSON is no object');
  const parts = [
    'scenes',
    'nodes',
    'meshes',
    'accessors',
    'bufferViews',
    'buffers',
    'materials',
    'textures',
    'images',
    'samplers',
  ] as const;
  for (const part of parts) {
    const list: unknown = json[part];
    const isList = Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null);
    if (list !== undefined && !isList) fail(`${part} is no list of objects`);
  }
  for (const { nodes } of json.scenes ?? []) if (!isOptionalList(nodes)) fail('a scene has nodes that are no list');
  for (const { children } of json.nodes ?? [])
    if (!isOptionalList(children)) fail('a node has children that are no list');
}

/** Properties of a node's transform, and their numbers of values. */
const TRANSFORMS = [
  ['translation', 3],
  ['rotation', 4],
  ['scale', 3],
  ['matrix', 16],
] as const;

const isNumbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every((one) => Number.isFinite(one));

const isOptionalList = (value: unknown): boolean => value === undefined || Array.isArray(value);

/**
 * Checks that nodes form trees.
 * @throws when a node is its own descendant, which would be read for ever, or has two parents.
 */
function checkTree(json: Gltf, fail: FailWith): void {
  const parents = new Map<number, number>();
  json.nodes?.forEach(({ children = [] }, k) => {
    for (const child of children) {
      if (parents.has(child)) fail(`node ${child} is a child of both node ${parents.get(child)} and node ${k}`);
      parents.set(child, k);
    }
  });
  // With one parent each, a node that is its own descendant is unreachable from any root.
  const count = json.nodes?.length ?? 0;
  /** Depth of the nodes that were visited. */
  const above = new Map<number, number>();
  for (let node = 0; node < count; node++) {
    const path = new Set<number>();
    let at: number | undefined = node;
    while (at !== undefined && !above.has(at)) {
      if (path.has(at)) fail(`node ${at} is below itself`);
      path.add(at);
      at = parents.get(at);
    }
    let depth = at === undefined ? 0 : above.get(at)!;
    for (const passed of [...path].reverse()) above.set(passed, ++depth);
    if (depth > MAX_DEPTH) fail(`node ${node} is ${depth} deep, and at most ${MAX_DEPTH} are read`);
  }
}

/**
 * Checks an accessor's properties.
 * @throws when its counts and offsets are no whole numbers, or it declares more data than the file holds.
 */
function checkAccessor(
  json: Gltf,
  k: number,
  fail: FailWith,
  check: (who: string, what: string, list: readonly unknown[] | undefined, index: unknown) => void,
): void {
  const { bufferView, byteOffset = 0, componentType, count, sparse, type } = json.accessors![k];
  const who = `accessor ${k}`;
  if (!Object.hasOwn(COMPONENT_SIZES, componentType))
    fail(`${who} has components of the unknown type ${componentType}`);
  if (!Object.hasOwn(COMPONENT_COUNTS, type)) fail(`${who} is of the unknown type ${type}`);
  requireWhole(fail, who, { count, byteOffset });
  if (count < 1) fail(`${who} has ${count} elements`);
  const size = COMPONENT_SIZES[componentType] * COMPONENT_COUNTS[type];
  /** Checks that `elements` elements of `bytes` bytes each, starting at an offset, lie within a view. */
  const fits = (view: number, offset: number, elements: number, bytes: number): void => {
    check(who, 'view', json.bufferViews, view);
    const { byteLength, byteStride = bytes } = json.bufferViews![view];
    requireWhole(fail, `view ${view}`, { byteStride });
    const end = offset + (elements - 1) * byteStride + bytes;
    if (end > byteLength)
      fail(`${who} has ${elements} elements, up to byte ${end}, but its view has ${byteLength} bytes`);
  };
  if (bufferView !== undefined) fits(bufferView, byteOffset, count, size);
  else {
    // Sparse accessors are zero except for listed values, but all of it would be allocated.
    const held = (json.buffers ?? []).reduce((sum, buffer) => sum + buffer.byteLength, 0);
    if (!sparse) fail(`${who} has ${count} elements, but no view that holds them`);
    if (count * size > held) fail(`${who} has ${count} elements, but all buffers hold only ${held} bytes`);
  }
  if (!sparse) return;
  const { indices, values } = sparse;
  if (typeof indices !== 'object' || typeof values !== 'object') fail(`${who} is sparse without indices or values`);
  requireWhole(fail, who, {
    'sparse count': sparse.count,
    'sparse offset': indices.byteOffset ?? 0,
    'offset of sparse values': values.byteOffset ?? 0,
  });
  if (sparse.count < 1 || sparse.count > count)
    fail(`${who} gives ${sparse.count} of its ${count} elements one by one`);
  if (!Object.hasOwn(COMPONENT_SIZES, indices.componentType))
    fail(`${who} has sparse indices of the unknown type ${indices.componentType}`);
  fits(indices.bufferView, indices.byteOffset ?? 0, sparse.count, COMPONENT_SIZES[indices.componentType]);
  fits(values.bufferView, values.byteOffset ?? 0, sparse.count, size);
}

function requireWhole(fail: FailWith, who: string, numbers: Readonly<Record<string, unknown>>): void {
  for (const [what, value] of Object.entries(numbers))
    if (!Number.isSafeInteger(value) || (value as number) < 0)
      fail(`${who} has the ${what} ${describeValue(value)}, which is no whole number`);
}
