import { createContextSession, type Message } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import { createSqliteStore } from '@palimpsest/store'
import { beforeEach, describe, expect, it } from 'vitest'
import { useStoreFolder } from '../lcm/store-folder.ts'

const { path, run, write, prints, json, refuses } = useStoreFolder('decisions')

/** A decision as the agent records it, with the user's words that say it; without words, a proposal. */
interface Recorded {
  readonly subject: string
  readonly value: string
  readonly quote?: string
  readonly replaces?: string
  readonly reason?: string
  readonly kind?: string
}

/** Postgres gave way to MySQL, JWT is in use, a rule is in force, and Kafka is a proposal. */
const SHOP: readonly Recorded[] = [
  { subject: 'store of orders', value: 'PostgreSQL', quote: 'We use PostgreSQL, we know it.' },
  {
    subject: 'store of orders',
    value: 'MySQL',
    replaces: 'PostgreSQL',
    quote: 'We switch to MySQL.',
    reason: 'the hosting has nothing else',
  },
  { subject: 'sign in', value: 'JWT \u001b[31mtokens', quote: 'For the sign in, JWT.' },
  {
    subject: 'language',
    value: 'Always answer in Spanish.',
    quote: 'Always answer in Spanish.',
    kind: 'rule',
  },
  { subject: 'queue', value: 'Kafka' },
]

interface Owner {
  readonly session?: string
  readonly project?: string
}

/** A session in a store in which the user says something and the agent records it, message by message. */
async function record(
  { session: sessionId = 'talk', project }: Owner,
  records: readonly Recorded[] = SHOP,
): Promise<void> {
  const store = createSqliteStore({ path: path() })
  const options = project === undefined ? {} : { project }
  const about = { sessionId, contextLength: 64_000 }
  const session = createContextSession({ engine: decisions, options, store, ...about })
  const history: Message[] = []
  for (const record of records) {
    history.push({ role: 'user', content: record.quote ?? 'Go on.' })
    await session.prepare(history)
    await session.callTool('decisions_record', record)
    const message = { role: 'assistant', content: 'All right.' } as const
    await session.observe({ message })
    history.push(message)
  }
  await session.append(history.slice(-1))
  await session.end()
  await store.close()
}

beforeEach(async () => {
  await record({ project: 'shop' })
})

async function idOf(value: string): Promise<string> {
  const all: { id: string; value: string }[] = await json('list', '--all')
  return all.find((decision) => decision.value.startsWith(value))?.id ?? ''
}

const AUTH = [{ subject: 'sign in', value: 'JWT', quote: 'We sign in with JWT.' }]

describe('list', () => {
  it('shows what holds, and says what it does not show', async () => {
    const lines = (await prints('list')).trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^d\w{12}/, 'id').replace(/ +/g, ' '))).toEqual([
      'ID STATUS AUTHORITY SCOPE DECISION',
      'id active stated project:shop store of orders: MySQL',
      'id active stated project:shop sign in: JWT tokens',
      'id active stated project:shop rule: Always answer in Spanish.',
    ])
    expect(await prints('list', '--all')).toMatch(
      /superseded .*PostgreSQL\n(?:.*\n)*d\w+ +proposed .*Kafka\n$/,
    )
  })

  it('names the scopes when there are several, and takes one', async () => {
    await record({ session: 's1' }, AUTH)
    expect((await prints('list', '--session', 's1')).trimEnd().split('\n')).toHaveLength(2)
    await refuses(
      /name the scope with --project or --session; there are: project:shop, session:s1/,
      'decisions',
      'export',
      '--store',
      'store.db',
    )
  })

  it('of a principal who has none says so', async () => {
    expect(await prints('list', '--principal', 'nobody')).toMatch(
      /^no decision holds\na model reads decisions in a conversation: without one/,
    )
  })
})

describe('show', () => {
  it('says who said it where, why, and what it replaced', async () => {
    const text = await prints('show', (await idOf('MySQL')).slice(0, 6))
    expect(text).toMatch(
      /^decision +d\w{12}\nstatus +active, stated, found by the agent\nscope +project:shop\n/,
    )
    expect(text).toContain('because     the hosting has nothing else')
    expect(text).toContain('talk, turn 2, m2, user\n  "We switch to MySQL"')
    expect(text).toMatch(
      /chain, the oldest first\n {2}d\w+ {2}PostgreSQL, superseded, turn 1\n {2}d\w+ {2}MySQL, active, turn 2\n$/,
    )
    expect(await prints('show', await idOf('PostgreSQL'))).toMatch(
      /ended +talk, turn 2, m2, user: "We switch to MySQL", because the hosting/,
    )
    const shown = await json('show', await idOf('MySQL'))
    expect(shown.chain.map(({ value }: { value: string }) => value)).toEqual(['PostgreSQL', 'MySQL'])
  })

  it('shows control characters instead of obeying them', async () => {
    const text = await prints('show', await idOf('JWT'))
    expect(text).toContain('␛[31m')
    expect(text).not.toContain('\u001b')
  })

  it('asks again for an id that is none, or the beginning of several', async () => {
    await refuses(
      /there is no decision dx; palimpsest decisions list --all has them/,
      'decisions',
      'show',
      'dx',
      '--store',
      'store.db',
    )
    await refuses(/d is the beginning of 5 decisions/, 'decisions', 'show', 'd', '--store', 'store.db')
  })
})

describe('export', () => {
  it('writes Markdown for people', async () => {
    const text = await prints('export')
    expect(text).toMatch(
      /^# Decisions of shop\n\n## Standing rules of the user, word for word\n\n- "Always answer in Spanish\."/,
    )
    expect(text).toContain('- store of orders: PostgreSQL')
    expect(text).not.toContain('\u001b')
  })
})

describe('a store that is none', () => {
  it('may be named in the configuration', async () => {
    await write('config.yaml', 'store:\n  url: store.db\n')
    expect((await run('decisions', 'list')).stdout).toMatch(/MySQL/)
  })
})
