import { parameterName } from '../../contract/parameter-names';
import { CommandError } from '../command-error';
import { commandFor } from '../command-text';
import { type ChosenTenant } from '../system';
import { type RestoreFailure } from './answer';
import { type FailureCode, failureOf } from './outcome-kinds';

/** What a command ends with that met this answer. */
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

/** What to do after an outcome: a sentence or two. */
function adviceFor(code: FailureCode, chosen: ChosenTenant): string {
  const { stackName, prefix } = chosen.deployment;
  const doctor = commandFor(chosen, 'doctor');
  switch (code) {
    case 'outcome_unknown':
      return 'Look whether the content is published. Only if it is still archived, restore it again.';
    case 'api_unreachable':
    case 'internal_error':
    case 'platform_failed':
    case 'platform_unreachable':
      return 'Nothing was modified: run the same command again in a minute.';
    case 'too_many_requests':
      return 'Nothing was modified: run the same command again in a minute; where a quota is used up, in its next period.';
    case 'platform_refused_token':
    case 'token_unavailable':
    case 'unauthorized':
      return `Nothing was modified. Why, and what to do: ${doctor}`;
    case 'forbidden':
      return (
        'Nothing was modified. Where callers sign as AWS principals, the policy with this right is the one that SSM ' +
        `parameter ${parameterName(prefix, chosen.deployment, 'operator-policy-arn')} names; otherwise it is the platform ` +
        'that does not permit it.'
      );
    case 'restore_unavailable':
      return `Nothing was begun. Once the platform offers it, set restore.available and deploy: npx cdk deploy '${stackName}*'`;
    case 'unknown_tenant':
    case 'unknown_route':
      return `Nothing was begun. What is deployed is older than the configuration, or newer: npx cdk deploy '${stackName}*'`;
    case 'not_archived':
      return 'There is nothing to do where it is published: an earlier attempt may have restored it.';
    case 'content_not_found':
      return 'Nothing was modified. Check the id, and that it is one of this tenant.';
    case 'rejected_by_platform':
    case 'invalid_request':
    case 'body_too_large':
      return 'Nothing was modified. Correct --author-ref or --collaboration-id: they have to be of this tenant.';
    case 'malformed_json':
    case 'malformed_request':
    case 'unsupported_media_type':
      return 'Nothing was modified. The command and the restore API do not fit: deploy with the version that the command has.';
  }
}
