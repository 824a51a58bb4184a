import { type Quotas } from '../options/quota-settings';
import { type Configuration, type DeploymentConfiguration } from '../options/schema';
import { withPageLinks } from '../../core/commands/page-links';
import { deploymentStackName, tenantStackName } from '../../core/deployment/stack-names';
import { deploymentText } from '../../core/tokens/token-key';
import { costSummary, count, grouped, quotaSummary, usd } from './cost-summary';
import { type CountedTemplate } from './inventory';
import { afterFreeTier, monthlyPrice } from './monthly-price';
import { PRICES_READ_ON } from './prices';
import { exceededUses, type QuotaUse, quotaUse } from './quotas';
import { sum } from './sum';

interface SynthesizedStack {
  stackName: string;
  /** Unknown parts have CDK's placeholders, such as `unknown-account`. */
  environment: { account: string; region: string };
  template: CountedTemplate;
}

export interface SynthesizedConfiguration {
  configuration: Configuration;
  stacks: readonly SynthesizedStack[];
}

/** What a synthesis says: costs, quotas, and notices about the deployments. */
export interface CostReport {
  lines: string[];
  /** Quotas that are too small for the deployments, as faults of the configuration. */
  faults: string[];
}

/** Prices each deployment, and adds up the quotas of each account and AWS region. */
export function costReport(synthesized: readonly SynthesizedConfiguration[]): CostReport {
  const costed = synthesized.flatMap(costedDeployments);
  const stacks = synthesized.flatMap((each) => each.stacks);
  const locations = [...new Set(stacks.map(locationOf))];
  const quotas = locations.map((location) => {
    const here = costed.filter((each) => each.location === location).map(({ deployment }) => deployment);
    // By name, because stages in one location share the stack of API Gateway’s logging role.
    const byName = new Map(
      stacks.filter((stack) => locationOf(stack) === location).map((stack) => [stack.stackName, stack]),
    );
    const settings = synthesized
      .filter((each) => each.stacks.some((stack) => locationOf(stack) === location))
      .reduce<Quotas>((all, { configuration }) => ({ ...all, ...configuration.quotas }), {});
    const templates = [...byName.values()].map(({ template }) => template);
    return { location, uses: quotaUse(here, templates, settings) };
  });
  const totalUsd = sum(costed.map(({ price }) => price.totalUsd));
  const accounts = [...new Set(costed.map(({ account }) => account))];
  const paidUsd = sum(
    accounts.map((account) =>
      afterFreeTier(costed.filter((each) => each.account === account).map(({ price }) => price)),
    ),
  );
  return {
    lines: [
      ...costed.flatMap(({ deployment, price }) => costSummary(deployment, price)),
      `${count(costed.length, 'deployment')}, list prices of us-east-1 read on ${PRICES_READ_ON}, without restores: about USD ${usd(totalUsd)} a month`,
      `  about USD ${usd(paidUsd)} after AWS’s free tier, if nothing else in ${accounts.length === 1 ? 'the account' : 'these accounts'} uses it`,
      ...quotas.flatMap(({ location, uses }) => quotaSummary(uses, location)),
      withPageLinks('Details: docs/costs.md'),
      ...new Set(stacks.flatMap(loggingRoleNotice)),
      ...costed.flatMap(({ deployment }) => keyNotice(deployment)),
      ...concurrencyNotice(costed.map(({ deployment }) => deployment)),
    ],
    faults: quotas.flatMap(({ location, uses }) => exceededUses(uses).map((use) => faultLine(use, location))),
  };
}

function costedDeployments({ configuration, stacks }: SynthesizedConfiguration) {
  const { prefix, deployments } = configuration;
  return deployments.map((deployment) => {
    const stackName = deploymentStackName(prefix, deployment);
    const names = deployment.tenants.map(({ tenantId }) => tenantStackName(prefix, deployment, tenantId));
    const ownNames = new Set([stackName, ...names]);
    const own = stacks.filter((stack) => ownNames.has(stack.stackName));
    const templates = own.map(({ template }) => template);
    const { account } = own[0]!.environment;
    const price = monthlyPrice(deployment, templates);
    return { deployment, account, location: locationOf(own[0]!), price };
  });
}

/** CloudFormation replaces an account's logging role without a word, so the synthesis says it. */
function loggingRoleNotice(stack: SynthesizedStack): string[] {
  const resources = Object.values(stack.template.Resources ?? {});
  if (!resources.some(({ Type }) => Type === 'AWS::ApiGateway::Account')) return [];
  return [
    `API Gateway’s logging role ${locationOf(stack)} becomes that of the stack ${stack.stackName}\n` +
      '  Other teams’ APIs would log with it too. To keep the account’s role: "apiGatewayAccount": "existing"',
  ];
}

/** Only people know whether the key is a new one. An empty list says that there was none before. */
function keyNotice(deployment: DeploymentConfiguration): string[] {
  const { kmsKeyArn, formerKmsKeyArns } = deployment;
  if (kmsKeyArn === undefined || formerKmsKeyArns !== undefined) return [];
  return [
    `${deploymentText(deployment)}: if its secrets have another key than kmsKeyArn now, list that in formerKmsKeyArns`,
    '  Otherwise reads fail until every tenant’s stack is deployed. If there is none: "formerKmsKeyArns": []',
  ];
}

/** A synthesis cannot ask the account, so it names the command that does. */
function concurrencyNotice(deployments: readonly DeploymentConfiguration[]): string[] {
  const names = deployments
    .filter(({ reservedConcurrency }) => reservedConcurrency === undefined)
    .map(deploymentText);
  if (names.length === 0) return [];
  return [
    `No concurrency is reserved for ${names.join(', ')}, so a renewal may cost more than one token request`,
    '  To reserve it, if the account has room (latchkey doctor says): "reservedConcurrency": 1. To leave it: "none"',
  ];
}

/** Names the region and account of a stack: `in eu-west-1 of account 111122223333`. */
function locationOf({ environment: { account, region } }: SynthesizedStack): string {
  const where = region === 'unknown-region' ? 'in your AWS region' : `in ${region}`;
  return account === 'unknown-account' ? `${where} of your account` : `${where} of account ${account}`;
}

function faultLine({ used, limit, what, setting, remedy }: QuotaUse, location: string): string {
  const allowed = `at most ${grouped(limit)}`;
  if (setting === undefined)
    return `deployments: found ${grouped(used)} ${what} ${location}; allowed: ${allowed}`;
  return `quotas.${setting}: found ${grouped(used)} ${what} ${location}; allowed: ${allowed}, or the higher quota that AWS has granted you${remedy === undefined ? '' : `, or ${remedy}`}`;
}
