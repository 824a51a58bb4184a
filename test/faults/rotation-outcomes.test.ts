import { CREDENTIAL_KINDS } from '../../contract/secret-names';
import { ArrangedRotation, idOf, ROTATION_CASES } from '../lambdas/rotate-credentials/rotation-cases';
import { findCanaries } from '../support/canaries';
import { withWireRotation } from './rotation/wire-rotation';
import { logLinesOf } from './support/function-output';

/** Each case once, alternating the kind of the secret. In process every case runs with both kinds. */
const CASES = ROTATION_CASES.map((given, index) => ({ kind: CREDENTIAL_KINDS[index % 2]!, given, ...given }));

test.each(CASES)('over the wire a rotation of $kind from $before ends with $run', ({ kind, given }) =>
  withWireRotation({ kind }, async (world) => {
    const { run, versions, after = versions, counts } = given;
    const arranged = new ArrangedRotation(world, given);

    expect(await world.run(idOf('run'))).toBe(run);

    expect(arranged.versions()).toEqual(after);
    expect(world.metrics()).toEqual(counts);
    const line =
      run === 'done'
        ? { level: 'INFO', message: 'rotation step done', step: 'finishSecret' }
        : { level: 'ERROR', message: 'rotation step failed', code: run };
    const fields = { requestId: 'request-1', tenantId: 'eu-west-2_Acme', credential: kind };
    expect(logLinesOf(world.visible().at(-1)!.text).at(-1)).toMatchObject({ ...line, ...fields });
    expect(findCanaries(world.platform.canaries, world.visible())).toEqual([]);
  }),
);
