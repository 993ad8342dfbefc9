/** An error in a robot file: where, which value, what to do. */
export class RobotError extends Error {
  override readonly name = 'RobotError';
}
