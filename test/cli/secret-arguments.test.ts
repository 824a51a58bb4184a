import { refuseSecretArguments } from '../../cli/secret-arguments';
import { failureOf } from './support/operated-system';

const SECRET = 'q7Zr-canary-9f2LkW';

describe('secrets in the arguments', () => {
  it.each([
    [['credentials', 'put', '--client-secret', SECRET]],
    [['credentials', 'put', `--client-secret=${SECRET}`]],
    [['credentials', 'put', '--clientSecret', SECRET]],
    [['credentials', 'put', '--client-id', SECRET]],
    [['credentials', 'put', '--secret', SECRET]],
    [['api-key', 'put', `--api-key=${SECRET}`]],
    [['api-key', 'generate', '--authorization', `Bearer ${SECRET}`]],
    [['api-key', 'generate', '--correlation-id', SECRET]],
    [['api-key', 'generate', '--x-correlation-id', SECRET]],
    [['status', '--token', SECRET]],
    [['status', '--tenant', `Bearer ${SECRET}`]],
    [['status', 'Bearer', SECRET]],
    [['credentials', 'put', SECRET]],
    [['credentials', 'put', '--', SECRET]],
    [['credentials', '--json', 'put', SECRET]],
    [['api-key', 'generate', '--environment', 'staging', SECRET]],
    [['status', `{"clientId":"a","clientSecret":"${SECRET}"}`]],
    [['status', '--config', `{"apiKey": "${SECRET}"}`]],
    [['status', `authorization: ${SECRET}`]],
    [['status', `client_secret=${SECRET}`]],
    [['restore', 'id-1', '--author-ref', `Basic ${SECRET}`]],
    [['status', `eyJhbGciOiJIUzI1NiJ9.${SECRET}`]],
  ])('are refused with exit code 64, and not printed: %j', async (args) => {
    const failure = await failureOf(() => refuseSecretArguments(args));

    expect(failure).toMatchObject({ exitCode: 64, code: 'secret_in_arguments' });
    expect(`${failure.message}${failure.advice}`).not.toContain('canary');
    expect(failure.advice).toContain('replace it');
  });

  it.each([
    [['--help']],
    [['credentials', 'put', '--tenant', 'eu-west-2_AbcdEfghI', '--environment', 'staging', '--json']],
    [['credentials', 'put', '--tenant=eu-west-2_AbcdEfghI', '--local', '--state-dir', '/tmp/token/secret']],
    [['credentials', 'put', '--enviroment', 'staging']],
    [['credentials', 'rotate', '--kind', 'api-key']],
    [['token', 'show', '--interface', 'content', '--scope', 'api/read', '--reveal']],
    [['status', '--config', 'config/secret-names.json', '--profile', 'basic']],
    [['credentials', 'put', '--client-secret']],
    [['restore', '65f2c0ffee', '--author-ref', 'jo', '--collaboration-id', 'team-7']],
    [['restore', '--from', 'ids.txt', '--results', 'done.jsonl', '--retry-unknown']],
  ])('are not suspected in %j', (args) => {
    expect(() => refuseSecretArguments(args)).not.toThrow();
  });
});
