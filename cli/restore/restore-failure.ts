import { START_AGAIN } from '../../core/findings/inspect';
import { parameterName } from '../../core/deployment/parameter-names';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { type RestoreFailure } from './answer';
import { FAILURES } from './outcome-kinds';

/** The error that a failed restore ends with. */
export function failureFor(answer: RestoreFailure, chosen: ChosenTenant): CommandError {
  const { outcome, status, requestId, detail } = answer;
  const source = [status, requestId && `request ${requestId}`]
    .filter((each) => each !== undefined)
    .join(', ');
  const { exit, advice } = FAILURES[outcome];
  const { deployment, system } = chosen;
  return new CommandError(
    EXIT[exit],
    outcome,
    `${outcome}${source === '' ? '' : ` (${source})`}: ${detail.replace(/\.$/, '')}`,
    {
      advice: advice({
        doctor: tenantCommand(chosen, 'doctor'),
        deploy: system.flags.includes('--local') ? START_AGAIN : `npx cdk deploy '${deployment.stackName}*'`,
        operatorPolicy: parameterName(deployment.prefix, deployment, 'operator-policy-arn'),
      }),
      details: { ...(status !== undefined && { status }), ...(requestId !== undefined && { requestId }) },
    },
  );
}
