import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../core/deployment/platform';
import { type AdoptedSecret } from '../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS, type CredentialKind, credentialSecretName } from '../../core/secrets/secret-names';
import { type TenantKey } from '../../core/tokens/token-key';
import { arnsLength, MAX_NAMED_ARNS_LENGTH, renamedSecrets, secretNameOf } from './adoption';
import { type ConfigurationIssue } from './configuration-issue';
import { replicasOf } from './replica-regions-settings';
import { wellFormedKeyOf, type WellFormedDeployment, type WellFormedTenant } from './well-formed';

const FIELD_OF = { 'client-credentials': 'clientCredentials', 'api-key': 'apiKey' } as const;

const DEFAULT_FIELDS = {
  'client-credentials': { clientId: 'clientId', clientSecret: 'clientSecret' },
  'api-key': { apiKey: 'apiKey', validUntil: 'validUntil' },
};

/** The names of Latchkey's secrets, under any prefix. */
const LATCHKEY_NAME = new RegExp(
  `(^|/)[a-z][a-z0-9-]*/(${ENVIRONMENTS.join('|')})/(${PLATFORM_REGIONS.join('|')})/[^/]+/(${CREDENTIAL_KINDS.join('|')}|token/)`,
);

/** The secret that a tenant adopts for a credential. */
function adoptedBy({ adopt }: WellFormedTenant, kind: CredentialKind): AdoptedSecret | undefined {
  const secret = adopt?.[FIELD_OF[kind]];
  if (typeof secret === 'string') return { arn: secret };
  return secret?.arn === undefined ? undefined : { ...secret, arn: secret.arn };
}

/** Violated rules about adopted secrets. Their names are free, but another deployment's secret cannot be adopted. */
export function adoptionIssues(
  { account, region }: WellFormedDeployment,
  tenant: WellFormedTenant,
  prefix: string,
  key: TenantKey,
): ConfigurationIssue[] {
  return CREDENTIAL_KINDS.flatMap((kind) => {
    const secret = adoptedBy(tenant, kind);
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
    const names = Object.entries({ ...DEFAULT_FIELDS[kind], ...fields });
    const repeated = names.find(
      ([, field], index) => names.findIndex(([, other]) => other === field) < index,
    );
    if (repeated !== undefined) {
      const allowed = 'a different name for each field';
      issues.push({ path: [...path, 'fields', repeated[0]], found: repeated[1], allowed });
    }
    return issues;
  });
}

/** Finds secrets that two tenants adopt: each would rotate the secret to its own credential. Paths are relative to the tenant. */
export class AdoptedSecrets {
  private readonly adopters = new Map<string, string>();

  /** @param tenantPath for messages, such as `deployments[0].tenants[1]` */
  issues(tenant: WellFormedTenant, tenantPath: string): ConfigurationIssue[] {
    return CREDENTIAL_KINDS.flatMap((kind) => {
      const secret = adoptedBy(tenant, kind);
      if (secret === undefined) return [];
      const other = this.adopters.get(secret.arn);
      if (other === undefined) {
        this.adopters.set(secret.arn, `${tenantPath}.adopt.${FIELD_OF[kind]}`);
        return [];
      }
      const allowed = `a secret of its own; ${other} adopts this one`;
      return [{ path: ['adopt', FIELD_OF[kind]], found: secret.arn, allowed }];
    });
  }
}

/** Half the length of the statement about replica keys: the limit counts each ARN once, and the policy names it twice. */
const REPLICA_STATEMENT_LENGTH = 150;

/** Policies name each former key, replica key and renamed adopted secret one by one, and have room for a few. */
export function policySizeIssues(deployment: WellFormedDeployment, prefix: string): ConfigurationIssue[] {
  const deploymentKey = wellFormedKeyOf(deployment);
  if (deploymentKey === undefined) return [];
  const tenants = (deployment.tenants ?? []).flatMap((tenant) => {
    if (tenant?.tenantId === undefined) return [];
    const clientCredentials = adoptedBy(tenant, 'client-credentials');
    const adopted = { clientCredentials, apiKey: adoptedBy(tenant, 'api-key') };
    return [{ tenantId: tenant.tenantId, tokens: [], adopted }];
  });
  const renamed = renamedSecrets({ prefix, ...deploymentKey, tenants }, CREDENTIAL_KINDS);
  const formerKeys = deployment.formerKmsKeyArns ?? [];
  const replicaKeys = replicasOf(deployment.replicaRegions).flatMap((replica) => replica?.kmsKeyArn ?? []);
  const length =
    renamed.reduce((sum, secret) => sum + arnsLength(secret), 0) +
    formerKeys.join('').length +
    (replicaKeys.length === 0 ? 0 : REPLICA_STATEMENT_LENGTH + replicaKeys.join('').length);
  if (length <= MAX_NAMED_ARNS_LENGTH) return [];
  return [
    {
      path: ['tenants'],
      found:
        `${renamed.length} adopted secrets with names of their own` +
        `${formerKeys.length === 0 ? '' : ` and former keys (${formerKeys.length})`}` +
        `${replicaKeys.length === 0 ? '' : ` and keys of replicas (${replicaKeys.length})`}, whose ARNs have ${length} characters`,
      allowed:
        `at most ${MAX_NAMED_ARNS_LENGTH} characters, because IAM policies are limited in size and name each of them; ` +
        'for the other tenants, omit adopt and load their credentials again',
    },
  ];
}
