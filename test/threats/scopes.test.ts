import { expectRed } from '../support/holes/expect-red';
import { Draw } from '../faults/support/draw';
import { tokenAnswer } from '../faults/support/platform-double';
import { VirtualWorld } from '../faults/support/virtual-world';
import { TENANT_ID } from '../support/lambdas/token-functions';

const RENEWED = { ok: true, refreshed: true };
const refused = (code: string) => ({ ok: false, error: { code } });

/** @param reported the scope that the response contains */
async function expectJudged(scope: unknown, answer: object, reported = scope) {
  const situation = { action: 'ensure', tenantId: TENANT_ID, target: 'content api/read' } as const;
  const world = new VirtualWorld({ ...situation, stored: 'ending' }, new Draw(1, 'T11'));
  world.platform.always = tokenAnswer({ scope: reported });

  const invocation = await world.invoke();

  expect(invocation.answer).toMatchObject(answer);
  expect(world.versions()).toHaveLength(world.before.length + (answer === RENEWED ? 1 : 0));
}

// C541-C543 cover a token in the secret of another key, which authenticates nobody.
describe('T11: the scope that the platform grants after a request for api/read', () => {
  test.each<[string, unknown, object]>([
    ['absent', undefined, RENEWED],
    ['the requested one', 'api/read', RENEWED],
    ['the requested one with extra spaces', '  api/read ', RENEWED],
    ['the requested one, twice', 'api/read api/read', RENEWED],
    ['wider by one', 'api/read api/write', refused('bad_platform_answer')],
    ['wider by one, in another order', 'api/write api/read', refused('bad_platform_answer')],
    ['wider by all of them', 'api/all api/read api/write', refused('bad_platform_answer')],
    ['wider in one word', 'api/all', refused('scope_refused')],
    ['another', 'api/write', refused('scope_refused')],
    ['narrower: none', '', refused('scope_refused')],
    ['narrower: spaces', '   ', refused('scope_refused')],
    ['narrower: the beginning', 'api/rea', refused('scope_refused')],
    ['of the other interface', 'api/webhooks', refused('scope_refused')],
    ['in other case', 'API/READ', refused('scope_refused')],
    ['separated by a comma', 'api/read,api/write', refused('scope_refused')],
    ['separated by a tab', 'api/read\tapi/write', refused('scope_refused')],
    ['a list', ['api/read'], refused('bad_platform_answer')],
    ['an object', { 'api/read': true }, refused('bad_platform_answer')],
    ['a number', 7, refused('bad_platform_answer')],
  ])('%s: %j', (_, scope, answer) => expectJudged(scope, answer));

  test('turns red when any granted scope counts as the requested one', async () => {
    await expectRed(() => expectJudged('api/read api/write', refused('bad_platform_answer'), 'api/read'));
  });
});
