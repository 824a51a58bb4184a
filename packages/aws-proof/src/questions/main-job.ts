import { createTokenSource } from '../../../../client';
import { tokenKeyOf } from '../../../../core/tokens/token-key';
import { type TokenKey } from '../../../../core/tokens/published-keys';
import { type AwsClients } from '../clients';
import { type ProvenRun } from '../proven-run';
import { bearer, changeOf, PROMOTED, type ProvenTenant } from '../proven-tenant';
import { compare, outcomeOf, type Question } from '../question';
import { secretAt } from '../secret';

const PUBLISHED = '200 published';
const UNAUTHORIZED = '401 unauthorized';
const READ_TOKEN = { interface: 'content', scope: 'api/read' } as const;
const SECRETS_GUIDE = 'https://docs.aws.amazon.com/secretsmanager/latest/userguide';

const MIN_MINUTES = 20;

/** Alarms of what happened before clear within this time. */
const CLEARED_SEC = 900;
/** Exit codes and findings of two commands: 0 and none. */
const NOTHING_WRONG = /^0\b[^,]*, 0\b[^,]*$/;

interface Findings {
  readonly findings?: readonly { readonly kind: string }[];
}

/** The main job after deploying and loading. */
export const MAIN_JOB: readonly Question[] = [
  {
    id: 'doctor',
    subject:
      '`latchkey status` and `latchkey doctor` where all is well, and where somebody disabled a schedule',
    reliedOn:
      'with the permissions of an operator, both exit with 0 where all is well: no findings, and no alarms of the new stack; otherwise both name the schedule, and `doctor --fix` enables it',
    promise: 'the command says what is wrong, nothing else, and its fix helps',
    pages: [
      'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html',
      'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotationRulesType.html',
    ],
    async ask(run) {
      const exitCodesAndFindings = async (...commands: string[]) => {
        const seen: string[] = [];
        for (const command of commands) {
          const { exitCode, document } = await run.latchkey<Findings>(command.split(' '));
          seen.push([exitCode, ...(document.findings ?? []).map(({ kind }) => kind)].join(' '));
        }
        return seen.join(', ');
      };
      const both = () => exitCodesAndFindings('status', 'doctor');
      const calm = await run.settle(both, NOTHING_WRONG, { withinSec: CLEARED_SEC, everySec: 60 });
      await run.switchSweep('DISABLED');
      const found = await both();
      const fixed = await exitCodesAndFindings('doctor --fix --yes', 'doctor');
      if (!NOTHING_WRONG.test(fixed)) await run.switchSweep('ENABLED');
      return compare({
        'where all is well': [calm, NOTHING_WRONG],
        'without a schedule': [found, /^1 .*schedule_disabled.*, 1 .*schedule_disabled/],
        'after its fix': [fixed, NOTHING_WRONG],
      });
    },
  },
  {
    id: 'token',
    subject: 'A service calls the platform with a token, also when the platform has just revoked it',
    reliedOn:
      'every token is valid for 20 minutes or more; a call that gets 401 has the token replaced, and succeeds; the service cannot read credentials',
    promise: 'services that read a token always have one that works, and see no credential',
    pages: [`${SECRETS_GUIDE}/auth-and-access_resource-policies.html`],
    async ask(run) {
      const service = { aws: await run.as('Service') };
      const minutes = await minutesToExpiry(run, service);
      const shortest = Math.min(...minutes);
      const tenant = run.tenants[0]!;
      const statuses: number[] = [];
      // As a service does, with latchkey/client.
      const source = createTokenSource({
        secretsManager: service.aws.secretsManager,
        lambda: service.aws.lambda,
        secretId: () => tenant.tokenName(READ_TOKEN.scope),
        tokenRefresh: await run.parameter('token-refresh-arn'),
        fetch: async (_, { headers } = {}) => {
          const sent = { headers: Object.fromEntries(new Headers(headers)) };
          const { status, body } = await run.request(run.contentsUrl, sent);
          statuses.push(status);
          return new Response(body, { status });
        },
      });
      const key = tokenKeyOf(tenant.key, READ_TOKEN) as TokenKey;
      await source.authorizedFetch(key, run.contentsUrl);
      const { accessToken } = await source.getToken(key);
      await run.sandbox('DELETE', '/tokens', { accessToken });
      await source.authorizedFetch(key, run.contentsUrl);
      const denied = await outcomeOf(secretAt(service, tenant.secretName('client-credentials')).read());
      return compare({
        [`tokens valid for ${shortest} to ${Math.max(...minutes)} min, enough`]: shortest >= MIN_MINUTES,
        calls: [statuses.join(', '), '200, 401, 200'],
        'another token afterwards': (await source.getToken(key)).accessToken !== accessToken,
        'client credentials': [denied, 'AccessDeniedException'],
      });
    },
  },
  {
    id: 'restore',
    subject: 'A restore with an API key, with a token, and with what must not open the restore API',
    reliedOn:
      'the tenant’s key and an `api/write` token restore, and the history shows it within two minutes; everything else is 401 or 403',
    promise: 'only who may restore a tenant’s content can, and it is known who did',
    pages: [
      'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html',
      'https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html',
    ],
    async ask(run) {
      const [tenant, other] = run.tenants as [ProvenTenant, ProvenTenant];
      const service = await run.as('Service');
      const basic = tenant.basic(await tenant.apiKey());
      const write = bearer(await tenant.accessToken(service, 'api/write'));
      const readOnly = bearer(await tenant.accessToken(service, 'api/read'));
      const content = await tenant.archivedContent();
      const restored = [await tenant.restore(basic, content), await tenant.restore(write)];
      const refused = [
        await tenant.restore({}),
        await tenant.restore(tenant.basic('wrong')),
        await other.restore(basic),
        await other.restore(write),
        await tenant.restore(readOnly),
      ];
      const author = await tenant.author();
      const args = ['restore', 'history', '--tenant', tenant.tenantId, '--content-id', content];
      const history = async () => {
        const { document } = await run.latchkey<{ restores?: Record<string, string>[] }>(args);
        const lines = (document.restores ?? []).map(({ code, scheme, authorRef }) => {
          return `${code}, ${scheme}, by ${authorRef === author ? 'its' : 'another'} author`;
        });
        return lines.join('; ');
      };
      const recorded = 'restored, basic, by its author';
      return compare({
        'with key and token': [restored.join(', '), `${PUBLISHED}, ${PUBLISHED}`],
        others: [refused.join(', '), `${`${UNAUTHORIZED}, `.repeat(4)}403 forbidden`],
        'in the history': [await run.settle(history, recorded), recorded],
      });
    },
  },
  {
    id: 'rotate',
    subject: 'New client credentials while tokens of the old ones are in use, and the way back',
    reliedOn:
      '`credentials put` proves and rotates them, with its own label on the candidate; no call fails in between; `rollback` makes the previous ones current again, unless they are revoked',
    promise: 'a rotation interrupts no service, and a bad credential can be rolled back',
    pages: [
      `${SECRETS_GUIDE}/whats-in-a-secret.html`,
      `${SECRETS_GUIDE}/rotate-secrets_lambda-functions.html`,
      'https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html',
    ],
    async ask(run) {
      const tenant = run.tenants[0]!;
      const service = await run.as('Service');
      const credentials = secretAt(run, tenant.secretName('client-credentials'));
      const clientId = async () => (await credentials.json<{ clientId: string }>()).clientId;
      const args = ['rollback', '--kind', 'client-credentials', '--tenant', tenant.tenantId, '--yes'];
      const rollback = async () => changeOf(await run.latchkey(args));
      const statuses = new Set<number>();
      const tokenNow = () => tenant.accessToken(service, 'api/read');
      const use = async (accessToken: string) => {
        statuses.add((await run.request(run.contentsUrl, { headers: bearer(accessToken) })).status);
        return accessToken;
      };

      const [oldClientId, oldToken] = [await clientId(), await tokenNow()];
      const put = changeOf(await tenant.loadNew('client-credentials'));
      const newClientId = await clientId();
      await use(oldToken);
      const compareTokens = async () => ((await use(await tokenNow())) === oldToken ? 'the same' : 'another');
      const tokenAfterwards = await run.settle(compareTokens, 'another');
      const rolledBack = await rollback();
      const restoredClientId = await clientId();
      await run.sandbox('DELETE', '/credentials', { clientId: newClientId });
      const rollbackToRevoked = await rollback();
      return compare({
        put: [put, PROMOTED],
        'new credentials': oldClientId !== newClientId,
        'token afterwards': [tokenAfterwards, 'another'],
        'statuses meanwhile': [[...statuses].join(', '), '200'],
        rollback: [rolledBack, PROMOTED],
        'the previous credentials again': restoredClientId === oldClientId,
        'rollback to revoked ones': [rollbackToRevoked, /^exit code 77/],
        'credentials unchanged': (await clientId()) === oldClientId,
      });
    },
  },
  {
    id: 'api-key',
    subject: 'A new API key, and one that revokes the key before it',
    reliedOn:
      'the restore API accepts a new one at once, and the one before for its grace period; with `--revoke-previous`, that one gets 401',
    promise: 'callers are never locked out by a rotation, and a leaked key opens nothing once it is revoked',
    pages: [`${SECRETS_GUIDE}/whats-in-a-secret.html`],
    async ask(run) {
      const tenant = run.tenants[0]!;
      const outcomeWith = (key: string) => tenant.restore(tenant.basic(key));
      const within = (key: string, wanted: string) => run.settle(() => outcomeWith(key), wanted);
      const first = await tenant.apiKey();
      const added = changeOf(await tenant.loadNew('api-key'));
      const second = await tenant.apiKey();
      const accepted = [await within(second, PUBLISHED), await outcomeWith(first)];
      const replaced = changeOf(await tenant.loadNew('api-key', '--revoke-previous'));
      return compare({
        put: [`${added}; ${replaced}`, `${PROMOTED}; ${PROMOTED}`],
        'the new one, and the one before': [accepted.join(', '), `${PUBLISHED}, ${PUBLISHED}`],
        revoked: [await within(second, UNAUTHORIZED), UNAUTHORIZED],
        'the latest': [await within(await tenant.apiKey(), PUBLISHED), PUBLISHED],
      });
    },
  },
];

/** For how many more minutes each token of the run is valid. */
async function minutesToExpiry(run: ProvenRun, service: { readonly aws: AwsClients }): Promise<number[]> {
  const nowMs = (await run.time.now()).getTime();
  const minutes: number[] = [];
  for (const tenant of run.tenants)
    for (const scope of ['api/read', 'api/write'] as const) {
      const token = await secretAt(service, tenant.tokenName(scope)).json<{ expiresAt: string }>();
      minutes.push(Math.floor((Date.parse(token.expiresAt) - nowMs) / 60_000));
    }
  return minutes;
}
