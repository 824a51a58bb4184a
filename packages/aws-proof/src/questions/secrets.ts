import { randomUUID } from 'node:crypto';

import { ReplicateSecretToRegionsCommand } from '@aws-sdk/client-secrets-manager';

import { PROVEN_TAG } from '../../../../core/rotation/proof-record';
import { answer, compare, notRun, outcomeOf, type Question } from '../question';
import { secretAt } from '../secret';

const api = (name: string) =>
  `https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_${name}.html`;
const guide = (page: string) => `https://docs.aws.amazon.com/secretsmanager/latest/userguide/${page}.html`;
const RACES = 5;

const READS = 10;

/** Latchkey writes at most as many versions in 24 h. */
const VERSION_BUDGET = 96;
const MAX_TRIED_VERSIONS = 130;

/** Regions that are enabled in every account of AWS's standard partition. */
const REGIONS = ['us-east-1', 'us-west-2'];

export const SECRET_QUESTIONS: readonly Question[] = [
  {
    id: 'request-token',
    subject: 'Two `PutSecretValue` at the same time with one `ClientRequestToken` and different values',
    reliedOn: 'exactly one is accepted, and the secret has its value',
    promise: 'of two renewals of a token at once one wins, and the other reads the winner’s token',
    pages: [api('PutSecretValue')],
    async ask(run) {
      const secret = await run.newSecret('0');
      const seen = new Set<string>();
      let decided = 0;
      for (let race = 1; race <= RACES; race += 1) {
        const token = randomUUID();
        const values = [`${race} a`, `${race} b`];
        const outcomes = await Promise.all(values.map((value) => outcomeOf(secret.put(value, token))));
        const winners = values.filter((_, index) => outcomes[index] === 'accepted');
        const { SecretString } = await secret.read();
        if (winners.length === 1 && winners[0] === SecretString) decided += 1;
        outcomes.forEach((outcome) => seen.add(outcome));
      }
      return answer(
        decided === RACES,
        `${decided} of ${RACES} times one of two won; outcomes: ${[...seen].sort().join(', ')}`,
      );
    },
  },
  {
    id: 'read-after-write',
    subject: 'A read by `VersionId` right after the version was written',
    reliedOn: 'finds it, each time',
    promise:
      'a service that has token-refresh ensure a token can read it at once, by the version in the answer',
    pages: [api('PutSecretValue'), api('GetSecretValue')],
    async ask(run) {
      const secret = await run.newSecret('0');
      let found = 0;
      for (let n = 1; n <= READS; n += 1)
        if ((await outcomeOf(secret.read(await secret.put(String(n))))) === 'accepted') found += 1;
      return answer(found === READS, `${found} of ${READS} reads found the version`);
    },
  },
  {
    id: 'unlabeled-version',
    subject: 'A version without labels, and its `CreatedDate`',
    reliedOn: '`GetSecretValue` with its `VersionId` returns it, always with the same date to the second',
    promise:
      'the last credential that worked is still readable after two that the platform refuses; a proven API key opens the restore API',
    pages: [guide('whats-in-a-secret'), api('GetSecretValue')],
    async ask(run) {
      const secret = await run.newSecret('one');
      const { VersionId, CreatedDate } = await secret.read();
      for (const value of ['two', 'three']) await secret.put(value);
      const look = async () => {
        const found = await secret.read(VersionId);
        const moved = (found.CreatedDate!.getTime() - CreatedDate!.getTime()) / 1000;
        return `${found.SecretString}, labels ${found.VersionStages?.join(', ') || 'none'}, date moved by ${moved} s`;
      };
      const reliedOn = 'one, labels none, date moved by 0 s';
      const seen = await run.settle(look, reliedOn).catch(({ name }: Error) => name);
      return compare({ 'the first of three versions': [seen, reliedOn] });
    },
  },
  {
    id: 'version-limit',
    subject: 'About 100 versions younger than 24 h',
    reliedOn: '`LimitExceededException`, not before the 97th; Latchkey stops at 96',
    promise: 'tokens of a short life are renewed all day, and a credential can still be loaded',
    pages: [guide('reference_limits'), api('PutSecretValue')],
    async ask(run) {
      const secret = await run.newSecret('1');
      for (let versions = 1; versions < MAX_TRIED_VERSIONS; versions += 1) {
        const outcome = await outcomeOf(secret.put(String(versions + 1)));
        if (outcome === 'LimitExceededException')
          return answer(versions >= VERSION_BUDGET, `${outcome} with ${versions} versions`);
        if (outcome !== 'accepted') return notRun(`${outcome} with ${versions} versions`);
      }
      return answer(false, `${MAX_TRIED_VERSIONS} versions were accepted`);
    },
  },
  {
    id: 'replicated-without-value',
    subject: 'A secret without a value that is replicated to another region',
    reliedOn:
      'its first value is replicated, or its replication is shown as `Failed`, which `latchkey doctor` reports',
    promise:
      'with `replicaRegions`, services in another region read the same tokens, or somebody learns why not',
    pages: [guide('replicate-secrets'), guide('replicate-secrets_troubleshoot')],
    async ask(run) {
      const { partition, region } = run.ports.location;
      if (partition !== 'aws') return notRun(`asked in the partition aws only, not in ${partition}`);
      const Region = REGIONS.find((other) => other !== region)!;
      const secret = await run.newSecret();
      const status = () =>
        run.settle(
          async () => (await secret.describe()).ReplicationStatus?.[0]?.Status ?? 'none',
          /^(?!InProgress)/,
        );
      const AddReplicaRegions = [{ Region }];
      const command = new ReplicateSecretToRegionsCommand({ SecretId: secret.id, AddReplicaRegions });
      await run.aws.secretsManager.send(command);
      const empty = await status();
      await secret.put('{}');
      const filled = await status();
      return compare({
        'without a value': [empty],
        'with its first value': [filled, /^(InSync|Failed)$/],
      });
    },
  },
  {
    id: 'describe-missing-secret',
    subject:
      '`DescribeSecret` on a name that does not exist, allowed on `*` with a condition on `secretsmanager:SecretId`',
    reliedOn: '`ResourceNotFoundException`',
    promise: 'a tenant that is configured and not deployed yet is no fault',
    pages: [
      'https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html',
      api('DescribeSecret'),
    ],
    async ask(run) {
      const describer = { aws: await run.as('Describer') };
      const outcome = (name: string) => outcomeOf(secretAt(describer, name).describe());
      const deployed = () => outcome(run.tenants[0]!.secretName('api-key'));
      return compare({
        'one that exists': [await run.settle(deployed, 'accepted'), 'accepted'],
        'a missing one': [await outcome(`${run.prefix}/missing`), 'ResourceNotFoundException'],
      });
    },
  },
];

/** The last question: it denies the caller to read secrets, which the others do. */
export const LAST_QUESTIONS: readonly Question[] = [
  {
    id: 'update-under-denial',
    subject:
      'CloudFormation’s update of secrets whose policy denies it `GetSecretValue`, and tags on them that no template declares',
    reliedOn: 'the update succeeds, and the tags stay: it removes and sets only what changed in the template',
    promise:
      '`secretReaders` locks nobody out of deploying, and an API key that is proven opens the restore API after an update, too',
    pages: [
      guide('auth-and-access_resource-policies'),
      'https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1707',
    ],
    slow: true,
    async ask(run) {
      const secret = secretAt(run, run.tenants[0]!.secretName('api-key'));
      const tagOf = async (key: string) => {
        const { Tags = [] } = await secret.describe();
        return Tags.find(({ Key }) => Key === key)?.Value ?? 'none';
      };
      const before = await tagOf(PROVEN_TAG);
      if (before === 'none') return notRun('the API key has no proof');
      const secretReaders = { breakGlassRoleArn: run.outputs.OperatorRoleArn };
      await run.deploy({ secretReaders });
      await run.deploy({ secretReaders, tags: { updated: 'yes' } });
      return compare({
        'new tag': [await tagOf('updated'), 'yes'],
        'the tag of the proof stayed': (await tagOf(PROVEN_TAG)) === before,
      });
    },
  },
];
