import { add, scale, subtract, type Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import { placeMesh, type TriangleMesh } from '@gradsim/mesh';
import type { Element } from '../element.ts';
import type { Masses } from '../masses.ts';
import { massesInParent } from '../masses.ts';
import type { MeshFiles } from '../mesh-files.ts';
import type { Pose } from '../pose.ts';
import { fromZ, unit } from '../pose.ts';
import type { Shape } from '../shapes.ts';
import { massesOf, meshOf } from '../shapes.ts';
import { faceCentre, isConvex, isSeenFrom, shellOf, surfaceAreaOf } from '../shell.ts';
import type { Compiler } from './compiler.ts';
import { poseOf } from './compiler.ts';

/** A geom: its pose in the axes of its body, and its mesh. */
export interface Geom {
  readonly pose: Pose;
  readonly mesh: TriangleMesh;
  readonly isTouched: boolean;
  /** Number of its group, by which it may count for masses or not. */
  readonly group: number;
  /**
   * Computes the geom's mass properties. @throws with the reason if it has none, for example for a mesh that is not
   * closed.
   */
  masses(): Masses;
}

/** Default density of geoms, kg/m^3, as in MuJoCo. */
const DENSITY = 1000;
const TYPES = ['sphere', 'capsule', 'cylinder', 'box', 'ellipsoid', 'mesh', 'plane', 'hfield', 'sdf'] as const;

/** Returns the `<mesh>` elements of all `<asset>` sections, by name. */
export function meshAssets(root: Element, apply: (element: Element) => Element): Map<string, Element> {
  const found = new Map<string, Element>();
  for (const asset of root.all('asset'))
    for (const element of asset.all('mesh').map(apply)) {
      const file = element.text('file');
      const name = element.text('name') ?? file?.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
      if (name === undefined) element.refuseMissing('has neither name="..." nor file="...".');
      else if (found.has(name))
        element.refuseTakenName(`has the name of another one, of line ${found.get(name)?.line}.`);
      else found.set(name, element);
    }
  return found;
}

/** Reads a geom. @returns the geom, or a sentence with the reason why it is not supported. */
export async function geomOf(
  element: Element,
  compiler: Compiler,
  assets: ReadonlyMap<string, Element>,
  files: MeshFiles,
): Promise<Geom | string> {
  const type = element.choice('type', TYPES) ?? (element.firstPresent('mesh') ? 'mesh' : 'sphere');
  if (type === 'plane' || type === 'hfield' || type === 'sdf')
    return `${element.placeInFile()}: type="${type}" is not read; sphere, capsule, cylinder, box, ellipsoid and mesh are.`;
  if (type !== 'mesh' && element.firstPresent('mesh'))
    element.refuseUnsupported(
      `has type="${type}" and a mesh, to which it would be fitted; give its size, without the mesh.`,
    );
  const { pose, shape, asset } =
    type === 'mesh' ? await meshShape() : { ...primitive(element, type, compiler), asset: undefined };
  if (typeof shape === 'string') return shape;
  const [mass, density] = [element.notNegative('mass'), element.notNegative('density')];
  const isShell = element.flag('shellinertia') ?? false;
  if (isShell && type === 'mesh')
    element.refuseUnsupported('has shellinertia, which is not for meshes; set inertia="shell" at the <mesh>.');
  const touches = ['contype', 'conaffinity'].map((name) => element.number(name) ?? 1);
  return {
    pose,
    mesh: meshOf(shape),
    isTouched: touches.some((bits) => bits !== 0),
    group: element.number('group') ?? 0,
    masses: () => {
      try {
        const given = mass === undefined ? { density: density ?? DENSITY } : { mass };
        if (isShell || asset?.text('inertia') === 'shell') {
          const total = mass ?? (density ?? DENSITY) * surfaceAreaOf(shape);
          return massesInParent(pose, shellOf(shape, total));
        }
        if (shape.kind === 'mesh' && asset) refuseOtherMasses(shape, asset);
        return massesInParent(pose, massesOf(shape, given));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new GradsimError('robots/mass-unknown', `${element.placeInFile()} has no mass: ${reason}`, {
          cause: error,
        });
      }
    },
  };

  async function meshShape(): Promise<{ pose: Pose; shape: Shape | string; asset: Element }> {
    const name = element.needText('mesh');
    const asset = assets.get(name) ?? element.refuseUnknownName(`names the mesh "${name}", which no <asset> has.`);
    const pose = poseOf(element, compiler);
    const file = asset.text('file');
    for (const name of ['refpos', 'refquat'])
      if (asset.firstPresent(name))
        asset.refuseUnsupported(`has ${name}, which is not read; move the vertices of its file.`);
    if (file === undefined) {
      const written = writtenMesh(asset);
      return {
        pose,
        asset,
        shape: written ?? `${asset.placeInFile()} is not read; meshes are, which have file="..." or face="...".`,
      };
    }
    const path = compiler.meshFolder === '' ? file : `${compiler.meshFolder}/${file}`;
    const mesh = await files.mesh(asset, path, asset.vector('scale'));
    return { pose, asset, shape: typeof mesh === 'string' ? mesh : { kind: 'mesh', mesh } };
  }
}

/** Mesh whose vertices and faces are in the file itself; undefined without faces. */
function writtenMesh(asset: Element): Shape | undefined {
  const words = (name: string): number[] =>
    (asset.text(name) ?? '')
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(Number);
  const [vertices, faces] = [words('vertex'), words('face')];
  if (faces.length === 0) return undefined;
  const count = vertices.length / 3;
  const isFace = (corner: number): boolean => Number.isInteger(corner) && corner >= 0 && corner < count;
  if (!Number.isInteger(count) || faces.length % 3 !== 0 || !vertices.every(Number.isFinite) || !faces.every(isFace))
    asset.refuse('has a vertex or face list that is no mesh: three numbers a vertex, three vertices a face.');
  const scaled = asset.vector('scale') ?? [1, 1, 1];
  if (scaled.includes(0)) asset.refuseValue('scale', scaled.join(' '), 'three factors of which none is 0');
  const mesh = { positions: Float64Array.from(vertices), triangles: Uint32Array.from(faces) };
  return { kind: 'mesh', mesh: placeMesh(mesh, { scale: scaled }) };
}

/**
 * Masses are those of the polyhedron. @throws where MuJoCo computes others: of the convex hull, or of absolute volumes, by
 * default, of a mesh that is not seen whole from its middle.
 */
function refuseOtherMasses(shape: Extract<Shape, { kind: 'mesh' }>, asset: Element): void {
  const mode = asset.choice('inertia', ['convex', 'exact', 'legacy', 'shell']) ?? 'legacy';
  if (mode === 'exact' || isConvex(shape)) return;
  if (mode === 'convex')
    throw new Error(
      'its masses are those of its convex hull (inertia="convex"), which are not computed: set inertia="exact"',
    );
  const { centre } = massesOf(shape, { mass: 1 });
  if (!isSeenFrom(shape, centre) || !isSeenFrom(shape, faceCentre(shape)))
    throw new Error(
      'its masses are not those of the solid (inertia="legacy"): set inertia="exact" at its <mesh>, or "shell"',
    );
}

type Primitive = 'sphere' | 'capsule' | 'cylinder' | 'box' | 'ellipsoid';

const SIZES: Readonly<Record<Primitive, { readonly whole: number; readonly fromTo?: number }>> = {
  sphere: { whole: 1 },
  capsule: { whole: 2, fromTo: 1 },
  cylinder: { whole: 2, fromTo: 1 },
  box: { whole: 3, fromTo: 2 },
  ellipsoid: { whole: 3, fromTo: 2 },
};

function primitive(element: Element, type: Primitive, compiler: Compiler): { pose: Pose; shape: Shape } {
  const { whole, fromTo } = SIZES[type];
  const ends = fromTo === undefined ? undefined : element.numbers('fromto', 6);
  const needed = ends ? (fromTo as number) : whole;
  element.needText('size');
  const size = element.numbers('size', 1, 2, 3) as number[];
  // A square section needs one number only between two ends.
  if (ends && fromTo === 2 && size.length === 1) size.push(size[0]);
  if (size.length < needed || size.slice(0, needed).some((length) => length <= 0))
    element.refuseValue('size', size.join(' '), `${needed} ${needed > 1 ? 'lengths' : 'length'} above 0`);
  const { pose, half } = ends ? poseOfSegment(element, ends) : { pose: poseOf(element, compiler), half: undefined };
  const last = half ?? size[needed - 1];
  switch (type) {
    case 'sphere':
      return { pose, shape: { kind: 'ellipsoid', radii: [size[0], size[0], size[0]] } };
    case 'ellipsoid':
      return { pose, shape: { kind: 'ellipsoid', radii: [size[0], size[1], last] } };
    case 'box':
      return { pose, shape: { kind: 'box', size: scale([size[0], size[1], last], 2) } };
    case 'capsule':
    case 'cylinder':
      return { pose, shape: { kind: type, radius: size[0], height: 2 * last } };
  }
}

function poseOfSegment(element: Element, [a, b, c, d, e, f]: readonly number[]): { pose: Pose; half: number } {
  const [from, to]: readonly Vector[] = [
    [a, b, c],
    [d, e, f],
  ];
  const along = subtract(to, from);
  const direction = unit(along);
  if (!direction) return element.refuse('has a fromto of two equal points.');
  const pose = { position: scale(add(from, to), 0.5), orientation: fromZ(direction) };
  return { pose, half: Math.hypot(...along) / 2 };
}
