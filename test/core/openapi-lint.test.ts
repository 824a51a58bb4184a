import { lintOpenApi } from '../support/openapi/lint';
import { restoreDocument } from '../support/openapi/restore-document';

test('the documents of both modes pass Redocly’s recommended rules for OpenAPI 3.1 without errors or warnings', async () => {
  const { code, output } = await lintOpenApi({
    'openapi.json': restoreDocument('platform'),
    'openapi-iam.json': restoreDocument('iam'),
  });

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 30_000);
