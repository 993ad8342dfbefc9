import type { Document, GLTF, Node } from '@gltf-transform/core';
import { describeValue, GradsimError } from '@gradsim/base';
import { checkMesh } from '../../check.ts';
import { nameOf } from '../../elements.ts';
import type { TriangleMesh } from '../../mesh.ts';
import { type GlbPart, glbPartsOf, materialOf, primitiveOf } from './glb-parts.ts';

/** Animation of meshes: frames from 0 s on, so many a second, or at times of their own. */
export interface MeshMotion {
  /** Frames per second of the animation. */
  readonly frameRate?: number;
  /** Times of the frames, s, ascending from 0, in place of a rate. */
  readonly frameTimes?: readonly number[];
  readonly meshes: readonly MovingMesh[];
}

/** A mesh that moves rigidly (`path`), deforms (`shapes`), or is static (neither). */
export interface MovingMesh {
  readonly mesh: TriangleMesh;
  /**
   * Rigid motion, frame after frame: `translations`, three numbers each, m, and `rotations`, unit quaternions (x, y, z,
   * w).
   */
  readonly path?: { readonly translations: ArrayLike<number>; readonly rotations: ArrayLike<number> };
  /** Positions x, y, z of all vertices, m, frame after frame. */
  readonly shapes?: ArrayLike<number>;
}

/** Red, green, blue, alpha of meshes without colours. */
const GREY: [number, number, number, number] = [0.75, 0.75, 0.75, 1];
/**
 * Maximum number of frames of a deforming mesh: each frame is a morph target, and common viewers store targets as
 * layers of a texture, whose number is limited.
 */
const MAX_SHAPES = 2048;

/**
 * Returns moving meshes as the bytes of an animated .glb, which common viewers and modelling programs open. A rigidly
 * moving mesh becomes an animated node; for a deforming mesh, every frame is a morph target. Viewers interpolate
 * between frames. Looks are written as by {@link formatGlb}; meshes without colours are grey.
 *
 * @throws GradsimError for a mesh that {@link checkMesh} refuses, numbers that are not finite or too few, meshes of
 * different numbers of frames, zero quaternions, more than 2048 frames of a deforming mesh.
 *
 * @throws GradsimError for a mesh that {@link checkMesh} refuses, numbers that are not finite or too few, meshes of
 * different numbers of frames, zero quaternions, more than 2048 frames of a mesh whose vertices move.
 *
 * @example
 * const falling = { translations: [0, 1, 0, 0, 0.9, 0], rotations: [0, 0, 0, 1, 0, 0, 0, 1] };
 * const bytes = await formatMotion({ frameRate: 30, meshes: [{ mesh: box(), path: falling }] });
 */
export async function formatMotion(motion: MeshMotion): Promise<Uint8Array> {
  const frames = checkMotion(motion);
  const { Document: DocumentClass, WebIO } = await import('./library.ts');
  const document = new DocumentClass();
  const buffer = document.createBuffer();
  const scene = document.createScene('motion');
  const times = Float32Array.from(
    { length: frames },
    (_, frame) => motion.frameTimes?.[frame] ?? frame / motion.frameRate!,
  );
  const moments = document.createAccessor('times').setType('SCALAR').setArray(times).setBuffer(buffer);
  const animation = frames > 1 ? document.createAnimation('motion') : undefined;
  /** Animates a property of a node; `values` are those of all frames, one frame after another. */
  const animate = (
    node: Node,
    path: GLTF.AnimationChannelTargetPath,
    type: 'SCALAR' | 'VEC3' | 'VEC4',
    values: Float32Array<ArrayBuffer>,
  ): void => {
    if (!animation) return;
    const output = document.createAccessor().setType(type).setArray(values).setBuffer(buffer);
    const sampler = document.createAnimationSampler().setInput(moments).setOutput(output);
    animation.addSampler(sampler);
    animation.addChannel(document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler));
  };
  for (const [k, { mesh, path, shapes }] of motion.meshes.entries()) {
    const name = mesh.name ?? `mesh ${k}`;
    const written = document.createMesh(name);
    const node = document.createNode(name).setMesh(written);
    scene.addChild(node);
    for (const part of glbPartsOf(mesh)) {
      const primitive = await primitiveOf(document, part);
      written.addPrimitive(primitive);
      const material = primitive.getMaterial() ?? (await materialOf(document)).setBaseColorFactor(GREY);
      // Sheets are visible from both sides.
      primitive.setMaterial(material.setDoubleSided(shapes !== undefined));
      if (!shapes) continue;
      for (let frame = 1; frame < frames; frame++)
        primitive.addTarget(targetOf(document, part, shapes, frame * mesh.positions.length));
    }
    if (shapes && frames > 1) {
      written.setWeights(new Array(frames - 1).fill(0));
      animate(node, 'weights', 'SCALAR', weightsOf(frames));
    }
    if (!path) continue;
    const translations = Float32Array.from(path.translations);
    const rotations = unitQuaternions(path.rotations);
    node.setTranslation([translations[0], translations[1], translations[2]]);
    node.setRotation([rotations[0], rotations[1], rotations[2], rotations[3]]);
    animate(node, 'translation', 'VEC3', translations);
    animate(node, 'rotation', 'VEC4', rotations);
  }
  return new WebIO().writeBinary(document);
}

/** Creates a morph target: displacements of a part's vertices from their positions in the mesh. */
function targetOf(document: Document, part: GlbPart, shapes: ArrayLike<number>, first: number) {
  const displacements = Float32Array.from({ length: part.positions.length }, (_, k) => {
    const vertex = part.vertices[Math.floor(k / 3)];
    return shapes[first + 3 * vertex + (k % 3)] - part.positions[k];
  });
  const [buffer] = document.getRoot().listBuffers();
  const accessor = document.createAccessor().setType('VEC3').setArray(displacements).setBuffer(buffer);
  return document.createPrimitiveTarget().setAttribute('POSITION', accessor);
}

/** Normalises quaternions in double precision and rounds them to single precision. */
function unitQuaternions(values: ArrayLike<number>): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: values.length }, (_, k) => {
    const first = 4 * Math.floor(k / 4);
    return values[k] / Math.hypot(...[0, 1, 2, 3].map((i) => values[first + i]));
  });
}

/**
 * Returns the weights of morph targets, frame after frame: in frame k the weight of target k - 1 is 1, others are 0; in
 * frame 0 all are 0.
 */
function weightsOf(frames: number): Float32Array<ArrayBuffer> {
  const weights = new Float32Array(frames * (frames - 1));
  for (let frame = 1; frame < frames; frame++) weights[frame * (frames - 1) + frame - 1] = 1;
  return weights;
}

/**
 * Checks an animation.
 * @returns its number of frames, 1 if nothing moves.
 */
function checkMotion({ frameRate, frameTimes, meshes }: MeshMotion): number {
  if (!frameTimes && !(frameRate !== undefined && Number.isFinite(frameRate) && frameRate > 0))
    throw new GradsimError('mesh/option-out-of-range', `formatMotion: frameRate is ${describeValue(frameRate)}.`, {
      field: 'frameRate',
      hint: 'It must be a positive number of frames a second.',
    });
  if (meshes.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', 'formatMotion: there are no meshes.', { field: 'there' });
  let frames: number | undefined;
  for (const [k, moving] of meshes.entries()) {
    const own = checkMoving(moving, `formatMotion: mesh ${k}`);
    if (own === undefined) continue;
    if (frames !== undefined && own !== frames)
      throw new GradsimError(
        'mesh/wrong-size',
        `formatMotion: mesh ${k} has ${own} frames, but one before it ${frames}.`,
      );
    frames = own;
  }
  const times = frameTimes?.slice(0, frames ?? 1);
  if (times && !(times.length === (frames ?? 1) && times.every((time, k) => time >= 0 && !(time <= times[k - 1]))))
    throw new GradsimError(
      'mesh/option-out-of-range',
      `formatMotion: frameTimes are not the times of ${frames ?? 1} frames, ascending from 0 s.`,
      { field: 'frameTimes' },
    );
  return frames ?? 1;
}

/**
 * Checks a mesh and its motion.
 * @returns its number of frames; undefined if it is static.
 */
function checkMoving({ mesh, path, shapes }: MovingMesh, who: string): number | undefined {
  checkMesh(mesh);
  if (path && shapes)
    throw new GradsimError('mesh/two-ways-given', `${who} has both a path and shapes.`, { hint: 'Give one of them.' });
  if (shapes) {
    const frames = framesOf(shapes, mesh.positions.length, `${who}: shapes`);
    if (frames > MAX_SHAPES)
      throw new GradsimError(
        'mesh/too-large',
        `${who} (${nameOf(mesh)}) has ${frames} frames of moved vertices, and at most ${MAX_SHAPES} can be shown.`,
        { hint: 'Leave frames out.' },
      );
    return frames;
  }
  if (!path) return undefined;
  const frames = framesOf(path.translations, 3, `${who}: translations`);
  const turns = framesOf(path.rotations, 4, `${who}: rotations`);
  if (turns !== frames)
    throw new GradsimError('mesh/wrong-size', `${who} has ${frames} translations, but ${turns} rotations.`, {
      hint: 'There must be one of each a frame.',
    });
  for (let k = 0; k < path.rotations.length; k += 4) {
    const length = Math.hypot(...[0, 1, 2, 3].map((i) => path.rotations[k + i]));
    if (Math.abs(length - 1) > 1e-3)
      throw new GradsimError(
        'mesh/not-a-rotation',
        `the quaternion of frame ${k / 4} has the length ${length}, which must be 1.`,
        { element: who },
      );
  }
  return frames;
}

function framesOf(values: ArrayLike<number>, size: number, who: string): number {
  if (values.length === 0 || values.length % size !== 0)
    throw new GradsimError('mesh/wrong-size', `${who} has ${values.length} values.`, {
      hint: `There must be ${size} a frame.`,
    });
  for (let k = 0; k < values.length; k++)
    if (!Number.isFinite(values[k]))
      throw new GradsimError('mesh/not-finite', `${who} holds ${values[k]} in frame ${Math.floor(k / size)}.`, {
        hint: 'All must be finite numbers.',
      });
  return values.length / size;
}
