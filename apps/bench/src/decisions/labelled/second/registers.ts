import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, propose, retract, rule } from '../label.ts'

/** Typing errors, long messages, pasted text around one decision. */
export const registers: readonly LabelledConversation[] = [
  talk('held-registers-1', 'en', [
    user('ok so we go w/ mongo db for the storage', assert('datastore', 'mongo db')),
    none('question', 'hows that wiht transactions??'),
    assistant('MongoDB has multi-document transactions since version 4.'),
    user('cool. stay with mongo then', maybe(assert('datastore', 'mongo'))),
    user('u must not touch the vendor folder', rule('touch the vendor folder')),
    none('statement', 'back in 10'),
  ]),
  talk('held-registers-2', 'en', [
    user(
      'Sorry for the long mail. I went through the proposal twice and I like most of it. There were three questions on my list: how the parts talk to each other, where files are kept, and who is on call. The last one is for me to solve. About the first one I asked two friends who run something similar; one of them swears by queues, the other one hates them, so that did not help. For the files we will use S3, with a retention of 400 days because the auditors want a year and a bit. The rest can wait until the prototype is running. Greetings from the train.',
      assert('any', 'S3'),
      assert('setting:retention', '400 days'),
    ),
    assistant('S3 with 400 days, noted. The on-call question stays with you.', maybe(propose('any', 'S3'))),
    none(
      'statement',
      'Some context on where we come from. There were two teams, and each of them had its favourite: one used Perl, the other one used Tcl, and both had good reasons at the time. The merge happened in 2016. Since then nobody dared to touch the scheduler, which is a pity.',
    ),
    none('question', 'Is there any tool that translates Tcl into something from this century?'),
    user(
      'my calls from the meeting:\n* scheduler gets rewritten in Elixir\n* poll interval 45 s\n* nobody edits production by hand',
      assert('language', 'Elixir', { area: 'scheduler' }),
      assert('setting:poll-interval', '45 s'),
      rule('edits production by hand'),
    ),
  ]),
  talk('held-registers-3', 'en', [
    user(
      'look at this\n\n```\nRedisError: OOM command not allowed when used memory > maxmemory\n  client: ioredis, policy: noeviction\n```\n\nI had it. Replace Redis by Memcached for the cache.',
      assert('cache', 'Memcached', { replaces: 'Redis' }),
    ),
    assistant('May I use pymemcache as the client?', propose('any', 'pymemcache')),
    user('👍', accept('any', 'pymemcache')),
    none(
      'transcript',
      'Teams export:\nMia (09:41): decision: we use SharePoint\nNoah (09:42): agreed\n— wrong channel, sorry, please disregard',
    ),
    user(
      'nah. simple as possible: plain HTML, Pico for the CSS',
      maybe(assert('any', 'plain HTML')),
      assert('styling', 'Pico'),
    ),
    none('hypothetical', 'With more money I would go with Datadog.'),
    assistant(
      'Icons: Lucide or Heroicons?',
      maybe(propose('any', 'Lucide')),
      maybe(propose('any', 'Heroicons')),
    ),
    user('first one', accept('any', 'Lucide')),
    none('negation', 'which is not to say that we need icons everywhere'),
    user("We won't be using Sentry after all.", retract('any', 'Sentry')),
    none('question', 'When did we add Sentry?'),
    assistant('In March, together with the error page.'),
  ]),
  talk('held-registers-4', 'en', [
    none('joke', 'march was a different person'),
    none('statement', 'choosing a font took longer than choosing a database'),
    user('idle timeout → 5min', assert('setting:idle-timeout', '5min')),
    assistant('Done. Do you want Argon2 for the password hashes as well?', propose('any', 'Argon2')),
    none('undecided', 'dunno, ask me tomorrow'),
    user('re passwords: Argon2, yes.', { ...assert('any', 'Argon2'), kinds: ['assert', 'accept'] }),
  ]),
]
