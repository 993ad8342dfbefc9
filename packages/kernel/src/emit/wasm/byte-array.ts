/** Bytes in a buffer of their own. TypeScript before 5.7, for which the packages' types are too, cannot write `Uint8Array<ArrayBuffer>`. */
export type ByteArray = ReturnType<Uint8Array['slice']>;
