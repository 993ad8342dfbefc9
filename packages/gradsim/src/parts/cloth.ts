export * from '@gradsim/cloth';
