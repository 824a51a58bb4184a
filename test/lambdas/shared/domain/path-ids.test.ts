import { pathIds } from '../../../../lambdas/shared/domain/path-ids';

test.each<[string, string, string, string]>([
  ['as they are', '/tenants/eu-west-2_Acme/contents/6650f1/restore', 'eu-west-2_Acme', '6650f1'],
  ['decoded once', '/tenants/eu%2Dwest/contents/%2541/restore', 'eu-west', '%41'],
  ['with an encoded slash', '/tenants/a%2Fb/contents/..%2F..%2Fx/restore', 'a/b', '../../x'],
  ['that are not ASCII', '/tenants/caf%C3%A9/contents/a%20b/restore', 'café', 'a b'],
  ['before a trailing slash', '/tenants/a/contents/b/restore/', 'a', 'b'],
  ['behind the base path of a custom domain', '/base/path/tenants/a/contents/b/restore', 'a', 'b'],
  ['that are not percent-encoding as empty', '/tenants/%zz/contents/%C3/restore', '', ''],
])('finds ids %s', (_, path, tenantId, contentId) => {
  expect(pathIds({ path })).toEqual({ tenantId, contentId });
});

test.each([{}, { path: '' }, { path: '/' }, { path: '/restore' }])('finds no id in %j', (event) => {
  expect(pathIds(event)).toEqual({ tenantId: '', contentId: '' });
});
