// A page that opens /motion.glb with three.js, plays its animation, and reports where vertices are at some moments.
import { AnimationMixer, type Mesh, MeshStandardMaterial, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Result of the viewer: positions of the corners of all meshes' triangles, in world axes, at each of some moments. */
export interface Viewing {
  readonly duration: number;
  /** For each moment: positions by node name, x, y, z of every corner. */
  readonly moments: readonly Readonly<Record<string, readonly number[]>>[];
  /** Width of each mesh's texture, px. */
  readonly textures: Readonly<Record<string, number>>;
}

const gltf = await new GLTFLoader().loadAsync('/motion.glb');
const moments: number[] = JSON.parse(document.querySelector('meta[name=moments]')!.getAttribute('content')!);
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
const meshes: Mesh[] = [];
gltf.scene.traverse((object) => {
  if ((object as Mesh).isMesh) meshes.push(object as Mesh);
});
const corner = new Vector3();
const report: Viewing = {
  duration: gltf.animations[0].duration,
  moments: moments.map((time) => {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    return Object.fromEntries(
      meshes.map((mesh) => {
        const vertices = Array.from(mesh.geometry.index!.array);
        const at = vertices.flatMap((vertex) =>
          mesh.getVertexPosition(vertex, corner).applyMatrix4(mesh.matrixWorld).toArray(),
        );
        return [mesh.name, at];
      }),
    );
  }),
  textures: Object.fromEntries(
    meshes.flatMap(({ name, material }) =>
      material instanceof MeshStandardMaterial && material.map
        ? [[name, (material.map.image as { width: number }).width]]
        : [],
    ),
  ),
};
await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
