/** The build of Papa Parse for pages, which asks for no module of Node. */
declare module 'papaparse/papaparse.min.js' {
  import papaparse from 'papaparse';
  export default papaparse;
}
