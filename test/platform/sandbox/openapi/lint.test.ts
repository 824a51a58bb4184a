import { controlDocument } from '../../../../platform/sandbox/openapi/control-document';
import { interfaceDocument } from '../../../../platform/sandbox/openapi/interface-document';
import { lintOpenApi } from '../../../support/openapi/lint';

test('the documents are OpenAPI 3.1 without an error or a warning of Redocly’s recommended rules', async () => {
  // That control only tells what there is can't be refused.
  const { code, output } = await lintOpenApi(
    { 'interface.json': interfaceDocument(), 'control.json': controlDocument() },
    ['operation-4xx-response'],
  );

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 60_000);
