import { differs, asReliedOn, type Probe } from '../probe';

/** Pauses, in which Lambda freezes the process: as long as a connection may be reused, longer, and much longer. */
const PAUSES_SEC = [3, 6, 60, 300];

export const idleConnection: Probe = {
  id: 'idle-connection',
  group: 'gateway',
  subject: 'A connection that the platform closed while Lambda had the process frozen',
  reliedOn: 'a connection idle for over 4 s is never reused, and the platform closes none sooner',
  otherwise: 'a restore needlessly ends as `outcome_unknown`, 504',
  sources: [
    'https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html',
    'https://nodejs.org/api/http.html',
  ],
  needs: 'latchkey',
  slow: true,
  async look(system) {
    const { latchkey } = system;
    const [tenant] = latchkey.tenants;
    const author = await tenant!.author();
    for (const pauseSec of [0, ...PAUSES_SEC]) {
      if (pauseSec > 0) await system.time.pass(pauseSec);
      const contentId = await tenant!.archivedContent();
      const { exitCode, stdout, stderr } = await latchkey.command([
        ...['restore', contentId, '--tenant', tenant!.tenantId, '--author-ref', author],
      ]);
      const [outcome] = /outcome_unknown/.exec(stdout + stderr) ?? [];
      if (exitCode !== 0)
        return differs(
          `after a pause of ${pauseSec} s, a restore ended with ${outcome ?? `exit code ${exitCode}`}`,
        );
    }
    return asReliedOn(`restores succeeded after pauses of ${PAUSES_SEC.join(', ')} s`);
  },
};
