import { randomUUID } from 'node:crypto';

import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  DescribeParametersCommand,
  GetParameterCommand,
  type ParameterMetadata,
  PutParameterCommand,
} from '@aws-sdk/client-ssm';

import { parseJsonObject } from '../../contract/json-object';
import { callAws } from '../call-aws';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { editJson } from '../init/edit-json';
import { type Deployment } from '../system';
import { type FieldSource, type Place } from './source-map';

/** A value, and whether a text already says the same. */
export interface Wanted {
  readonly value: string;
  readonly isSame: (text: string) => boolean;
}

/** Writes are never interrupted: their outcome would be unknown. */
const NEVER = new AbortController().signal;

/** Where credentials are outside Latchkey, as one deployment's account and this process have them. */
export class Places {
  readonly #deployment: Deployment;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #interrupted: AbortSignal;
  readonly #read = new Map<string, Promise<string>>();

  constructor(
    deployment: Deployment,
    env: Readonly<Record<string, string | undefined>>,
    interrupted: AbortSignal,
  ) {
    this.#deployment = deployment;
    this.#env = env;
    this.#interrupted = interrupted;
  }

  /** The text of a place, read once. @throws {CommandError} which never quotes the text */
  text(place: Place): Promise<string> {
    const key = placeText(place);
    const known = this.#read.get(key) ?? this.#readText(place);
    this.#read.set(key, known);
    return known;
  }

  /** The text of a place as it is now. @throws {CommandError} which never quotes the text */
  textNow(place: Place): Promise<string> {
    return this.#readText(place);
  }

  /** The value of a field, as it is there. @throws {CommandError} which never quotes the text */
  async value(source: FieldSource): Promise<string> {
    if ('literal' in source) return source.literal;
    const text = await this.text(source.place);
    if (source.field === undefined) return text;
    const object = parseJsonObject(text);
    if (object === undefined) throw unreadable(source.place, 'is no JSON object');
    const value = object[source.field];
    if (value === undefined) throw unreadable(source.place, `has no field ${source.field}`);
    if (typeof value !== 'string') throw unreadable(source.place, `has no text in its field ${source.field}`);
    return value;
  }

  /**
   * Writes a place's text: with the type, key and tier of a parameter, or as a new current version of a secret.
   * @throws {CommandError}
   */
  async write(place: Place, text: string): Promise<void> {
    if (place.type === 'secret') {
      await this.#call('secretsmanager:PutSecretValue', place, NEVER, (options) =>
        this.#deployment.secretsManager.send(
          new PutSecretValueCommand({
            SecretId: place.name,
            ClientRequestToken: randomUUID(),
            SecretString: text,
          }),
          options,
        ),
      );
      return;
    }
    const { Type, KeyId, Tier, DataType } = await this.#describe(place);
    await this.#call('ssm:PutParameter', place, NEVER, (options) =>
      this.#deployment.ssm.send(
        // Without a key or tier, Parameter Store takes the account's defaults instead of those of the parameter.
        // @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html
        new PutParameterCommand({
          Name: place.name,
          Value: text,
          Overwrite: true,
          Type,
          KeyId,
          Tier,
          DataType,
        }),
        options,
      ),
    );
  }

  async #readText(place: Place): Promise<string> {
    if (place.type === 'environment') {
      const value = this.#env[place.name];
      if (value === undefined || value === '') throw unreadable(place, 'is not set');
      return value;
    }
    await this.#requireRegion(place);
    if (place.type === 'secret') {
      const { SecretString } = await this.#call(
        'secretsmanager:GetSecretValue',
        place,
        this.#interrupted,
        (options) =>
          this.#deployment.secretsManager.send(new GetSecretValueCommand({ SecretId: place.name }), options),
      );
      if (SecretString === undefined) throw unreadable(place, 'has a binary value');
      return SecretString;
    }
    const { Parameter } = await this.#call('ssm:GetParameter', place, this.#interrupted, (options) =>
      this.#deployment.ssm.send(new GetParameterCommand({ Name: place.name, WithDecryption: true }), options),
    );
    return Parameter?.Value ?? '';
  }

  /**
   * A page without a parameter may not be the last one.
   * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeParameters.html
   */
  async #describe(place: Place): Promise<ParameterMetadata> {
    const bare = place.name.replace(/^arn:[^:]+:ssm:[^:]*:[^:]*:parameter/, '');
    const ParameterFilters = [{ Key: 'Name', Option: 'Equals', Values: [bare] }];
    let NextToken: string | undefined;
    do {
      const command = new DescribeParametersCommand({ ParameterFilters, NextToken });
      const page = await this.#call('ssm:DescribeParameters', place, NEVER, (options) =>
        this.#deployment.ssm.send(command, options),
      );
      const [found] = page.Parameters ?? [];
      if (found !== undefined) return found;
      ({ NextToken } = page);
    } while (NextToken !== undefined);
    throw unreadable(place, 'does not exist');
  }

  /** An SDK client sends an ARN of another region to its own, where nothing has it. */
  async #requireRegion(place: Place): Promise<void> {
    const [, , , region = ''] = place.name.startsWith('arn:') ? place.name.split(':') : [];
    if (region === '') return;
    const here = await this.#deployment.ssm.config.region();
    if (region !== here) {
      throw unreadable(place, `is in ${region}, and the deployment in ${here}: give its value another way`);
    }
  }

  async #call<T>(
    action: string,
    place: Place,
    interrupted: AbortSignal,
    send: (options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const { name: resource } = place;
    try {
      return await callAws({ action, resource, deployment: this.#deployment, interrupted }, send);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.code === 'not_found') throw unreadable(place, 'does not exist');
      if (error.code !== 'access_denied') throw error;
      throw new CommandError(error.exitCode, error.code, `${placeText(place)}: ${error.message}`, {
        cause: error.cause,
        advice: `You need ${action} on it${keyRight(action)}. Its owner grants them: Latchkey's own policies are for its secrets only.`,
      });
    }
  }
}

/** A place's name, for people and as a key. */
export function placeText({ type, name }: Place): string {
  return `${type} ${name}`;
}

/**
 * A place's text with these values in the fields of its JSON object, or in place of it. What says the same already keeps its
 * form, and so does everything around it.
 * @throws {CommandError} if there must be an object
 */
export function withValues(
  place: Place,
  text: string,
  values: ReadonlyMap<string | undefined, Wanted>,
): string {
  const whole = values.get(undefined);
  if (whole !== undefined) return whole.isSame(text) ? text : whole.value + /\s*$/.exec(text)![0];
  const object = parseJsonObject(text);
  if (object === undefined) throw unreadable(place, 'is no JSON object');
  const changed = { ...object };
  for (const [field = '', { value, isSame }] of values) {
    const found = object[field];
    if (typeof found !== 'string' || !isSame(found)) changed[field] = value;
  }
  return editJson(text, changed);
}

function unreadable(place: Place, reason: string): CommandError {
  return new CommandError(EXIT.failed, 'unusable_source', `${placeText(place)} ${reason}`);
}

/** The right on a customer managed key that goes with an action. */
function keyRight(action: string): string {
  const needed: Record<string, string> = {
    'ssm:GetParameter': 'kms:Decrypt with its key if it is a SecureString with a key of your own',
    'ssm:PutParameter':
      'kms:Encrypt (standard) or kms:GenerateDataKey (advanced) with its key if it has one of your own',
    'secretsmanager:GetSecretValue': 'kms:Decrypt with its key if it has one of your own',
    'secretsmanager:PutSecretValue':
      'kms:GenerateDataKey and kms:Decrypt with its key if it has one of your own',
  };
  return needed[action] === undefined ? '' : `, and ${needed[action]}`;
}
