import { createContextSession, type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { quoteLost } from '@palimpsest/extractive'
import lcm from '@palimpsest/lcm'
import { fixedClock } from '../arms/reproducible.ts'
import { type Asked, askedAt, type Kept, keptIn, oneLine, usersWords } from '../kept/kept-in.ts'
import { type KeptReading, readForKept } from '../kept/kept-reading.ts'
import { rankedNames } from '../kept/simple-projections.ts'
import type { RecordedSession } from '../sessions/read-sessions.ts'

/** Tokens that may be added to a summary: what the hook allows itself. */
const ADDED = 2_000

/** The cases of one compaction, and what an arm adds to the agent's own summary there. */
export interface Recovered {
  readonly tokens: number
  readonly kept: Kept
}

export interface RecoveredRow {
  readonly arm: string
  readonly compactions: readonly Recovered[]
}

interface Compacted {
  readonly messages: readonly Message[]
  readonly summary: string
  readonly tokens: TokenCounter
}

/** The simplest thing that could be added: the user's messages that the summary has not, newest first, and names. */
function quoteSimply({ messages, summary, tokens }: Compacted): string {
  const covered = oneLine(summary)
  const beginnings = new Set(usersWords(messages).filter((words) => !covered.includes(words)))
  const lost = messages
    .filter(({ role }) => role === 'user')
    .map((message) => oneLine(messageText(message)))
    .filter((text) => beginnings.has(text.slice(0, 60)))
    .map((text) => `- ${text.slice(0, 300)}`)
  const names = rankedNames(messages).filter((name) => !summary.includes(name))
  const fit = (texts: readonly string[], room: number) => {
    let left = room
    return texts.filter((text) => {
      left -= tokens.countText(text) + 1
      return left >= 0
    })
  }
  const lines = fit(lost.toReversed(), ADDED * 0.75).toReversed()
  const used = tokens.countText(lines.join('\n'))
  return `${lines.join('\n')}\n\nNames: ${fit(names, ADDED - used - 50).join(', ')}`
}

const ARMS: Readonly<Record<string, (compacted: Compacted) => string>> = {
  "the agent's own summary": () => '',
  'and what the hook adds at once': ({ messages }) => quoteLost({ messages, summary: '' }),
  'and what the hook adds when it is resumed': quoteLost,
  'and a simple list': quoteSimply,
}

export async function runRecovered(
  sessions: readonly RecordedSession[],
  tokens: TokenCounter,
): Promise<RecoveredRow[]> {
  const cases = sessions.flatMap(({ messages, nativeCompactions }) => {
    const reading = readForKept(messages)
    return nativeCompactions.flatMap(({ beforeEntry, summary }) =>
      summary === undefined || beforeEntry < 2 ? [] : [{ reading, summary, at: beforeEntry }],
    )
  })
  const rows = Object.entries(ARMS).map(([arm, add]) => ({
    arm,
    compactions: cases.map(({ reading, summary, at }) => {
      const added = add({ messages: reading.messages.slice(0, at), summary, tokens })
      const shown: Message[] = [summary, added].map((content) => ({ role: 'user', content }))
      return { tokens: tokens.countText(added), kept: keptIn(shown, askedAt(reading, at), reading) }
    }),
  }))
  const found = []
  for (const { reading, at } of cases) found.push(await findOnce(reading, at, tokens))
  return [...rows, { arm: 'found by one search', compactions: found }]
}

/** Asks `lcm_grep` once for each case, and reads the first page of snippets. */
async function findOnce(reading: KeptReading, at: number, tokens: TokenCounter): Promise<Recovered> {
  const context = createContextSession({
    engine: lcm,
    contextLength: 200_000,
    sessionId: 'recovered',
    clock: fixedClock(),
  })
  await context.prepare(reading.messages.slice(0, at))
  const asked = askedAt(reading, at)
  let spent = 0
  let searches = 0
  const ask = async (query: string, about: Partial<Asked>): Promise<Kept> => {
    const answer = await context.callTool('lcm_grep', { query, mode: 'text' })
    const { hits = [] } = JSON.parse(answer) as { hits?: readonly { readonly snippet: string }[] }
    spent += tokens.countText(answer)
    searches++
    const shown: Message[] = hits.map(({ snippet }) => ({ role: 'user', content: snippet }))
    return keptIn(shown, { names: [], pairs: [], words: [], ...about }, reading)
  }
  const kept = { names: [] as boolean[], relations: [] as boolean[], words: [] as boolean[] }
  for (const name of asked.names) kept.names.push(...(await ask(name, { names: [name] })).names)
  for (const pair of asked.pairs)
    kept.relations.push(...(await ask(pair.join(' '), { pairs: [pair] })).relations)
  for (const words of asked.words)
    kept.words.push(...(await ask(words.slice(0, 30), { words: [words] })).words)
  await context.end()
  return { tokens: spent / Math.max(1, searches), kept }
}
