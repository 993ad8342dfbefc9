/** Nodes and weights of a quadrature rule, ascending by node. */
export interface Quadrature {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
}

/** Number of bisections after which an interval is as small as doubles allow. */
const BISECTIONS = 60;

/**
 * Nodes and weights for the integral of u^2 f(u) over u from 0 to 1, exact for polynomials f of degrees below 2 n (C.
 * Jacobi, 1859; recurrence and weights after W. Gautschi, "Orthogonal Polynomials", 2004). Nodes are ascending.
 */
export function gaussJacobi(n: number): Quadrature {
  // Monic polynomials: p[k + 1] = (u - centre[k]) p[k] - ratio[k] p[k - 1], where the square of p[k] integrates to
  // ratio[k] times that of p[k - 1].
  const orders = [...Array(n).keys()];
  const centre = orders.map((k) => (1 + 1 / ((k + 1) * (k + 2))) / 2);
  const ratio = orders.map((k) => (k * (k + 2)) ** 2 / (4 * (k + 1) ** 2 * (2 * k + 1) * (2 * k + 3)));
  const polynomials = (u: number): number[] => {
    const p = [1];
    for (const k of orders) p.push((u - centre[k]) * p[k] - (k > 0 ? ratio[k] * p[k - 1] : 0));
    return p;
  };
  // Between two roots of one lies a root of the next.
  let nodes: number[] = [];
  for (const k of orders) {
    const ends = [0, ...nodes, 1];
    nodes = ends.slice(1).map((end, i) => {
      let [low, high] = [ends[i], end];
      const sign = Math.sign(polynomials(low)[k + 1]);
      for (let h = 0; h < BISECTIONS; h++) {
        const middle = (low + high) / 2;
        if (Math.sign(polynomials(middle)[k + 1]) === sign) low = middle;
        else high = middle;
      }
      return (low + high) / 2;
    });
  }
  const weights = nodes.map((node) => {
    const p = polynomials(node);
    let [sum, square] = [0, 1 / 3];
    for (const k of orders) {
      if (k > 0) square *= ratio[k];
      sum += p[k] ** 2 / square;
    }
    return 1 / sum;
  });
  return { nodes, weights };
}
