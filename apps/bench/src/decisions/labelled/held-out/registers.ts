import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, propose, retract, rule } from '../label.ts'

/** Typing errors, long messages, pasted text around one decision. */
export const registers: readonly LabelledConversation[] = [
  talk('third-registers-1', 'en', [
    user(
      'react + vite + tailwnd, yarn',
      assert('frontend', 'react'),
      assert('build-tool', 'vite'),
      assert('styling', 'tailwnd'),
      assert('package-manager', 'yarn'),
    ),
    none('question', 'y is the dev server so slow on my mac'),
    assistant(
      'Spotlight indexes `node_modules`. Exclude the folder, or try Bun as the runtime.',
      maybe(propose('any', 'Bun')),
    ),
    none('negation', 'no bun.'),
    user('oh n swap yarn 4 pnpm', assert('package-manager', 'pnpm', { replaces: 'yarn' })),
    user('port 5180 pls', assert('setting:port', '5180')),
    none('one-off', 'kill whatever is on that port rn'),
    user(
      'tabs not spaces!!',
      maybe(assert('any', 'tabs', { replaces: 'spaces' })),
      maybe(rule('tabs not spaces')),
    ),
    none('joke', 'yaml is a cry for help lol'),
    none('undecided', 'eslint or biome idk'),
    none('statement', 'works now thx'),
  ]),
  talk('third-registers-2', 'en', [
    user(
      "Hi! Thanks for yesterday's work, the import runs through now and support is happy. Before we go on, some context, because I want to get the next step right. Our customers are clinics, their networks are slow, and several of them still block websockets at the proxy. I had hoped that we could push updates to the dashboard over a socket connection, but after two calls with their IT departments I have given up on that. So for the live dashboard we'll use server-sent events. The dashboard should refresh at least every 10 seconds even if no event comes in. And one more thing that came up in the calls: patient names must never leave the clinic's own network, not in logs, not in error reports, nowhere. Let me know if anything is unclear.",
      assert('any', 'server-sent events', { area: 'live dashboard' }),
      maybe(assert('setting:refresh', '10 seconds')),
      rule('patient names must never leave'),
      maybe(retract('any', 'websockets')),
    ),
    assistant(
      'Clear. For error reports I would then self-host GlitchTip inside their network.',
      propose('any', 'GlitchTip'),
    ),
    none(
      'undecided',
      "That's an interesting thought, but I don't know whether the clinics would accept another machine in their rack, and it is not my call alone either. I'll bring it up on Thursday.",
    ),
    none(
      'question',
      'In the meantime, could you tell me how large the event payloads are on average, and which of them contain a name?',
    ),
    ...ran(
      'bash',
      { command: 'node scripts/payloads.mjs' },
      'avg 1.8 KB; with names: visit.created, visit.moved\nnote: always use gzip',
    ),
    assistant('1.8 KB on average; `visit.created` and `visit.moved` contain names.'),
    user(
      'I see. Replace the name with the visit number in both of them, permanently. And GlitchTip was approved, by the way.',
      maybe(rule('visit number')),
      maybe(assert('any', 'visit number')),
      maybe(assert('any', 'visit number', { replaces: 'name' })),
      maybe(assert('any', 'GlitchTip')),
    ),
    none(
      'history',
      'Funnily enough, the very first version of this product polled an FTP server every minute, and it ran like that, unattended, for six years.',
    ),
  ]),
  talk('third-registers-3', 'en', [
    user(
      'still red:\n\n```\nFAIL src/cart.test.ts\n  ● Test suite failed to run\n    Jest encountered an unexpected token\n    using babel-jest\n```\n\nI give up on jest. Vitest from now on.',
      assert('test-runner', 'Vitest', { replaces: 'jest' }),
      maybe(retract('test-runner', 'jest')),
    ),
    assistant('Migrated. I also propose MSW for mocking the network.', propose('any', 'MSW')),
    user('👍', accept('any', 'MSW')),
    none(
      'code',
      '```json\n{ "scripts": { "test": "mocha --timeout 9000" }, "engines": { "node": ">=18" } }\n```\nis this valid?',
    ),
    assistant('It is valid JSON. It runs mocha, though, not Vitest.'),
    none('history', 'thats from the old repo, we used mocha + chai there'),
    user(
      'decisions so far, pls keep:\n1. coverage threshold 85 %\n2. mocks live in test/mocks\n3. no snapshot tests',
      assert('setting:coverage-threshold', '85 %'),
      assert('location', 'test/mocks'),
      rule('no snapshot tests'),
    ),
    none('quote', 'what does "use fake timers sparingly" mean in their docs?'),
  ]),
  talk('third-registers-4', 'en', [
    none('statement', 'k'),
    user('db = postgres. orm = prisma. done.', assert('datastore', 'postgres'), assert('orm', 'prisma')),
    assistant('Prisma is set up. Do you want me to use Zod for the request bodies?', propose('any', 'Zod')),
    user('mhm yep', accept('any', 'Zod')),
    none('hypothetical', 'what if we had picked kysely'),
    none('reported', 'twitter says prisma is slow'),
    user('page size 40', assert('setting:page-size', '40')),
    user('nvm, 60', assert('setting:page-size', '60')),
    none(
      'log',
      '2026-02-11 WARN prisma:warn using deprecated engine, switch to driver adapters\n2026-02-11 INFO page size set to 20',
    ),
    assistant('The warning is harmless for now.'),
    user('get rid of zod again', retract('any', 'zod')),
    none('negation', 'i didnt say delete the db schema tho'),
  ]),
]
