/**
 * Bytes in a non-shared buffer. TypeScript before 5.7, which the packages' types support, cannot write
 * `Uint8Array<ArrayBuffer>`.
 */
export type ByteArray = ReturnType<Uint8Array['slice']>;
