import { parameterName } from '../../core/deployment/parameter-names';
import { CommandError } from '../command-error';
import { commandFor } from '../command-text';
import { type ChosenTenant } from '../system';
import { type RestoreFailure } from './answer';
import { type FailureCode, failureOf } from './outcome-kinds';

/** The error that a failed restore ends with. */
export function failureFor(answer: RestoreFailure, chosen: ChosenTenant): CommandError {
  const { outcome, status, requestId, detail } = answer;
  const told = [status, requestId && `request ${requestId}`].filter((each) => each !== undefined).join(', ');
  return new CommandError(
    failureOf(outcome).exitCode,
    outcome,
    `${outcome}${told === '' ? '' : ` (${told})`}: ${detail.replace(/\.$/, '')}`,
    {
      advice: adviceFor(outcome, chosen),
      details: { ...(status !== undefined && { status }), ...(requestId !== undefined && { requestId }) },
    },
  );
}

/** What to do after an outcome. */
function adviceFor(code: FailureCode, chosen: ChosenTenant): string {
  const { stackName, prefix } = chosen.deployment;
  const doctor = commandFor(chosen, 'doctor');
  switch (code) {
    case 'outcome_unknown':
      return 'Check whether the content is published. Restore it again only if it is still archived.';
    case 'api_unreachable':
    case 'internal_error':
    case 'platform_failed':
    case 'platform_unreachable':
      return 'Nothing was modified. Run the same command again in a minute.';
    case 'too_many_requests':
      return 'Nothing was modified. Run the same command again in a minute, or in the next period if a quota is used up.';
    case 'platform_refused_token':
    case 'token_unavailable':
    case 'unauthorized':
      return `Nothing was modified. To find out why: ${doctor}`;
    case 'forbidden':
      return (
        'Nothing was modified. In iam mode, attach the policy that the SSM parameter ' +
        `${parameterName(prefix, chosen.deployment, 'operator-policy-arn')} names. Otherwise, the platform does not ` +
        'permit it.'
      );
    case 'restore_unavailable':
      return (
        'Nothing was modified. Once the platform offers restore, set restore.available, restore.method and ' +
        `restore.path as it documents them, and deploy: npx cdk deploy '${stackName}*'`
      );
    case 'unknown_tenant':
    case 'unknown_route':
      return `Nothing was modified. The deployment differs from the configuration; deploy it: npx cdk deploy '${stackName}*'`;
    case 'not_archived':
      return 'If the content is published, no action is needed: an earlier attempt may have restored it.';
    case 'content_not_found':
      return 'Nothing was modified. Check the id, and that it belongs to this tenant.';
    case 'content_or_operation_not_found':
      return `Nothing was modified. Check the id, and whether the platform offers restore: ${doctor}`;
    case 'rejected_by_platform':
    case 'invalid_request':
    case 'body_too_large':
      return 'Nothing was modified. Correct --author-ref or --collaboration-id: both must belong to this tenant.';
    case 'malformed_json':
    case 'malformed_request':
    case 'unsupported_media_type':
      return 'Nothing was modified. The command and the restore API have different versions: deploy with the command’s version.';
  }
}
