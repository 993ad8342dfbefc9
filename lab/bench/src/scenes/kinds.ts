import { Link, Tie } from '@gradsim/articulated';
import { addCloth } from '@gradsim/cloth';
import { contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import type { Entity, Scene } from '@gradsim/core';
import { addSoftBody } from '@gradsim/fem';
import { box, placeMesh, plane, tetBox } from '@gradsim/mesh';
import { Particle } from '@gradsim/particles';
import { Body } from '@gradsim/rigid';
import { Spring } from '@gradsim/springs';
import type { Draw, Numbers } from './draw.ts';
import { vectorOf } from './draw.ts';
import { drawShape, reachOf } from './shapes.ts';

/** Adds a part of a scene. */
export type Part = (scene: Scene, draw: Draw) => void;

/** Distance from what is below that a thing begins at, m: apart, exactly touching, or already pressed in. */
const gap = (draw: Draw): number =>
  draw.isEven ? draw.pick([0.004, 0.0011, 0, -0.001, -0.002]) : draw.between(-0.002, 0.005);

/** A half-space, or a shape in the world or of a body, whose top is at the height 0. */
const support: Part = (scene, draw) => {
  if (draw.chance(0.4)) {
    const normal: Numbers = draw.isEven ? [0, 1, 0] : [draw.between(-0.2, 0.2), 1, draw.between(-0.2, 0.2)];
    const ground = scene.add(HalfSpace, { normal, offset: 0 });
    if (draw.chance(0.5)) scene.attach(ground, HalfSpaceMaterial, draw.material());
    return;
  }
  const shape = drawShape(draw, 0.2);
  const orientation = draw.turn();
  const [, up] = reachOf(shape.mesh, orientation, 1);
  const place: Numbers = [draw.orZero(-0.1, 0.1), -up, draw.orZero(-0.1, 0.1)];
  if (draw.chance(0.5)) shape.add(scene, { position: place, orientation });
  else {
    const body = scene.add(Body, {
      mesh: shape.mesh,
      mass: 5,
      position: place,
      orientation,
      velocity: draw.vector(0.3),
    });
    shape.add(scene, { body });
  }
};

/** A half-space that things touch from the side. */
const wall: Part = (scene) => {
  scene.add(HalfSpace, { normal: [1, 0, 0], offset: -0.215 });
};

/** Particles, some at the same place, and springs between them. */
const points: Part = (scene, draw) => {
  const count = draw.whole(2, 6);
  const made: Entity[] = [];
  const places: Numbers[] = [];
  for (let k = 0; k < count; k++) {
    const place: Numbers =
      k > 0 && draw.chance(0.15)
        ? draw.pick(places)
        : [draw.orZero(-0.2, 0.2), 0.02 + gap(draw) + (draw.chance(0.5) ? 0 : 0.1), draw.orZero(-0.2, 0.2)];
    places.push(place);
    const particle = scene.add(Particle, {
      position: place,
      velocity: draw.vector(1),
      mass: draw.number(0.5, 1.5),
      fixed: draw.chance(0.1) ? 1 : 0,
    });
    scene.attach(particle, contactOf(Particle), { ...draw.material(), thickness: 0.02 });
    made.push(particle);
  }
  for (let k = 1; k < count; k++) {
    const other = made[draw.whole(0, k - 1)];
    if (draw.chance(0.7))
      scene.add(Spring, {
        ends: [other, made[k]],
        stiffness: draw.number(50, 500),
        damping: draw.orZero(0.5, 3),
        restLength: draw.orZero(0.05, 0.3),
      });
  }
};

/** A sheet; of two, the second lies over the first, in an even scene exactly. */
const sheet =
  (level: number): Part =>
  (scene, draw) => {
    const segments: [number, number] = draw.isEven ? [3, 3] : [draw.whole(1, 3), draw.whole(1, 3)];
    const aside: Numbers = draw.isEven ? [0, 0, 0] : draw.vector(0.05);
    const mesh = placeMesh(plane({ size: [0.3, 0.3], segments }), {
      translation: [aside[0], 0.016 + level * 0.03 + gap(draw), aside[2]],
    });
    const { particles } = addCloth(scene, mesh, {
      mu: draw.number(50, 150),
      lambda: draw.number(50, 150),
      density: 5,
      damping: draw.orZero(0.01, 0.1),
      bendStiffness: draw.orZero(0.001, 0.01),
      drag: draw.orZero(0.1, 1),
      lift: draw.orZero(0.1, 1),
      velocity: draw.vector(0.6),
      fixed: draw.chance(0.3) ? [0] : [],
    });
    const material = { ...draw.material(0.03), thickness: 0.016 };
    for (const particle of particles) scene.attach(particle, contactOf(Particle), material);
  };

const block =
  (level: number): Part =>
  (scene, draw) => {
    const mesh = tetBox({ size: [0.2, 0.1, 0.2], cells: [2, 1, 2] });
    const low = Math.min(...Array.from(mesh.positions).filter((_, k) => k % 3 === 1));
    const aside = draw.isEven ? [-0.1, 0, -0.1] : draw.vector(0.1);
    aside[1] = 0.01 - low + level * 0.12 + gap(draw);
    const positions = mesh.positions.map((value, k) => value + aside[k % 3]);
    const { particles } = addSoftBody(
      scene,
      { ...mesh, positions },
      {
        mu: draw.number(1e3, 5e3),
        lambda: draw.number(1e3, 5e3),
        damping: draw.orZero(1, 5),
        density: 500,
        velocity: draw.vector(0.6),
        elements: draw.chance(0.2) ? 'quadratic' : 'linear',
      },
    );
    const material = { ...draw.material(0.1), thickness: 0.01 };
    for (const particle of particles) scene.attach(particle, contactOf(Particle), material);
  };

/** A body that touches half-spaces with its vertices. */
const vertices =
  (place: number): Part =>
  (scene, draw) => {
    const shape = drawShape(draw);
    const orientation = draw.turn();
    const mesh = draw.chance(0.5) ? box({ size: [0.2, 0.1, 0.3] }) : shape.mesh;
    const [down] = reachOf(mesh, orientation, 1);
    const body = scene.add(Body, {
      mesh,
      mass: draw.number(0.5, 1.5),
      position: [0.5 * place, down + gap(draw), draw.orZero(-0.1, 0.1)],
      orientation,
      velocity: draw.vector(1),
      angularVelocity: draw.vector(2),
      drag: draw.orZero(0.1, 1),
    });
    scene.attach(body, contactOf(Body), draw.material(0.25));
  };

/** The ground, a half-space. */
const ground: Part = (scene, draw) => {
  scene.add(HalfSpace, { normal: draw.isEven ? [0, 1, 0] : [draw.between(-0.2, 0.2), 1, draw.between(-0.2, 0.2)] });
};

/**
 * Bodies with shapes in a row along an axis, each moving towards the one before: in an even scene with middles on one
 * line, or flush on one side.
 */
function row(draw: Draw, axis = draw.whole(0, 2), count = draw.whole(2, 3)): Part[] {
  const isFlush = draw.chance(0.3);
  let end = 0;
  return Array.from({ length: count }, (_, k): Part => {
    const shape = drawShape(draw);
    const orientation = draw.turn();
    const [before, after] = reachOf(shape.mesh, orientation, axis);
    const at = end + before + gap(draw);
    end = at + after;
    const speed = k === 0 ? 0 : -draw.orZero(0.3, 1.5);
    const isStatic = k === 0 && draw.chance(0.3);
    return (scene, own) => {
      const aside = own.isEven ? [0, 0, 0] : own.vector(0.04);
      const position = vectorOf((i) =>
        i === axis ? at : own.isEven && isFlush ? reachOf(shape.mesh, orientation, i)[0] : aside[i],
      );
      if (isStatic) return shape.add(scene, { position, orientation });
      const velocity = own.isEven ? [0, 0, 0] : own.vector(0.3);
      velocity[axis] += speed;
      const body = scene.add(Body, {
        mesh: shape.mesh,
        mass: own.number(0.5, 1.5),
        position,
        orientation,
        velocity,
        angularVelocity: own.isEven ? [0, 0, 0] : own.vector(2),
      });
      shape.add(scene, { body });
    };
  });
}

/** A chain of links with springs, friction and limits, whose ends touch the ground or each other. */
function chain(draw: Draw): Part[] {
  const count = draw.whole(1, 3);
  const links: Entity[] = [];
  const parts = Array.from({ length: count }, (_, k): Part => {
    return (scene, own) => {
      const joint = own.pick(
        k === 0
          ? (['revolute', 'prismatic', 'ball', 'free', 'free'] as const)
          : (['revolute', 'revolute', 'prismatic', 'ball', 'fixed'] as const),
      );
      const shape = drawShape(own, 0.06);
      const limit = own.chance(0.5);
      const coordinate = own.orZero(-0.3, 0.3);
      const beyond = own.isEven ? own.pick([0, 0.01, -0.01]) : own.between(-0.05, 0.05);
      const axis = own.vector(1);
      const parent = links.at(-1);
      const axial = joint === 'revolute' || joint === 'prismatic';
      const link = scene.add(Link, {
        joint,
        ...(parent === undefined ? {} : { parent }),
        anchor:
          k === 0
            ? [0, reachOf(shape.mesh, [0, 0, 0, 1], 1)[0] + gap(own) + (joint === 'free' ? 0 : 0.2), 0]
            : [0.2, 0, 0],
        axis: axis.some((a) => a !== 0) ? axis : [0, 0, 1],
        mass: own.number(0.5, 1.5),
        centre: own.isEven ? [0.1, 0, 0] : [0.1, own.between(-0.05, 0.05), own.between(-0.05, 0.05)],
        inertia: [0.004, 0, 0, 0, 0.005, 0, 0, 0, 0.006],
        mesh: shape.mesh,
        ...(axial ? { coordinate, rate: own.orZero(-2, 2) } : {}),
        ...(joint === 'ball' || joint === 'free' ? { angularVelocity: own.vector(2) } : {}),
        ...(joint === 'ball' && !own.isEven ? { jointOrientation: own.turn() } : {}),
        ...(joint === 'free' ? { velocity: own.vector(0.6) } : {}),
        ...(joint === 'free' || joint === 'fixed'
          ? {}
          : {
              stiffness: own.orZero(1, 10),
              damping: own.orZero(0.05, 0.3),
              dryFriction: own.orZero(0.05, 0.5),
              frictionStiffness: own.orZero(0.5, 2),
              implicitJoint: own.chance(0.3),
              armature: own.orZero(0.001, 0.01),
              ...(limit
                ? {
                    ...(axial ? { lower: coordinate - 0.4, upper: coordinate + beyond } : { upper: 0.2 }),
                    limitStiffness: own.number(50, 200),
                    limitDamping: own.orZero(0.1, 0.5),
                  }
                : {}),
            }),
      });
      links.push(link);
      if (own.chance(0.5)) scene.attach(link, contactOf(Link), own.material(0.3));
      else shape.add(scene, { body: link });
    };
  });
  const tied: Part = (scene, own) => {
    const body = links.at(-1);
    if (body === undefined) return;
    scene.add(Tie, {
      ...own.pick([
        { kind: 'anchor' as const },
        { kind: 'rod' as const, length: 0.2 },
        { kind: 'rope' as const, length: 0.2 },
      ]),
      body,
      otherPoint: own.isEven
        ? [0.1 + 0.2 * links.length, 0.3, 0]
        : [0.2, own.between(0.2, 0.4), own.between(-0.1, 0.1)],
      stiffness: own.number(50, 300),
      damping: own.orZero(0.5, 2),
    });
  };
  return [ground, ...parts, ...(draw.chance(0.4) ? [tied] : [])];
}

/** Parts of a scene, by its kind. */
export const KINDS: Readonly<Record<string, (draw: Draw) => Part[]>> = {
  points: (draw) => [support, points, ...(draw.chance(0.3) ? [wall] : [])],
  cloth: (draw) => (draw.chance(0.6) ? [sheet(0), sheet(1)] : [support, sheet(0)]),
  soft: (draw) => (draw.chance(0.3) ? [block(0), block(1)] : [support, block(0)]),
  vertices: (draw) => [ground, vertices(0), ...(draw.chance(0.3) ? [vertices(1)] : [])],
  bodies: row,
  resting: (draw) => [support, ...row(draw, 1, 1), ...(draw.chance(0.5) ? [points] : [])],
  links: chain,
};
