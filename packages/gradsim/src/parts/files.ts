export * from '@gradsim/core/files';
