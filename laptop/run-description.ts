import {
  adoptedSecret,
  type DeploymentFile,
  type DeploymentTenant,
} from '../core/deployment/deployment-file';
import { type LocalDeployment, type LocalTenant } from '../core/deployment/local-run';
import { parameterName, type ParameterLeaf } from '../core/deployment/parameter-names';
import { type CredentialKind, credentialSecretName, tokenSecretName } from '../core/secrets/secret-names';
import {
  deploymentKeyOf,
  deploymentText,
  isSameDeployment,
  tenantKeyOf,
  tokenKeyOf,
} from '../core/tokens/token-key';
import { type Account, HostError, type ProvisionedStack } from 'cdk-on-loopback';
import { distinctDeployments } from './served-deployments';
import { type SandboxTenant } from './sandbox-control';

const FUNCTIONS: Record<keyof LocalDeployment['functions'], ParameterLeaf> = {
  tokenRefresh: 'token-refresh-arn',
  tokenSweep: 'token-sweep-arn',
  restore: 'restore-arn',
  rotateCredentials: 'rotate-credentials-arn',
  credentialWatch: 'credential-watch-arn',
};

/** Looks up where a stage of a REST API is served. */
interface StageAddresses {
  urlOf(restApiId: string, stageName: string): string;
}

/**
 * Describes the running deployments for `local.json`: one entry for each deployment with functions.
 * @throws {HostError} `incomplete_deployment` if a deployment lacks a secret, or the sandbox lacks a tenant of the learning platform
 */
export function describeDeployments(
  account: Account,
  stacks: readonly ProvisionedStack[],
  sandboxTenants: readonly SandboxTenant[],
  apiGateway: StageAddresses,
): LocalDeployment[] {
  return deploymentFiles(account).map((file) => {
    const { prefix, platform, profile, tenants } = file;
    const nameOf = (leaf: ParameterLeaf): string => parameterName(prefix, file, leaf);
    const apiUrl = account.parameters.get(nameOf('restore-api-url'))?.value;
    const functions = Object.entries(FUNCTIONS).flatMap(([key, leaf]) => {
      const arn = account.parameters.get(nameOf(leaf))?.value;
      return arn === undefined ? [] : [[key, arn] as const];
    });
    return {
      ...deploymentKeyOf(file),
      stack: stackWith(nameOf('key-arn'), stacks),
      functions: Object.fromEntries(functions),
      ...(apiUrl === undefined ? {} : { restoreApiUrl: localStageUrl(apiUrl, apiGateway, stacks) }),
      platform,
      profile,
      tenants: tenants.map((tenant) => describeTenant(account, file, tenant, sandboxTenants)),
    };
  });
}

/** The local URL of a stage, from the URL on AWS that the template gives: of the stage, or of a domain name mapped to it. */
function localStageUrl(url: string, apiGateway: StageAddresses, stacks: readonly ProvisionedStack[]): string {
  const { hostname, pathname } = new URL(url);
  const mappings = stacks
    .flatMap(({ resources }) => [...resources.values()])
    .filter(({ type }) => type === 'AWS::ApiGateway::BasePathMapping')
    .map(({ properties }) => properties as { DomainName: string; RestApiId: string; Stage: string });
  const mapping = mappings.find(({ DomainName }) => DomainName === hostname);
  return mapping === undefined
    ? apiGateway.urlOf(hostname.split('.')[0]!, pathname.split('/')[1]!)
    : apiGateway.urlOf(mapping.RestApiId, mapping.Stage);
}

/** The ARNs of the operator policies of all deployments. */
export function operatorPolicyArns(account: Account): string[] {
  return deploymentFiles(account).flatMap((file) => {
    const arn = account.parameters.get(parameterName(file.prefix, file, 'operator-policy-arn'))?.value;
    return arn === undefined ? [] : [arn];
  });
}

/** The deployment file of each deployment. */
export function deploymentFiles(account: Account): DeploymentFile[] {
  return distinctDeployments([...account.functions.values()].map(({ codeDir }) => codeDir));
}

function stackWith(parameter: string, stacks: readonly ProvisionedStack[]): string {
  const found = stacks.find(({ resources }) => [...resources.values()].some(({ ref }) => ref === parameter));
  if (!found) throw new HostError('incomplete_deployment', `no stack has the SSM parameter ${parameter}`);
  return found.name;
}

function describeTenant(
  account: Account,
  file: DeploymentFile,
  { tenantId, tokens, apiKey, parameters }: DeploymentTenant,
  sandboxTenants: readonly SandboxTenant[],
): LocalTenant {
  const { prefix } = file;
  const tenant = tenantKeyOf(file, tenantId);
  const credential = (kind: CredentialKind): string =>
    adoptedSecret(file, tenant, kind)?.arn ?? secretArn(account, credentialSecretName(prefix, tenant, kind));
  const inSandbox = sandboxTenants.find((each) => each.tenantId === tenantId && isSameDeployment(each, file));
  if (!inSandbox && file.issuer === undefined)
    throw new HostError(
      'incomplete_deployment',
      `the sandbox has no tenant ${tenantId} in ${deploymentText(file)}`,
    );
  return {
    tenantId,
    clientCredentialsArn: credential('client-credentials'),
    ...(parameters && { parameters }),
    ...(apiKey !== false && { apiKeyArn: credential('api-key') }),
    tokens: tokens.map((token) => ({
      ...token,
      arn: secretArn(account, tokenSecretName(prefix, tokenKeyOf(tenant, token))),
    })),
    archivedContentIds: inSandbox?.archivedContentIds ?? [],
    authorRefs: inSandbox?.authorRefs ?? [],
    collaborationIds: inSandbox?.collaborationIds ?? [],
  };
}

function secretArn(account: Account, name: string): string {
  const secret = account.secrets.named(name);
  if (!secret) throw new HostError('incomplete_deployment', `no stack has the secret ${name}`);
  return secret.arn;
}
