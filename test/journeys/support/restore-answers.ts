import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';

import { type LocalDeployment, type LocalRun } from '../../../core/deployment/local-run';
import { parameterName } from '../../../core/deployment/parameter-names';
import { type RestoreAuth } from '../../../core/restore/restore-operation';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type SeenAnswer, type SeenRequest, undocumented } from '../../support/openapi/documented-answers';
import { type RecordedAnswer } from './recorded-answers';

/** Checks every answer of a system's restore APIs against the OpenAPI document for the deployment's mode. */
export class RestoreAnswers {
  private readonly run: LocalRun;
  private readonly modes = new Map<LocalDeployment, Promise<RestoreAuth>>();

  constructor(run: LocalRun) {
    this.run = run;
  }

  /**
   * @param url of any request; others than to a restore API pass
   * @throws {Error} if the answer has an undocumented status, code, field or header, or lacks a required one
   */
  async check(url: string, request: SeenRequest, answer: SeenAnswer): Promise<void> {
    const deployment = this.run.deployments.find(
      ({ restoreApiUrl }) => restoreApiUrl !== undefined && url.startsWith(restoreApiUrl),
    );
    if (deployment === undefined) return;
    const mode = this.modes.get(deployment) ?? this.modeOf(deployment);
    this.modes.set(deployment, mode);
    const findings = undocumented(answer, await mode, request);
    if (findings.length > 0) {
      throw new Error(`${request.method} ${url} was answered as not documented:\n${findings.join('\n')}`);
    }
  }

  /** Checks the answers to all callers, including the command and the main job. */
  async checkRecorded(answers: readonly RecordedAnswer[]): Promise<void> {
    const url = this.run.deployments.find(({ restoreApiUrl }) => restoreApiUrl !== undefined)?.restoreApiUrl;
    if (url === undefined) return;
    const { origin } = new URL(url);
    for (const { path, request, answer } of answers) await this.check(`${origin}${path}`, request, answer);
  }

  /** Only deployments in platform mode publish an authorizer. */
  private async modeOf(deployment: LocalDeployment): Promise<RestoreAuth> {
    const { endpoint, region, ...credentials } = this.run.aws;
    const ssm = new SSMClient({ endpoint, region, credentials, maxAttempts: 2 });
    const Name = parameterName(DEFAULT_PREFIX, deployment, 'authorizer-arn');
    try {
      await ssm.send(new GetParameterCommand({ Name }));
      return 'platform';
    } catch (error) {
      if (error instanceof ParameterNotFound) return 'iam';
      throw error;
    } finally {
      ssm.destroy();
    }
  }
}
