export type { ReadMarkersOptions } from './files/read-markers.ts';
export { readMarkers } from './files/read-markers.ts';
export { HeldParticle, LedParticle, Marker, MarkerFrame } from './marker.ts';
export { markers } from './plugin.ts';
export type { MarkerRecording } from './recording.ts';
export type { BodyRegistration } from './registration/body-registration.ts';
export type { Registration } from './registration/registration.ts';
export type { MotionStart } from './registration/release.ts';
export type { PredictedMarkers as ForetoldMarkers } from './soft-body/foretell.ts';
export { predictMarkers as foretellMarkers } from './soft-body/foretell.ts';
export type { Load } from './soft-body/load.ts';
export type { SoftMaterial } from './soft-body/material.ts';
export type { WrittenSoftBody } from './soft-body/mjcf.ts';
export { formatSoftBody } from './soft-body/mjcf.ts';
export type {
  HeldRecording,
  SoftBodyMarkers,
  SoftBodyMarkersOptions,
} from './soft-body/problem.ts';
export { softBodyMarkers } from './soft-body/problem.ts';
export { startedMarkers } from './soft-body/start.ts';
