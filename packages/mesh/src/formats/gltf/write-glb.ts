import type { TriangleMesh } from '../../mesh.ts';
import { glbPartsOf, primitiveOf } from './glb-parts.ts';

/**
 * Returns the mesh as the bytes of a .glb. Positions are rounded to single precision, a limit of the format, and
 * textures to PNGs of 8 bits. A vertex is duplicated if colours or texture coordinates of the triangles around it
 * differ.
 *
 * @example
 * const bytes = await formatGlb({ ...mesh, uvs, textures: [{ width: 2, height: 1, colors: [1, 0, 0, 0, 0, 1] }] });
 */
export async function formatGlb(mesh: TriangleMesh): Promise<Uint8Array> {
  const { Document: DocumentClass, WebIO } = await import('./library.ts');
  const document = new DocumentClass();
  document.createBuffer();
  const name = mesh.name ?? 'mesh';
  const written = document.createMesh(name);
  for (const part of glbPartsOf(mesh)) written.addPrimitive(await primitiveOf(document, part));
  document.createScene(name).addChild(document.createNode(name).setMesh(written));
  return new WebIO().writeBinary(document);
}
