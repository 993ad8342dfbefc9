declare module 'validate-npm-package-name' {
  /** What npm says of a name: `errors` and `warnings` are absent where there are none. */
  export default function validate(name: string): {
    readonly validForNewPackages: boolean;
    readonly errors?: readonly string[];
    readonly warnings?: readonly string[];
  };
}
