/** Fetches a file that a .gltf names beside itself. */
export type ReadBeside = (uri: string) => Promise<Uint8Array>;
