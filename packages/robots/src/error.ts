/** What is wrong with a file of a robot: where, which value, what to do. */
export class RobotError extends Error {
  override readonly name = 'RobotError';
}
