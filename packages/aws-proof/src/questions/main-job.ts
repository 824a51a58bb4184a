import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { createTokenSource } from '../../../../client';
import { scheduleName } from '../../../../core/deployment/schedules';
import { tokenKeyOf } from '../../../../core/tokens/token-key';
import { bearer, changeOf, type ProvenRun, type ProvenTenant, valueOf } from '../proven-run';
import { answer, outcomeOf, type Question } from '../question';

const PUBLISHED = '200 published';
const READ_TOKEN = { interface: 'content', scope: 'api/read' } as const;
const SECRETS_GUIDE = 'https://docs.aws.amazon.com/secretsmanager/latest/userguide';
/** Tokens are renewed right after a rotation; a line of a log is found, and a new key read, after some seconds. */
const SETTLED_SEC = 120;

/** The kinds of the findings that `doctor` and `status` print. */
interface Findings {
  readonly findings?: readonly { readonly kind: string }[];
}

const kindsIn = ({ findings = [] }: Findings) => findings.map(({ kind }) => kind);

/** Calls the platform as a service does, with `latchkey/client`. @param onStatus called with the status of each answer */
async function clientOf(run: ProvenRun, tenant: ProvenTenant, onStatus: (status: number) => void) {
  const { secretsManager, lambda } = await run.as('Service');
  return createTokenSource({
    secretsManager,
    lambda,
    secretId: () => tenant.tokenName(READ_TOKEN.scope),
    tokenRefresh: await run.parameter('token-refresh-arn'),
    fetch: async (_, { headers } = {}) => {
      const sent = { headers: Object.fromEntries(new Headers(headers)) };
      const { status, body } = await run.request(run.contentsUrl, sent);
      onStatus(status);
      return new Response(body, { status });
    },
  });
}

const ENOUGH_MIN = 20;

const token: Question = {
  id: 'token',
  subject: 'A service calls the platform with a token, also when the platform has just revoked it',
  reliedOn:
    'every token is valid for 20 minutes or more; a call that gets 401 has the token replaced, and succeeds; the service cannot read credentials',
  promise: 'services that read a token always have one that works, and see no credential',
  otherwise: 'services call the platform with expired tokens, or read what they must not',
  pages: [`${SECRETS_GUIDE}/auth-and-access_resource-policies.html`],
  async ask(run) {
    const service = await run.as('Service');
    const nowMs = (await run.time.now()).getTime();
    const minutes: number[] = [];
    for (const tenant of run.tenants)
      for (const scope of ['api/read', 'api/write'] as const) {
        const { expiresAt } = await valueOf<{ expiresAt: string }>(service, tenant.tokenName(scope));
        minutes.push(Math.floor((Date.parse(expiresAt) - nowMs) / 60_000));
      }
    const tenant = run.tenants[0]!;
    const statuses: number[] = [];
    const source = await clientOf(run, tenant, (status) => statuses.push(status));
    const key = tokenKeyOf(tenant.key, READ_TOKEN);
    await source.authorizedFetch(key, run.contentsUrl);
    const { accessToken } = await source.getToken(key);
    await run.sandbox('DELETE', '/tokens', { accessToken });
    await source.authorizedFetch(key, run.contentsUrl);
    const isOther = (await source.getToken(key)).accessToken !== accessToken;
    const credentials = new GetSecretValueCommand({ SecretId: tenant.secretName('client-credentials') });
    const denied = await outcomeOf(service.secretsManager.send(credentials));
    return answer(
      minutes.every((left) => left >= ENOUGH_MIN) &&
        isOther &&
        statuses.join() === '200,401,200' &&
        denied === 'AccessDeniedException',
      [
        `${minutes.length} tokens, valid for ${Math.min(...minutes)} to ${Math.max(...minutes)} more minutes`,
        `calls: ${statuses.join(', ')}, then ${isOther ? 'another' : 'the same'} token`,
        `client credentials: ${denied}`,
      ].join('; '),
    );
  },
};

interface Entry {
  readonly code?: string;
  readonly scheme?: string;
  readonly authorRef?: string;
}

const restore: Question = {
  id: 'restore',
  subject: 'A restore with an API key, with a token, and with what must not open the restore API',
  reliedOn:
    'the tenant’s key and an `api/write` token restore, and the history shows it within two minutes; everything else is 401 or 403',
  promise: 'only who may restore a tenant’s content can, and it is known who did',
  otherwise: 'callers cannot restore, or those who should not can, or nobody can say who did',
  pages: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html',
    'https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html',
  ],
  async ask(run) {
    const [tenant, other] = run.tenants as [ProvenTenant, ProvenTenant];
    const service = await run.as('Service');
    const basic = tenant.basic(await tenant.apiKey());
    const [write, readOnly] = [
      bearer(await tenant.accessToken(service, 'api/write')),
      bearer(await tenant.accessToken(service, 'api/read')),
    ];
    const content = await tenant.archivedContent();
    const restored = [await tenant.restore(basic, content), await tenant.restore(write)];
    const refused = [
      await tenant.restore({}),
      await tenant.restore(tenant.basic('wrong')),
      await other.restore(basic),
      await other.restore(write),
      await tenant.restore(readOnly),
    ];
    const args = ['restore', 'history', '--tenant', tenant.tenantId, '--content-id', content];
    const found = await run.time.until(
      async () => {
        const { restores = [] } = (await run.latchkey<{ restores?: Entry[] }>(args)).document;
        return restores.length > 0 ? restores : undefined;
      },
      { withinSec: SETTLED_SEC },
    );
    const [entry] = found ?? [];
    const isRecorded =
      found?.length === 1 &&
      entry?.code === 'restored' &&
      entry.scheme === 'basic' &&
      entry.authorRef === (await tenant.author());
    const unauthorized = '401 unauthorized';
    return answer(
      restored.every((outcome) => outcome === PUBLISHED) &&
        refused.join() === [...Array<string>(4).fill(unauthorized), '403 forbidden'].join() &&
        isRecorded,
      `with key and token: ${restored.join(', ')}; others: ${refused.join(', ')}; in the history: ${found?.length ?? 0}`,
    );
  },
};

const rotate: Question = {
  id: 'rotate',
  subject: 'New client credentials while tokens of the old ones are in use, and the way back',
  reliedOn:
    '`credentials put` proves and rotates them, with its own label on the candidate; no call fails in between; `rollback` goes back, but not to revoked ones',
  promise: 'a rotation interrupts no service, and a bad credential is not the end',
  otherwise: 'each rotation interrupts services, or a bad credential stays until support issues another',
  pages: [
    `${SECRETS_GUIDE}/whats-in-a-secret.html`,
    `${SECRETS_GUIDE}/rotate-secrets_lambda-functions.html`,
    'https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html',
  ],
  async ask(run) {
    const tenant = run.tenants[0]!;
    const service = await run.as('Service');
    const clientId = async () =>
      (await valueOf<{ clientId: string }>(run.aws, tenant.secretName('client-credentials'))).clientId;
    const back = () =>
      run.latchkey(['rollback', '--kind', 'client-credentials', '--tenant', tenant.tenantId, '--yes']);
    const tokenNow = () => tenant.accessToken(service, 'api/read');
    const statusWith = async (accessToken: string) =>
      (await run.request(run.contentsUrl, { headers: bearer(accessToken) })).status;

    const [first, before] = [await clientId(), await tokenNow()];
    const put = changeOf(await tenant.loadNew('client-credentials'));
    const second = await clientId();
    const statuses = new Set([await statusWith(before)]);
    const isRenewed = await run.time.until(
      async () => {
        const accessToken = await tokenNow();
        statuses.add(await statusWith(accessToken));
        return accessToken !== before || undefined;
      },
      { withinSec: SETTLED_SEC },
    );
    const done = changeOf(await back());
    const isBack = (await clientId()) === first;
    await run.sandbox('DELETE', '/credentials', { clientId: second });
    const refused = changeOf(await back());
    const isUnchanged = (await clientId()) === first;
    return answer(
      put === 'exit code 0, promoted' &&
        first !== second &&
        isRenewed === true &&
        [...statuses].join() === '200' &&
        done === 'exit code 0, promoted' &&
        isBack &&
        refused.startsWith('exit code 77') &&
        isUnchanged,
      [
        `put: ${put}, ${isRenewed ? 'a' : 'no'} new token, statuses ${[...statuses].join(', ')}`,
        `rollback: ${done}, ${isBack ? 'the previous ones again' : 'other ones'}`,
        `to revoked ones: ${refused}, ${isUnchanged ? 'nothing changed' : 'changed'}`,
      ].join('; '),
    );
  },
};

const apiKey: Question = {
  id: 'api-key',
  subject: 'A new API key, and one that revokes the key before it',
  reliedOn:
    'the restore API accepts a new one at once, and the one before for its grace period; with `--revoke-previous`, that one gets 401',
  promise: 'callers are never locked out by a rotation, and a leaked key opens nothing once it is revoked',
  otherwise: 'one or the other',
  pages: [`${SECRETS_GUIDE}/whats-in-a-secret.html`],
  async ask(run) {
    const tenant = run.tenants[0]!;
    const outcomeWith = (key: string) => tenant.restore(tenant.basic(key));
    const within = async (key: string, wanted: string) => {
      let outcome = '';
      const isThere = async () => (outcome = await outcomeWith(key)) === wanted || undefined;
      await run.time.until(isThere, { withinSec: SETTLED_SEC });
      return outcome;
    };
    const first = await tenant.apiKey();
    const changes = [changeOf(await tenant.loadNew('api-key'))];
    const second = await tenant.apiKey();
    const accepted = [await within(second, PUBLISHED), await outcomeWith(first)];
    changes.push(changeOf(await tenant.loadNew('api-key', '--revoke-previous')));
    const revoked = await within(second, '401 unauthorized');
    const third = await within(await tenant.apiKey(), PUBLISHED);
    return answer(
      changes.every((change) => change === 'exit code 0, promoted') &&
        [...accepted, third].every((outcome) => outcome === PUBLISHED) &&
        revoked === '401 unauthorized',
      `new: ${accepted[0]}; the one before: ${accepted[1]}; revoked: ${revoked}; the latest: ${third}`,
    );
  },
};

/** Alarms of what happened before clear within this time. */
const CLEARED_SEC = 900;

/** Enables or disables the schedule of token-sweep. */
export async function switchSweep(run: ProvenRun, State: 'ENABLED' | 'DISABLED'): Promise<void> {
  const Name = scheduleName(run.prefix, run.deployment, 'token-sweep');
  const { scheduler } = run.aws;
  const found = await scheduler.send(new GetScheduleCommand({ Name }));
  const { FlexibleTimeWindow, ScheduleExpression, ScheduleExpressionTimezone, Target, Description } = found;
  const kept = { FlexibleTimeWindow, ScheduleExpression, ScheduleExpressionTimezone, Target, Description };
  await scheduler.send(new UpdateScheduleCommand({ Name, State, ...kept }));
}

const doctor: Question = {
  id: 'doctor',
  subject:
    '`latchkey status` and `latchkey doctor` where all is well, and where somebody disabled a schedule',
  reliedOn:
    'where all is well, both exit with 0, with the permissions of an operator: no finding, no alarm, a warm-up instead of an alarm of a new stack; else both name the schedule, and `doctor --fix` enables it',
  promise: 'the command says what is wrong, nothing else, and its fix helps',
  otherwise: 'nobody trusts the command, or tokens expire although it says that all is well',
  pages: [
    'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotationRulesType.html',
  ],
  async ask(run) {
    const both = async () => [
      await run.latchkey<Findings>(['status']),
      await run.latchkey<Findings>(['doctor']),
    ];
    let calm = await both();
    await run.time.until(
      async () => {
        if (calm.every(({ exitCode }) => exitCode === 0)) return true;
        calm = await both();
        return undefined;
      },
      { withinSec: CLEARED_SEC, everySec: 60 },
    );
    await switchSweep(run, 'DISABLED');
    const found = await both();
    const fixed = await run.latchkey(['doctor', '--fix', '--yes']);
    const after = await run.latchkey<Findings>(['doctor']);
    if (after.exitCode !== 0) await switchSweep(run, 'ENABLED');
    const kinds = found.map(({ document }) => kindsIn(document));
    const codes = [...calm, ...found, fixed, after].map(({ exitCode }) => exitCode);
    return answer(
      codes.join() === '0,0,1,1,0,0' && kinds.every((each) => each.includes('schedule_disabled')),
      `exit codes ${codes.join(', ')}; findings: ${calm.flatMap(({ document }) => kindsIn(document)).join(', ') || 'none'}, then ${kinds[1]!.join(', ') || 'none'}`,
    );
  },
};

/** The main job after deploying and loading. */
export const MAIN_JOB = [doctor, token, restore, rotate, apiKey];
