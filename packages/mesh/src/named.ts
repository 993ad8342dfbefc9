import { GradsimError } from '@gradsim/base';

/** Returns the same error with the name of what it is about before its message. */
export const withName = (error: GradsimError, who: string): GradsimError =>
  GradsimError.from({ ...error.toJSON(), message: `${who}: ${error.message}` }, error);
