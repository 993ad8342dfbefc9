export * from '@gradsim/render';
export * from '@gradsim/render-dibr';
export * from '@gradsim/render-softras';
