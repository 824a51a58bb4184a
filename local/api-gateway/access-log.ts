import { type Account } from '../account';
import { type WriteLogs } from '../functions/function-log';
import { type Clock, type Reporter } from '../interfaces';
import { assumeAsService } from '../service-roles';
import { type ContextVariables, substitute } from './context-variables';
import { apiArn } from './exchange';
import { type RestApi, type RestApis, type Stage } from './rest-api';

interface AccessLogOptions {
  account: Account;
  apis: RestApis;
  clock: Clock;
  reporter: Reporter;
  writeLogs: WriteLogs;
}

/**
 * Writes one line for each request of a stage that has an access log, with the rights of the account's logging role.
 * A line holds what the format asks of `$context`: never headers or bodies.
 * @see API Gateway developer guide, set-up-logging and api-gateway-variables-for-access-logging
 */
export class AccessLog {
  private readonly options: AccessLogOptions;
  private hasWarned = false;

  constructor(options: AccessLogOptions) {
    this.options = options;
  }

  /** A line that can't be written is told once, and is no failure of the request. */
  write(api: RestApi, stage: Stage, variables: ContextVariables): void {
    if (!stage.accessLog) return;
    const { account, apis, clock, reporter, writeLogs } = this.options;
    const { logGroupName, format } = stage.accessLog;
    const message = substitute(
      format,
      (name) => escaped(variables.get(name)),
      () => '-',
    );
    try {
      const sourceArn = `${apiArn(account, api)}/${stage.name}`;
      const session = assumeAsService(account, apis.cloudWatchRoleArn ?? '', 'apigateway', {
        service: 'apigateway.amazonaws.com',
        sourceArn,
      });
      writeLogs(account, session, logGroupName, [{ timestampMs: clock.nowMs(), message }]);
    } catch (error) {
      if (!this.hasWarned)
        reporter.warning(`API Gateway cannot write access logs: ${(error as Error).message}`);
      this.hasWarned = true;
    }
  }
}

/** Safe within a JSON string and within one line. */
function escaped(value: string | undefined): string {
  return value === undefined ? '-' : JSON.stringify(value).slice(1, -1);
}
