import { Ball } from './ball';

export default function Page() {
  return <Ball />;
}
