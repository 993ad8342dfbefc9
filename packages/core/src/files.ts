export * from '@gradsim/base/files';
