import { matchesPattern, type PolicyDocument } from 'cdk-on-loopback/testing';
import { serializeStoredToken } from '../../../core/tokens/stored-token';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/token-key';
import { LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { type Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

const KEY: TokenKey = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: 'eu-west-2_StagingAb',
  interface: 'content',
  scope: 'api/read',
};
const ISSUED_MS = Date.parse('2026-01-31T12:00:00Z');

const example = new InstalledExample('event-listener');
afterAll(() => example.remove());

describe('the app of the example event-listener', () => {
  let synthesis: Synthesis;
  beforeAll(async () => (synthesis = await example.synthesis()));

  it('has a rule for the renewals of its tenant, which alone may send to the queue', () => {
    const { logicalId, Properties } = synthesis.only('AWS::Events::Rule');
    const event = { source: 'latchkey', 'detail-type': 'Token Renewed' };
    const detail = { prefix: 'latchkey', ...KEY };
    const pattern = Properties.EventPattern as Record<string, unknown>;

    expect(matchesPattern(pattern, { ...event, detail })).toBe(true);
    expect(matchesPattern(pattern, { ...event, detail: { ...detail, tenantId: 'other' } })).toBe(false);
    const policies = synthesis
      .properties('AWS::SQS::QueuePolicy')
      .map(({ PolicyDocument }) => PolicyDocument);
    const allowing = (policies as PolicyDocument[])
      .flatMap(({ Statement }) => Statement)
      .filter(
        ({ Effect, Action }) => Effect === 'Allow' && JSON.stringify(Action).includes('sqs:SendMessage'),
      )
      .filter(({ Principal }) => JSON.stringify(Principal).includes('events.amazonaws.com'));
    expect(allowing).toHaveLength(1);
    expect(JSON.stringify(allowing[0]!.Condition)).toContain(`"${logicalId}"`);
  });
});

describe('the service of the example event-listener', () => {
  let aws: LocalAws;
  beforeAll(async () => {
    aws = new LocalAws();
    await aws.start();
  });
  afterAll(() => aws.stop());

  it('answers with the new token as soon as the event of its renewal is in the queue, whatever else is there', async () => {
    const queue = aws.addQueue('renewals');
    const secret = aws.addSecret(tokenSecretName('latchkey', KEY));
    const store = (versionId: string, issuedAtMs: number) => {
      secret.versions.clear();
      const life = { issuedAtMs, expiresAtMs: Date.now() + 3_600_000 };
      const token = { accessToken: `token-${versionId}`, ...life, credentialVersionId: 'c', writesMs: [] };
      aws.addVersion(secret, versionId, serializeStoredToken(token, KEY));
    };
    const send = (body: string) =>
      queue.messages.push({ messageId: body, body, attributes: {}, sentAtMs: 0, visibleAtMs: 0 });
    store('version-1', ISSUED_MS);
    const service = example.start(process.execPath, ['--import', 'tsx', 'service.mts'], {
      AWS_ENDPOINT_URL: aws.url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: aws.administrator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: aws.administrator.secretAccessKey,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      TENANT_ID: KEY.tenantId,
      QUEUE_URL: `${aws.url}/111111111111/renewals`,
      PORT: '0',
    });
    const [, port] = await service.printed(/^ready on port (\d+)/m);
    const issuedAt = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      return ((await answer.json()) as { issuedAt: string }).issuedAt;
    };
    expect(await issuedAt()).toBe('2026-01-31T12:00:00.000Z');

    store('version-2', ISSUED_MS + 60_000);
    expect(await issuedAt()).toBe('2026-01-31T12:00:00.000Z');
    send('no event');
    const detail = {
      schemaVersion: '1',
      prefix: 'latchkey',
      ...KEY,
      secretArn: secret.arn,
      versionId: 'version-2',
      renewedAt: '2026-01-31T12:01:00.000Z',
      expiresAt: '2026-01-31T13:01:00.000Z',
    };
    send(JSON.stringify({ source: 'latchkey', 'detail-type': 'Token Renewed', detail }));

    while (queue.messages.length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await issuedAt()).toBe('2026-01-31T12:01:00.000Z');
    expect(service.output).toContain('not an event:');
    expect(service.output).not.toContain('token-version');
  });
});
