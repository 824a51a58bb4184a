import { pathIds, plainPathIds } from '../../../core/restore/path-ids';

test.each<[string, string, [string, string], [string, string]]>([
  [
    'as they are',
    '/tenants/eu-west-2_Acme/contents/6650f1/restore',
    ['eu-west-2_Acme', '6650f1'],
    ['eu-west-2_Acme', '6650f1'],
  ],
  ['decoded once', '/tenants/eu%2Dwest/contents/%2541/restore', ['eu%2Dwest', '%2541'], ['eu-west', '%41']],
  [
    'with an encoded slash',
    '/tenants/a%2Fb/contents/..%2F..%2Fx/restore',
    ['a%2Fb', '..%2F..%2Fx'],
    ['a/b', '../../x'],
  ],
  [
    'that are not ASCII',
    '/tenants/caf%C3%A9/contents/a%20b/restore',
    ['caf%C3%A9', 'a%20b'],
    ['café', 'a b'],
  ],
  ['before a trailing slash', '/tenants/a/contents/b/restore/', ['a', 'b'], ['a', 'b']],
  [
    'behind the base path of a custom domain',
    '/base/path/tenants/a/contents/b/restore',
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['that are not percent-encoding as empty', '/tenants/%zz/contents/%C3/restore', ['%zz', '%C3'], ['', '']],
])('finds ids %s', (_, path, asSent, [tenantId, contentId]) => {
  const parameters = [asSent, [tenantId, contentId]].map((ids) => ({ tenantId: ids[0], contentId: ids[1] }));

  expect(parameters.map((pathParameters) => pathIds({ path, pathParameters }))).toEqual([
    { tenantId, contentId },
    { tenantId, contentId },
  ]);
});

test('finds no tenant but the authorized one, should the path arrive decoded', () => {
  const contentId = 'x/tenants/other/contents/y';
  const path = `/tenants/own/contents/${contentId}/restore`;

  for (const sent of [contentId, encodeURIComponent(contentId)]) {
    const ids = pathIds({ path, pathParameters: { tenantId: 'own', contentId: sent } });
    expect(ids).toEqual({ tenantId: '', contentId: '' });
  }
});

test.each([{}, { path: '' }, { path: '/' }, { path: '/restore' }, { path: '/tenants/a/contents/b/restore' }])(
  'finds no id in %j',
  (event) => {
    expect(pathIds(event)).toEqual({ tenantId: '', contentId: '' });
  },
);

describe('where IAM authorized the path', () => {
  const [tenantId, contentId] = ['eu-west-2_Acme', '6650f1'];
  const found = (path: string) => plainPathIds({ path, pathParameters: { tenantId, contentId } });

  test.each(['', '/base/path'])('finds plain ids behind the base path "%s"', (base) => {
    expect(found(`${base}/tenants/${tenantId}/contents/${contentId}/restore`)).toEqual({
      tenantId,
      contentId,
    });
  });

  test.each([
    ['an encoded letter of the tenant', `/tenants/%65u-west-2_Acme/contents/${contentId}/restore`],
    ['an encoded letter of a fixed part', `/%74enants/${tenantId}/contents/${contentId}/restore`],
    ['an encoded letter of the last part', `/tenants/${tenantId}/contents/${contentId}/%72estore`],
    ['a trailing slash', `/tenants/${tenantId}/contents/${contentId}/restore/`],
    ['an empty part', `//tenants/${tenantId}/contents/${contentId}/restore`],
    ['a dot segment', `/./tenants/${tenantId}/contents/${contentId}/restore`],
    ['two dots', `/tenants/other/contents/../../../tenants/${tenantId}/contents/${contentId}/restore`],
  ])('finds no id in a path with %s', (_, path) => {
    expect(found(path)).toEqual({ tenantId: '', contentId: '' });
  });

  test('finds no id if API Gateway dropped a slash from the path that it shows', () => {
    const path = `/tenants/${tenantId}/contents/${contentId}/restore`;
    const behind = (sent: string) =>
      plainPathIds({ path, pathParameters: { tenantId, contentId }, requestContext: { path: sent } });

    expect([`/v1${path}`, `/v1/${path}`, `/${path}`].map(behind)).toEqual([
      { tenantId, contentId },
      { tenantId: '', contentId: '' },
      { tenantId: '', contentId: '' },
    ]);
  });

  test('finds the tenant alone beside an encoded letter of the content', () => {
    expect(found(`/tenants/${tenantId}/contents/%3650f1/restore`)).toEqual({ tenantId, contentId: '' });
  });
});
