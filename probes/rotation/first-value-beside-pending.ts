import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { asReliedOn, notRun, type Probe } from '../probe';
import { withRotation } from '../rotated-secret';

export const firstValueBesidePending: Probe = {
  id: 'first-value-beside-pending',
  group: 'rotation',
  subject: 'Whether the first version with a value becomes `AWSCURRENT` if an empty version has `AWSPENDING`',
  reliedOn: 'it does, or not: the command names the label',
  otherwise: '`latchkey credentials put` loads a credential that is not current',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html'],
  look: (system) =>
    withRotation(system, { fails: 'createSecret' }, async (rotation) => {
      const empty = await rotation.rotate();
      if (!(await rotation.step('createSecret', empty))) return notRun('createSecret was not called');
      const first = await rotation.put('one', CANDIDATE_LABEL);
      const labels = await rotation.labelsOf(first);
      return asReliedOn(`the first value, put with another label, has ${[...labels].sort().join(' and ')}`);
    }),
};
