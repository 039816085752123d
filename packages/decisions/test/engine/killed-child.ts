import { writeSync } from 'node:fs'
import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { killAtStatement } from '../../../sqlite-kit/test/kill-at-statement.ts'
import { withoutSync } from '../../../sqlite-kit/test/without-sync.ts'
import decisions, { type DecisionsOptions } from '../../src/index.ts'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import { historyOf, readingModel } from './killed-talk.ts'

// Goes on with a talk behind the turns that were acknowledged, until it kills itself at its n-th statement. Each turn that
// is acknowledged goes to the output.
const [, , path = '', over = 'own', turns = '0', killAt = '0', when = 'before'] = process.argv
withoutSync()
killAtStatement(Number(killAt), when)

/** Loaded only where it is wanted: most of a start is loading. */
async function overLcm(): Promise<DecisionsOptions> {
  const { default: engine } = await import('@palimpsest/lcm')
  const { createSqliteStore } = await import('@palimpsest/lcm/sqlite')
  return {
    compaction: { engine: engine as never, options: { store: createSqliteStore({ path: `${path}.lcm` }) } },
  }
}

const session = createContextSession<DecisionsOptions>({
  engine: decisions,
  options: {
    store: () => createSqliteDecisionStore({ path }),
    ...(over === 'lcm' && (await overLcm())),
  },
  contextLength: 3_000,
  tokens: roughTokenCounter,
  model: readingModel(),
  sessionId: 'talk',
})
for (let turn = Number(turns); ; turn++) {
  const history: Message[] = historyOf(turn + 1)
  await session.prepare(history.slice(0, -1))
  const message = history.at(-1)
  if (message?.role === 'assistant') await session.observe({ message })
  writeSync(1, `${turn + 1}\n`)
  // The model's answers come beside the conversation.
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve))
}
