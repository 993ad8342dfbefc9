export type { BodyRegistration } from './body-registration.ts';
export type { ForetoldMarkers } from './foretell.ts';
export { foretellMarkers } from './foretell.ts';
export type { Load } from './load.ts';
export { HeldParticle, LedParticle, Marker, MarkerFrame, measuredMotion } from './marker.ts';
export type { SoftMaterial } from './material.ts';
export { DASHPOT_TIME } from './material.ts';
export type { WrittenSoftBody } from './mjcf.ts';
export { formatSoftBody } from './mjcf.ts';
export { markers } from './plugin.ts';
export type { ReadMarkersOptions } from './read-markers.ts';
export { readMarkers } from './read-markers.ts';
export type { MarkerRecording } from './recording.ts';
export type { Registration } from './registration.ts';
export { registerMarkers, registerPoints } from './registration.ts';
export type { Start } from './release.ts';
export { findStart } from './release.ts';
export type {
  HeldRecording,
  SoftBodyMarkers,
  SoftBodyMarkersOptions,
} from './soft-body-problem.ts';
export { softBodyMarkers } from './soft-body-problem.ts';
export { startedMarkers } from './start.ts';
