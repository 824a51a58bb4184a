import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { faultSchema, unsupportedEffects } from '../fault';
import { response, TOO_LARGE } from '../openapi/parts';
import { parseInput } from '../validation';
import { operationsOf } from './control-operation';

const faultsSchema = z.strictObject({ faults: z.array(faultSchema) }).openapi('Faults');

export function addFaultRoutes(app: OpenAPIHono, state: SandboxState): void {
  const { faults } = state;
  const serve = operationsOf(app, 'faults');
  serve('POST /faults', {
    operationId: 'addFault',
    summary: 'Inject a fault',
    description:
      'Applies a fault to matching requests to the target, the given number of times. The fault answers instead of the ' +
      'platform (status, headers, body), delays, truncates, slows down or breaks the platform’s answer, makes a service ' +
      'that operations depend on fail (dependency, answers 502), or presents a wrong certificate to new connections ' +
      '(needs --separate-ports). With a probability, the same seed picks the same requests if they arrive in the same ' +
      'order.',
    body: faultSchema,
    example: { target: 'content', match: { environment: 'staging' }, status: 503, times: 2 },
    brokenRules: (input) => unsupportedEffects(input, state),
    responses: { 201: response('The fault, now active.', faultSchema) },
    respond: (c, fault) => {
      faults.add(fault);
      return c.json(fault, 201);
    },
  });
  serve('GET /faults', {
    operationId: 'listFaults',
    summary: 'List active faults',
    responses: {
      200: response('Active faults, oldest first, with their remaining times.', faultsSchema),
    },
    respond: (c) => c.json({ faults: faults.all() }),
  });
  serve('DELETE /faults', {
    operationId: 'deleteFaults',
    summary: 'Delete all faults',
    responses: { 204: response('No fault is active.'), 413: TOO_LARGE },
    respond: (c) => {
      faults.clear();
      return c.body(null, 204);
    },
  });
}

/** @throws {InvalidInputError} for an invalid fault, or one that the server does not support */
export function addFault({ faults, ...support }: SandboxState, input: unknown): void {
  faults.add(parseInput(faultSchema, input, () => unsupportedEffects(input, support)));
}
