import { GradsimError } from '@gradsim/base';

/** Returns the same error with the name of what it is about before its message. */
export const withName = (error: GradsimError, name: string): GradsimError =>
  GradsimError.from({ ...error.toJSON(), message: `${name}: ${error.message}` }, error);
