import { randomUUID } from 'node:crypto';

import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ReplicateSecretToRegionsCommand,
} from '@aws-sdk/client-secrets-manager';

import { PROVEN_TAG } from '../../../../core/rotation/proof-record';
import { type AwsClients } from '../clients';
import { type ProvenRun } from '../proven-run';
import { answer, notRun, outcomeOf, type Question } from '../question';

const api = (name: string) =>
  `https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_${name}.html`;
const guide = (page: string) => `https://docs.aws.amazon.com/secretsmanager/latest/userguide/${page}.html`;
/** A new policy is in force, and a version loses its last label, after some seconds. */
const SETTLED_SEC = 60;

async function put({ aws }: ProvenRun, SecretId: string, SecretString: string, ClientRequestToken?: string) {
  const command = new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken });
  return (await aws.secretsManager.send(command)).VersionId!;
}

const read = ({ aws }: ProvenRun, SecretId: string, VersionId?: string) =>
  aws.secretsManager.send(new GetSecretValueCommand({ SecretId, VersionId }));

const describe = ({ secretsManager }: AwsClients, SecretId: string) =>
  secretsManager.send(new DescribeSecretCommand({ SecretId }));

const RACES = 5;

const requestToken: Question = {
  id: 'request-token',
  subject: 'Two `PutSecretValue` at the same time with one `ClientRequestToken` and different values',
  reliedOn: 'exactly one is accepted, and the secret has its value',
  promise: 'of two renewals of a token at once one wins, and the other reads the winner’s token',
  otherwise: 'a token that was stored is lost, or two renewals count as one that failed',
  pages: [api('PutSecretValue')],
  async ask(run) {
    const secret = await run.secret('0');
    const seen = new Set<string>();
    let decided = 0;
    for (let race = 1; race <= RACES; race += 1) {
      const token = randomUUID();
      const values = [`${race} a`, `${race} b`];
      const outcomes = await Promise.all(values.map((value) => outcomeOf(put(run, secret, value, token))));
      const winners = values.filter((_, index) => outcomes[index] === 'accepted');
      const { SecretString } = await read(run, secret);
      if (winners.length === 1 && winners[0] === SecretString) decided += 1;
      outcomes.forEach((outcome) => seen.add(outcome));
    }
    return answer(
      decided === RACES,
      `${decided} of ${RACES} times one of two won; outcomes: ${[...seen].sort().join(', ')}`,
    );
  },
};

const READS = 10;

const readAfterWrite: Question = {
  id: 'read-after-write',
  subject: 'A read by `VersionId` right after the version was written',
  reliedOn: 'finds it, each time',
  promise:
    'a service that has token-refresh ensure a token can read it at once, by the version in the answer',
  otherwise: 'callers of token-refresh sometimes find no such version, and ask again',
  pages: [api('PutSecretValue'), api('GetSecretValue')],
  async ask(run) {
    const secret = await run.secret('0');
    let missed = 0;
    for (let n = 1; n <= READS; n += 1)
      if ((await outcomeOf(read(run, secret, await put(run, secret, String(n))))) !== 'accepted') missed += 1;
    return answer(missed === 0, `${READS - missed} of ${READS} reads found the version`);
  },
};

const unlabeledVersion: Question = {
  id: 'unlabeled-version',
  subject: 'A version without labels, and its `CreatedDate`',
  reliedOn: '`GetSecretValue` with its `VersionId` returns it, always with the same date to the second',
  promise:
    'the last credential that worked serves on after two that the platform refuses; a proven API key opens the restore API',
  otherwise: 'tokens are not renewed after a second refused credential; a proven key opens nothing for hours',
  pages: [guide('whats-in-a-secret'), api('GetSecretValue')],
  async ask(run) {
    const secret = await run.secret('one');
    const first = await read(run, secret);
    for (const value of ['two', 'three']) await put(run, secret, value);
    const unlabeled = await run.time
      .until(
        async () => {
          const found = await read(run, secret, first.VersionId);
          return (found.VersionStages ?? []).length === 0 ? found : undefined;
        },
        { withinSec: SETTLED_SEC },
      )
      .catch(({ name }: Error) => name);
    if (unlabeled === undefined) return answer(false, 'the first of three versions kept a label');
    if (typeof unlabeled === 'string') return answer(false, `the first of three versions: ${unlabeled}`);
    const movedMs = unlabeled.CreatedDate!.getTime() - first.CreatedDate!.getTime();
    return answer(
      unlabeled.SecretString === 'one' && movedMs === 0,
      `the first of three versions was read by its id; its date moved by ${movedMs / 1000} s`,
    );
  },
};

/** What Latchkey keeps below. */
const BUDGET = 96;
const TRIED = 130;

const versionLimit: Question = {
  id: 'version-limit',
  subject: 'About 100 versions younger than 24 h',
  reliedOn: '`LimitExceededException`, not before the 97th; Latchkey stops at 96',
  promise: 'tokens of a short life are renewed all day, and a credential can still be loaded',
  otherwise: 'the budget of writes is too large, and renewals fail; or too small',
  pages: [guide('reference_limits'), api('PutSecretValue')],
  async ask(run) {
    const secret = await run.secret('1');
    for (let versions = 1; versions < TRIED; versions += 1) {
      const outcome = await outcomeOf(put(run, secret, String(versions + 1)));
      if (outcome === 'LimitExceededException')
        return answer(versions >= BUDGET, `${outcome} with ${versions} versions`);
      if (outcome !== 'accepted') return notRun(`${outcome} with ${versions} versions`);
    }
    return answer(false, `${TRIED} versions were accepted`);
  },
};

const secretWithoutVersion: Question = {
  id: 'secret-without-version',
  subject: 'Reading a secret without any version',
  reliedOn: '`ResourceNotFoundException`, or a version without a value',
  promise: 'a credential that was never loaded is reported as such, and no alarm notifies of a new tenant',
  otherwise: 'functions report another fault, with the wrong advice',
  pages: [api('CreateSecret'), api('GetSecretValue')],
  async ask(run) {
    const found = await read(run, await run.secret()).catch(({ name }: Error) => name);
    if (typeof found === 'string') return answer(found === 'ResourceNotFoundException', found);
    return answer(found.SecretString === undefined, 'an answer of GetSecretValue');
  },
};

/** Regions that are enabled in every account of their partition, and one to use if the run is in it. */
const REGIONS: Readonly<Record<string, readonly [string, string]>> = {
  aws: ['us-east-1', 'us-west-2'],
  'aws-cn': ['cn-north-1', 'cn-northwest-1'],
  'aws-us-gov': ['us-gov-west-1', 'us-gov-east-1'],
};

const replicatedWithoutValue: Question = {
  id: 'replicated-without-value',
  subject: 'A secret without a value that is replicated to another region',
  reliedOn:
    'its first value is replicated, or its replication is shown as `Failed`, which `latchkey doctor` reports',
  promise:
    'with `replicaRegions`, services in another region read the same tokens, or somebody learns why not',
  otherwise: 'a new tenant’s secrets have no replicas, and nobody is notified',
  pages: [guide('replicate-secrets'), guide('replicate-secrets_troubleshoot')],
  async ask(run) {
    const Region = REGIONS[run.ports.place.partition]?.find((region) => region !== run.ports.place.region);
    if (Region === undefined) return notRun('a partition with one region only');
    const SecretId = await run.secret();
    const status = () =>
      run.time.until(
        async () => {
          const { ReplicationStatus: [replica] = [] } = await describe(run.aws, SecretId);
          return replica?.Status === 'InProgress' ? undefined : (replica?.Status ?? 'none');
        },
        { withinSec: 2 * SETTLED_SEC },
      );
    const command = new ReplicateSecretToRegionsCommand({ SecretId, AddReplicaRegions: [{ Region }] });
    await run.aws.secretsManager.send(command);
    const empty = await status();
    await put(run, SecretId, '{}');
    const filled = await status();
    return answer(
      filled === 'InSync' || filled === 'Failed',
      `without a value: ${empty ?? 'InProgress'}; with its first value: ${filled ?? 'InProgress'}`,
    );
  },
};

const describeMissingSecret: Question = {
  id: 'describe-missing-secret',
  subject:
    '`DescribeSecret` on a name that does not exist, allowed on `*` with a condition on `secretsmanager:SecretId`',
  reliedOn: '`ResourceNotFoundException`',
  promise: 'a tenant that is configured and not deployed yet is no fault',
  otherwise: 'it counts as `store_access_denied`, and an alarm notifies',
  pages: [
    'https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html',
    api('DescribeSecret'),
  ],
  async ask(run) {
    const describer = await run.as('Describer');
    const outcome = (SecretId: string) => outcomeOf(describe(describer, SecretId));
    const name = run.tenants[0]!.secretName('api-key');
    await run.time.until(async () => (await outcome(name)) === 'accepted' || undefined, {
      withinSec: SETTLED_SEC,
    });
    const [existing, missing] = [await outcome(name), await outcome(`${run.prefix}/missing`)];
    return answer(
      existing === 'accepted' && missing === 'ResourceNotFoundException',
      `one that exists: ${existing}; a missing one: ${missing}`,
    );
  },
};

const updateUnderDenial: Question = {
  id: 'update-under-denial',
  subject:
    'CloudFormation’s update of secrets whose policy denies it `GetSecretValue`, and tags on them that no template declares',
  reliedOn: 'the update succeeds, and the tags stay: it removes and sets only what changed in the template',
  promise:
    '`secretReaders` locks nobody out of deploying, and an API key that is proven opens the restore API after an update, too',
  otherwise:
    'a deployment with `secretReaders` cannot be changed; or every current key opens for 5 minutes after an update',
  pages: [
    guide('auth-and-access_resource-policies'),
    'https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1707',
  ],
  slow: true,
  async ask(run) {
    const SecretId = run.tenants[0]!.secretName('api-key');
    const tagOf = async (key: string) => {
      const { Tags = [] } = await describe(run.aws, SecretId);
      return Tags.find(({ Key }) => Key === key)?.Value;
    };
    const before = await tagOf(PROVEN_TAG);
    if (before === undefined) return notRun('the API key has no proof');
    const secretReaders = { breakGlassRoleArn: run.outputs.OperatorRoleArn };
    await run.deploy({ secretReaders });
    await run.deploy({ secretReaders, tags: { updated: 'yes' } });
    const [updated, after] = [await tagOf('updated'), await tagOf(PROVEN_TAG)];
    return answer(
      updated === 'yes' && after === before,
      `the secret was ${updated === 'yes' ? '' : 'not '}updated; the tag of its proof ${after === before ? 'stayed' : 'is gone'}`,
    );
  },
};

export const SECRET_QUESTIONS = [
  requestToken,
  readAfterWrite,
  unlabeledVersion,
  versionLimit,
  secretWithoutVersion,
  replicatedWithoutValue,
  describeMissingSecret,
];

/** Denies the caller what others ask of, so it comes last. */
export const LAST_QUESTIONS = [updateUnderDenial];
