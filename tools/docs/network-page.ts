import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';

import { vpcEndpointName } from '../../contract/vpc-endpoints';
import { loadConfiguration } from '../../lib/config/load';
import { CALLS_PLATFORM } from '../../lib/constructs/internal/function-network';
import { addStacks } from '../../lib/stacks/add-stacks';

/**
 * Services that functions do not call themselves: Lambda writes their log lines, delivers what failed and creates network
 * interfaces, and Secrets Manager uses the key.
 */
const NOT_CALLED = ['ec2', 'kms', 'logs', 'sqs', 'sns', 'xray'];

interface Statement {
  Action: string | string[];
}

interface Template {
  Resources: Record<
    string,
    {
      Type: string;
      Properties: {
        Description?: string;
        Roles?: { Ref: string }[];
        PolicyDocument?: { Statement: Statement[] };
      };
    }
  >;
}

/** The table in `docs/network.md`: what each function calls, by the actions that its role allows. */
export function outboundTable(): string {
  const rows = [...servicesByFunction()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, services]) => {
      const endpoints = [...services].sort().map((service) => `\`${vpcEndpointName('REGION', service)}\``);
      return `| \`${name}\` | ${endpoints.join(', ')} | ${CALLS_PLATFORM.includes(name) ? 'yes' : 'no'} |`;
    });
  return [
    '| Function | Interface endpoints of AWS | Calls the platform |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function servicesByFunction(): Map<string, Set<string>> {
  const outdir = mkdtempSync(join(tmpdir(), 'latchkey-network-page-'));
  try {
    const app = new App({ outdir, treeMetadata: false, analyticsReporting: false });
    addStacks(app, loadConfiguration(join(__dirname, '../../config/local.json')));
    const services = new Map<string, Set<string>>();
    for (const { template } of app.synth().stacks) {
      const { Resources } = template as Template;
      for (const { Type, Properties } of Object.values(Resources)) {
        if (Type !== 'AWS::IAM::Policy') continue;
        for (const { Ref } of Properties.Roles ?? []) {
          const [, name] = /^Role of ([a-z-]+) of /.exec(Resources[Ref]?.Properties.Description ?? '') ?? [];
          if (name === undefined) continue;
          const called = services.get(name) ?? new Set<string>();
          services.set(name, called);
          const actions = (Properties.PolicyDocument?.Statement ?? []).flatMap(({ Action }) => Action);
          for (const service of actions.map((action) => action.split(':')[0]!)) {
            if (!NOT_CALLED.includes(service)) called.add(service);
          }
        }
      }
    }
    return services;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
