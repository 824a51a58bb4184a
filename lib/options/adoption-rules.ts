import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../core/deployment/platform';
import { CREDENTIAL_KINDS, credentialSecretName } from '../../core/secrets/secret-names';
import { type TenantKey } from '../../core/tokens/token-key';
import { lengthOf, MAX_RENAMED_LENGTH, renamedSecrets, secretNameOf } from './adoption';
import { type ConfigurationIssue } from './configuration-issue';
import { deploymentKeyOf, type Outline } from './outline';

type Deployment = NonNullable<Outline['deployments'][number]>;
type Tenant = NonNullable<Deployment['tenants'][number]>;

const FIELD_OF = { 'client-credentials': 'clientCredentials', 'api-key': 'apiKey' } as const;

const USUAL_FIELDS = {
  'client-credentials': { clientId: 'clientId', clientSecret: 'clientSecret' },
  'api-key': { apiKey: 'apiKey', validUntil: 'validUntil' },
};

/** The names of Latchkey's secrets, under any prefix. */
const LATCHKEY_NAME = new RegExp(
  `(^|/)[a-z][a-z0-9-]*/(${ENVIRONMENTS.join('|')})/(${PLATFORM_REGIONS.join('|')})/[^/]+/(${CREDENTIAL_KINDS.join('|')}|token/)`,
);

/** Violated rules about adopted secrets. Their names are free, but another deployment's secret cannot be adopted. */
export function adoptionIssues(
  { account, region }: Deployment,
  { adopt }: Tenant,
  prefix: string,
  key: TenantKey,
): ConfigurationIssue[] {
  return CREDENTIAL_KINDS.flatMap((kind) => {
    const secret = adopt[FIELD_OF[kind]];
    if (secret === undefined) return [];
    const { arn, fields = {} } = secret;
    const path = ['adopt', FIELD_OF[kind]];
    const issues: ConfigurationIssue[] = [];
    const [, , , arnRegion, arnAccount] = arn.split(':');
    if ((account ?? arnAccount) !== arnAccount || (region ?? arnRegion) !== arnRegion) {
      issues.push({ path, found: arn, allowed: 'a secret in the deployment’s account and region' });
    }
    const name = credentialSecretName(prefix, key, kind);
    if (secretNameOf(arn) !== name && LATCHKEY_NAME.test(secretNameOf(arn))) {
      const allowed = `the ARN of a secret named ${name}, or with a name that is not Latchkey’s`;
      issues.push({ path, found: arn, allowed });
    }
    const names = Object.entries({ ...USUAL_FIELDS[kind], ...fields });
    const twice = names.find(([, field], index) => names.findIndex(([, other]) => other === field) < index);
    if (twice !== undefined) {
      const allowed = 'a different name for each field';
      issues.push({ path: [...path, 'fields', twice[0]], found: twice[1], allowed });
    }
    return issues;
  });
}

/** Secrets adopted twice: both would rotate it, each to its own credential. Paths are relative to the tenant. */
export class AdoptedSecrets {
  private readonly adopters = new Map<string, string>();

  issues({ adopt }: Tenant, place: string): ConfigurationIssue[] {
    return CREDENTIAL_KINDS.flatMap((kind) => {
      const secret = adopt[FIELD_OF[kind]];
      if (secret === undefined) return [];
      const other = this.adopters.get(secret.arn);
      if (other === undefined) {
        this.adopters.set(secret.arn, `${place}.adopt.${FIELD_OF[kind]}`);
        return [];
      }
      const allowed = `a secret of its own; ${other} adopts this one`;
      return [{ path: ['adopt', FIELD_OF[kind]], found: secret.arn, allowed }];
    });
  }
}

/** Half of what the statement about the keys of replicas takes in a policy: each ARN of a secret is in it twice. */
const REPLICA_STATEMENT_LENGTH = 150;

/** Policies name each former key, and each adopted secret with a name of its own, and have room for a few. */
export function roomIssues(deployment: Deployment, prefix: string): ConfigurationIssue[] {
  const deploymentKey = deploymentKeyOf(deployment);
  if (deploymentKey === undefined) return [];
  const tenants = deployment.tenants.flatMap((tenant) =>
    tenant?.tenantId ? [{ tenantId: tenant.tenantId, tokens: [], adopted: tenant.adopt }] : [],
  );
  const renamed = renamedSecrets({ prefix, ...deploymentKey, tenants }, CREDENTIAL_KINDS);
  const formerKeys = deployment.formerKmsKeyArns;
  const replicaKeys = deployment.replicaRegions.flatMap((replica) => replica?.kmsKeyArn ?? []);
  const length =
    renamed.reduce((sum, secret) => sum + lengthOf(secret), 0) +
    formerKeys.join('').length +
    (replicaKeys.length === 0 ? 0 : REPLICA_STATEMENT_LENGTH + replicaKeys.join('').length);
  if (length <= MAX_RENAMED_LENGTH) return [];
  return [
    {
      path: ['tenants'],
      found:
        `${renamed.length} adopted secrets with names of their own` +
        `${formerKeys.length === 0 ? '' : ` and former keys (${formerKeys.length})`}` +
        `${replicaKeys.length === 0 ? '' : ` and keys of replicas (${replicaKeys.length})`}, whose ARNs have ${length} characters`,
      allowed:
        `at most ${MAX_RENAMED_LENGTH} characters, because IAM policies are limited in size and name each of them; ` +
        'for the other tenants, omit adopt and load their credentials again',
    },
  ];
}
