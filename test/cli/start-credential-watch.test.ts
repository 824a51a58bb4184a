import { startCredentialWatch } from '../../cli/start-credential-watch';
import { FakeTerminal } from './support/fake-terminal';
import { denialOf } from './support/in-memory-monitoring';
import { OperatedSystem } from './support/operated-system';

test('without permission to start credential-watch, the command says when alarms update, and succeeds', async () => {
  const system = new OperatedSystem();
  system.functions['credential-watch'] = () => denialOf('lambda:InvokeFunction', 'arn:watch');
  const terminal = new FakeTerminal();

  await startCredentialWatch(system.context(terminal), system.deployment());

  expect(terminal.said).toEqual([
    expect.stringMatching(/within 6 h: .*you are not allowed to lambda:InvokeFunction on arn:watch$/),
  ]);
});
