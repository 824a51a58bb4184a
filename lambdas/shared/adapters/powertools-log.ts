import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import { type LogAttributes, type UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

import { type Log, type LogFields } from '../ports';

const ALLOWED: Record<keyof Required<LogFields>, true> = {
  tenantId: true,
  interface: true,
  scope: true,
  code: true,
  reason: true,
  detail: true,
  expiresAt: true,
  tokens: true,
  refreshed: true,
  failed: true,
  durationMs: true,
  status: true,
  upstreamStatus: true,
  apiRequestId: true,
  credential: true,
  step: true,
};

/** Keeps only known fields: as shipped, the logger prints the causes and custom fields of errors, secrets included. */
class AllowListFormatter extends LogFormatter {
  override formatAttributes(attributes: UnformattedAttributes, additional: LogAttributes): LogItem {
    const fields = Object.fromEntries(
      Object.entries(additional).filter(
        ([name, value]) => Object.hasOwn(ALLOWED, name) && typeof value !== 'object',
      ),
    );
    return new LogItem({
      attributes: {
        level: attributes.logLevel,
        timestamp: this.formatTimestamp(attributes.timestamp),
        message: attributes.message,
        requestId: attributes.lambdaContext?.awsRequestId,
        ...fields,
      },
    });
  }
}

/** One JSON object per line, with a fixed message and allowed fields. */
export function powertoolsLog(serviceName: string): Log & Pick<Logger, 'addContext'> {
  const logger = new Logger({ serviceName, logFormatter: new AllowListFormatter() });
  return {
    info: (message, fields = {}) => logger.info(message, { ...fields }),
    warn: (message, fields = {}) => logger.warn(message, { ...fields }),
    error: (message, fields = {}) => logger.error(message, { ...fields }),
    addContext: (context) => logger.addContext(context),
  };
}
