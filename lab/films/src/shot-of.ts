import type { Actor, Shot } from './shot.ts';
import type { Mover, Recording } from './take.ts';

/** Number of instants averaged over each exposure. */
const INSTANTS = 12;

/** Prepares a shot for the page: the pose of every moving object at every instant of every exposure. */
export function shotOf(take: Recording): Shot {
  const { scene, camera, look } = take;
  const numbers = Array.from({ length: take.frames }, (_, k) => k).filter((k) => !take.lost.includes(k));
  const times = numbers.map((k) =>
    Array.from({ length: INSTANTS }, (_, i) => {
      const off = take.shutter * ((i + 0.5) / INSTANTS - 0.5);
      return take.times ? take.times[k] + off / take.frameRate : (k + off) / take.frameRate;
    }),
  );
  const actors = scene.movers.map((mover) => actorOf(mover, times));
  return { camera, look, actors, frames: numbers.length, instants: INSTANTS, props: scene.props };
}

function actorOf(mover: Mover, times: readonly (readonly number[])[]): Actor {
  const { solid } = mover;
  return 'poseAt' in mover
    ? { solid, poses: times.map((frame) => frame.map(mover.poseAt)) }
    : { solid, place: mover.place, bends: times.map((frame) => frame.map(mover.bendAt)) };
}
