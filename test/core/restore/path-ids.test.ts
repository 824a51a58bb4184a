import { pathIds, plainPathIds } from '../../../core/restore/path-ids';

const NONE = { tenantId: '', contentId: '' };

test.each<[string, string, [string, string], [string, string]?]>([
  ['as they are', '/tenants/eu-west-2_Acme/contents/6650f1/restore', ['eu-west-2_Acme', '6650f1']],
  ['decoded once', '/tenants/eu%2Dwest/contents/%2541/restore', ['eu%2Dwest', '%2541'], ['eu-west', '%41']],
  [
    'with an encoded slash',
    '/tenants/a%2Fb/contents/..%2F..%2Fx/restore',
    ['a%2Fb', '..%2F..%2Fx'],
    ['a/b', '../../x'],
  ],
  ['beyond ASCII', '/tenants/caf%C3%A9/contents/a%20b/restore', ['caf%C3%A9', 'a%20b'], ['café', 'a b']],
  ['before a trailing slash', '/tenants/a/contents/b/restore/', ['a', 'b']],
  ['behind the base path of a custom domain', '/base/path/tenants/a/contents/b/restore', ['a', 'b']],
  ['that are not percent-encoding as empty', '/tenants/%zz/contents/%C3/restore', ['%zz', '%C3'], ['', '']],
])('finds ids %s, whether API Gateway decodes its parameters or not', (_, path, asSent, decoded = asSent) => {
  for (const [tenantId, contentId] of [asSent, decoded]) {
    expect(pathIds({ path, pathParameters: { tenantId, contentId } })).toEqual({
      tenantId: decoded[0],
      contentId: decoded[1],
    });
  }
});

test('finds no tenant but the authorized one, should the path arrive decoded', () => {
  const contentId = 'x/tenants/other/contents/y';
  const path = `/tenants/own/contents/${contentId}/restore`;

  for (const sent of [contentId, encodeURIComponent(contentId)]) {
    expect(pathIds({ path, pathParameters: { tenantId: 'own', contentId: sent } })).toEqual(NONE);
  }
});

test.each([{}, { path: '' }, { path: '/' }, { path: '/restore' }, { path: '/tenants/a/contents/b/restore' }])(
  'finds no id in %j',
  (event) => expect(pathIds(event)).toEqual(NONE),
);

describe('where IAM authorized the path', () => {
  const ids = { tenantId: 'eu-west-2_Acme', contentId: '6650f1' };
  const PATH = `/tenants/${ids.tenantId}/contents/${ids.contentId}/restore`;
  const found = (path: string, sentPath = path) =>
    plainPathIds({ path, pathParameters: ids, requestContext: { path: sentPath } });

  test.each([
    ['plain ids', PATH, PATH, ids],
    ['plain ids behind a base path', `/base/path${PATH}`, `/base/path${PATH}`, ids],
    ['plain ids behind a stage', PATH, `/v1${PATH}`, ids],
    ['no id if a slash was dropped behind the stage', PATH, `/v1/${PATH}`, NONE],
    ['no id if a slash was dropped in front', PATH, `/${PATH}`, NONE],
  ])('finds %s', (_, path, sentPath, expected) => {
    expect(found(path, sentPath)).toEqual(expected);
  });

  test.each([
    ['an encoded letter of the tenant', PATH.replace('eu-', '%65u-')],
    ['an encoded letter of a fixed part', PATH.replace('/t', '/%74')],
    ['an encoded letter of the last part', PATH.replace('/restore', '/%72estore')],
    ['a trailing slash', `${PATH}/`],
    ['an empty part', `/${PATH}`],
    ['a dot segment', `/.${PATH}`],
    ['two dots', `/tenants/other/contents/../../..${PATH}`],
  ])('finds no id in a path with %s', (_, path) => {
    expect(plainPathIds({ path, pathParameters: ids })).toEqual(NONE);
  });

  test('finds the tenant alone beside an encoded letter of the content', () => {
    expect(found(PATH.replace('/6', '/%36'))).toEqual({ ...ids, contentId: '' });
  });
});
