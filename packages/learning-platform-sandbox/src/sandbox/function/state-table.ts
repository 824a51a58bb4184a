import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';

import { type StateStore, type StoredState } from './stored-sandbox';

const KEY = { id: { S: 'sandbox' } };

/** Keeps the state in one item of a DynamoDB table, whose partition key is the text `id`. */
export class StateTable implements StateStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  async read(): Promise<StoredState | undefined> {
    const command = new GetItemCommand({ TableName: this.#tableName, Key: KEY, ConsistentRead: true });
    const { version, state } = (await this.#client.send(command)).Item ?? {};
    return version?.S === undefined || state?.B === undefined
      ? undefined
      : { version: version.S, state: state.B };
  }

  async replace(version: string | undefined, next: StoredState): Promise<boolean> {
    const condition: Partial<PutItemCommandInput> =
      version === undefined
        ? { ConditionExpression: 'attribute_not_exists(#id)', ExpressionAttributeNames: { '#id': 'id' } }
        : {
            ConditionExpression: '#version = :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': { S: version } },
          };
    const Item = { ...KEY, version: { S: next.version }, state: { B: next.state } };
    try {
      await this.#client.send(new PutItemCommand({ TableName: this.#tableName, Item, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
