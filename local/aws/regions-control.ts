import { type Account, type Outage } from '../account';
import { type Clock } from '../interfaces';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { syncReplicas } from './secrets-manager/replication';

const FUNCTIONS: readonly Outage['functions'][] = ['go-on', 'cut-off'];
const MEETS: readonly Outage['meets'][] = ['broken', 'unavailable', 'silence'];
const EMPTY_SECRETS = ['replicated', 'failed'] as const;

/**
 * Sets how the account's regions do: `{"cutOff"?: ["eu-west-1"], "functions"?: "go-on" | "cut-off", "meets"?: "broken" |
 * "unavailable" | "silence", "lagSec"?: 1, "emptySecrets"?: "replicated" | "failed"}`. Without `cutOff`, none is cut off;
 * the others are as before.
 * @throws {AwsError} ValidationException naming the invalid member
 */
export function changeRegions(input: Input, account: Account, clock: Clock): object {
  input.refuseOtherThan(['cutOff', 'functions', 'meets', 'lagSec', 'emptySecrets']);
  const { replication, outages } = account;
  const cutOff = input.optionalTexts('cutOff', { min: 0, max: 10 }) ?? [];
  const unknown = cutOff.find((region) => !account.knows(region));
  if (unknown !== undefined)
    throw new AwsError('ValidationException', `cutOff: the account has nothing in ${unknown}`);
  const outage: Outage = {
    functions: oneOf(input, 'functions', FUNCTIONS) ?? 'go-on',
    meets: oneOf(input, 'meets', MEETS) ?? 'broken',
  };
  // What arrived before.
  syncReplicas(account, clock.nowMs());
  replication.lagSec = input.optionalInteger('lagSec', { min: 0, max: 86_400 }) ?? replication.lagSec;
  replication.emptySecrets = oneOf(input, 'emptySecrets', EMPTY_SECRETS) ?? replication.emptySecrets;
  outages.clear();
  for (const region of cutOff) outages.set(region, outage);
  syncReplicas(account, clock.nowMs());
  return { cutOff, ...replication };
}

function oneOf<Value extends string>(
  input: Input,
  name: string,
  allowed: readonly Value[],
): Value | undefined {
  const found = input.optionalText(name);
  if (found === undefined) return undefined;
  const value = allowed.find((each) => each === found);
  if (value !== undefined) return value;
  throw new AwsError('ValidationException', `${name}: allowed: ${allowed.join(', ')}`);
}
