import { listIssuers } from '../../../cli/issuer/list-issuers';
import { shelfNames } from '../../../lib/options/issuer-shelf';
import { FakeTerminal } from '../support/fake-terminal';
import { OperatedSystem } from '../support/operated-system';

test('latchkey issuer list: each profile with its request, lifetime, and what its facts rest on', async () => {
  const terminal = new FakeTerminal();

  const exitCode = await listIssuers(new OperatedSystem().context(terminal));

  expect(exitCode).toBe(0);
  const [{ document, text } = { document: {}, text: '' }] = terminal.results;
  expect((document as { issuers: { name: string }[] }).issuers.map(({ name }) => name)).toEqual([
    'learning-platform',
    ...shelfNames(),
  ]);
  const auth0 = {
    name: 'auth0',
    title: 'Auth0',
    shape: 'JSON, secret in the body',
    lifetimeSec: 86_400,
    parameters: ['host', 'audience'],
    basis: { tokenEndpoint: 'documented', request: 'documented', answer: 'documented', errors: 'assumed' },
  };
  expect(document).toMatchObject({ issuers: expect.arrayContaining([auth0]) as unknown });
  expect(text).toMatch(/^cognito +Amazon Cognito +form, Basic +1 h +documented/m);
});
