import { contentOperationOf } from '../../../src/sandbox/content/content-routes';

test.each([
  ['POST', '/contents', 'create'],
  ['PATCH', '/contents/1', 'update'],
  ['DELETE', '/contents/1', 'delete'],
  ['POST', '/contents/1/publish', 'publish'],
  ['GET', '/contents', 'list'],
  ['GET', '/contents/1', 'get'],
  ['POST', '/contents/1/archive', 'archive'],
  ['POST', '/contents/1/restore', 'restore'],
])('%s %s is %s', (method, path, operation) => {
  expect(contentOperationOf(method, path)).toBe(operation);
});

test.each([
  ['PUT', '/contents'],
  ['GET', ''],
  ['GET', '/contents/'],
  ['POST', '/contents/1'],
  ['POST', '/contents/1/2/publish'],
  ['GET', '/contents/1/publish'],
])('%s %s is not an operation', (method, path) => {
  expect(contentOperationOf(method, path)).toBeUndefined();
});
