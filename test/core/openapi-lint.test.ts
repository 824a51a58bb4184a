import { lintOpenApi } from '../support/openapi/lint';
import { restoreDocument } from '../support/openapi/restore-document';

test('the documents of both modes pass Redocly’s recommended rules for OpenAPI 3.1 without errors or warnings', async () => {
  const { code, output } = await lintOpenApi({
    'openapi.json': restoreDocument('platform'),
    'openapi-iam.json': restoreDocument('iam'),
  });

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 30_000);

test('a document with an example that breaks its schema does not pass', async () => {
  const document = structuredClone(restoreDocument('platform'));
  document.components.schemas.ActingUser = { ...document.components.schemas.ActingUser, minProperties: 2 };

  const { code, output } = await lintOpenApi({ 'broken.json': document });

  expect(code).toBe(1);
  expect(output).toMatch(/no-invalid-media-type-examples/);
}, 30_000);
