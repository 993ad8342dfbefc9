/** Unknowns of the first page's film, with the range in which the truth of a film lies and the value from which every search starts. */
export const UNKNOWNS: readonly {
  readonly name: string;
  readonly unit: string;
  readonly field: string;
  readonly component?: number;
  readonly range: readonly [least: number, most: number];
  readonly initial: number;
}[] = [
  { name: 'gravity', unit: 'm/s²', field: 'world.gravity', component: 1, range: [-13, -6], initial: -5 },
  { name: 'restitution', unit: '', field: 'bodies.restitution', range: [0.5, 0.85], initial: 0.4 },
  { name: 'speed along', unit: 'm/s', field: 'bodies.velocity', component: 0, range: [0.7, 1.2], initial: 0.4 },
  { name: 'speed upwards', unit: 'm/s', field: 'bodies.velocity', component: 1, range: [-0.5, 1.2], initial: 0 },
];
