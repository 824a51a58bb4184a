import { controlDocument } from '../../../../platform/sandbox/openapi/control-document';
import { interfaceDocument } from '../../../../platform/sandbox/openapi/interface-document';
import { lintOpenApi } from '../../../support/openapi/lint';

test('the documents are OpenAPI 3.1 without errors or warnings from Redocly’s recommended rules', async () => {
  // Read-only control operations have no 4xx answers.
  const { code, output } = await lintOpenApi(
    { 'interface.json': interfaceDocument(), 'control.json': controlDocument() },
    ['operation-4xx-response'],
  );

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 60_000);
