import { lintOpenApi } from '../../../../../test/support/openapi/lint';
import { DOCUMENTS } from '../../support/documents';

test('the documents are OpenAPI 3.1 without errors or warnings from Redocly’s recommended rules', async () => {
  // Read-only control operations have no 4xx answers.
  const { code, output } = await lintOpenApi(
    { 'interface.json': DOCUMENTS.interface, 'control.json': DOCUMENTS.control },
    ['operation-4xx-response'],
  );

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 60_000);
