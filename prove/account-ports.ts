import { qualifierIn } from '../cli/bootstrap-check';
import { sendHttps } from '../lambdas/shared/adapters/https-client';
import { type Caller, type CallerSurroundings } from './caller';
import { findDeployingPackages } from '../cli/deploying-packages';
import { type Ports } from './ports';
import { CdkStacks } from './stacks/cdk-stacks';
import { accountTime } from './time';

interface AccountOptions {
  readonly caller: Caller;
  readonly prefix: string;
  readonly surroundings: CallerSurroundings;
  readonly synthesize: Ports['synthesize'];
  /** Called for each line that `cdk` prints. */
  readonly onLine: (line: string) => void;
}

/** An AWS account, in which the command `cdk` deploys. */
export function accountPorts({ caller, prefix, surroundings, synthesize, onLine }: AccountOptions): Ports {
  const { settings, endpoint } = caller;
  const place = { ...caller.place, ...(endpoint !== undefined && { endpoint }) };
  const { workingDir, projectRoot, interrupted } = surroundings;
  const command = {
    ...{ profile: settings.profile, signal: interrupted, onLine },
    packageDir: findDeployingPackages(workingDir, projectRoot)['aws-cdk'],
  };
  return {
    place,
    clientConfig: () => settings,
    time: accountTime(interrupted),
    stacks: new CdkStacks({
      ...{ place, prefix, command, clientConfig: settings },
      qualifier: qualifierIn(workingDir),
    }),
    synthesize,
    sendRequest: sendHttps,
  };
}
